/** Regular expressions of conditions, in time proportional to the text: anybody may send the text to compare with. */
import { RE2JS } from 're2js';

/** Whether a text contains what the pattern says; null for what is no pattern. */
export function compilePattern(pattern: string): ((text: string) => boolean) | null {
  try {
    const compiled = RE2JS.compile(pattern);
    return (text) => compiled.matcher(text).find();
  } catch {
    return null;
  }
}
