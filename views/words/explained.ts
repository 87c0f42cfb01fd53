/** Words for how one number is counted. */
export interface ExplainedWords {
  definitions: string[];
  /** What others' rules say, `value` where there is one. */
  rules?: (value: string) => string[];
}
