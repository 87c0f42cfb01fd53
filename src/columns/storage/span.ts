/** An interval of time, `[from, until)` in milliseconds. */
export interface Span {
  from: number;
  until: number;
}
