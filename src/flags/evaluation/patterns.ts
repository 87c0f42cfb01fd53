/** Regular expressions of conditions, in linear time, because anyone can send the text to match. */
import { RE2JS } from 're2js';

/** Compiles a search by a pattern; null for an invalid pattern. */
export function compilePattern(pattern: string): ((text: string) => boolean) | null {
  try {
    const compiled = RE2JS.compile(pattern);
    return (text) => compiled.matcher(text).find();
  } catch {
    return null;
  }
}
