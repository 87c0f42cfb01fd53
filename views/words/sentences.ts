/** Helpers of the catalogs. Pure. */

/** "3 events", "1 event"; `text` is the number as the reader writes it. */
export function counted(n: number, text: string, one: string, many: string): string {
  return `${text} ${n === 1 ? one : many}`;
}

/** A sentence around one piece of code: before, code, after. */
export type Prose = readonly [string, string, string];

export function prose(before: string, code: string, after: string): Prose {
  return [before, code, after];
}
