/** Words for how one number is counted. */
export interface ExplainedWords {
  definitions: string[];
  /** Other products' definitions, with their `value`. */
  rules?: (value: string) => string[];
}
