/** Patterns with stars, as people write them for pages. */

/** True when the text matches the pattern, in which `*` matches any characters. Linear in both lengths. */
export function isLike(text: string, pattern: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return text === pattern;
  if (!text.startsWith(first) || text.length < first.length + last.length || !text.endsWith(last)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found === -1 || found + part.length > text.length - last.length) return false;
    at = found + part.length;
  }
  return true;
}

/** A text with `*` for anything, as a regular expression of the whole text. */
export function wholePattern(text: string): string {
  return `^${text.split('*').map(escaped).join('.*')}$`;
}

/** A text with `*` for anything, as `like` of SQL takes it. */
export function likePattern(text: string): string {
  return text.replaceAll(/[\\%_]/g, '\\$&').replaceAll('*', '%');
}

/** A text as a part of a regular expression. */
export function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
