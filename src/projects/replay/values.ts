/** Constants of the settings of session replay, and the rules of their lists. Pure, without schemas, so that screens can import it. */

/** Which sessions are recorded. Stored. */
export const replayModes = ['off', 'problems', 'sample', 'all'] as const;
export type ReplayMode = (typeof replayModes)[number];
/** What is masked in the visitor's browser. Stored. */
export const replayMaskings = ['inputs', 'text'] as const;
export type ReplayMasking = (typeof replayMaskings)[number];
/** Bounds of session replay: shortest recorded session in seconds, days that recordings are kept, GB of a project. */
export const MAX_REPLAY_SECONDS = 300;
export const MAX_REPLAY_RETENTION = 365;
export const MAX_REPLAY_BUDGET = 10_000;

/** The name of an event that starts a recording. */
export function replayEventEntry(text: string): string | null {
  const name = text.trim();
  return name === '' || name.length > 200 ? null : name;
}

/** A CSS selector, as far as can be checked without a browser: no block, no rule, brackets and quotes in pairs. */
export function selectorEntry(text: string): string | null {
  const selector = text.trim();
  if (selector === '' || selector.length > 200 || /[{};<]|\/\*/.test(selector)) return null;
  const inPairs = (one: string, other: string) => selector.split(one).length === selector.split(other).length;
  const quoted = ['"', "'"].every((quote) => selector.split(quote).length % 2 === 1);
  return inPairs('[', ']') && inPairs('(', ')') && quoted ? selector : null;
}

/** A path with `*` for any text: `/checkout/*`. */
export function replayPathEntry(text: string): string | null {
  const path = text.trim();
  return path.length <= 255 && /^\/[^\s?#]*$/.test(path) ? path : null;
}
