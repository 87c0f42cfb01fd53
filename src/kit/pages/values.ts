/**
 * Normal form of paths and URLs: browsers percent-encode non-ASCII letters (`%C3%A9`, `%c3%a9`),
 * applications do not (`é`, or `e` with a combining accent). The database function `page_spelling` gives the same result, which a test
 * verifies. Pure, and without Node, because screens use it too.
 */

/**
 * In order: a `%` that encodes nothing, with encoded digits behind it that would make it encode something; one encoded character; another
 * encoded byte. A character that means something in an address (`/ ? # % & = + ; \`) stays encoded: `/a%2Fb` is not `/a/b`.
 */
export const PAGE_TOKENS =
  '(%(?![0-9a-f]{2})[0-9a-f]?(?:%3[0-9]|%[46][1-6])+)|' +
  '(%2[01247-9acde]|%3[0-9ace]|%[46][0-9a-f]|%5[0-9abd-f]|%7[0-9a-e]|%c[2-9a-f]%[89ab][0-9a-f]|%d[0-9a-f]%[89ab][0-9a-f]|' +
  '%e0%[ab][0-9a-f]%[89ab][0-9a-f]|%e[1-9a-cef](?:%[89ab][0-9a-f]){2}|%ed%[89][0-9a-f]%[89ab][0-9a-f]|' +
  '%f0%[9ab][0-9a-f](?:%[89ab][0-9a-f]){2}|%f[1-3](?:%[89ab][0-9a-f]){3}|%f4%8[0-9a-f](?:%[89ab][0-9a-f]){2})|' +
  '(%[0-9a-f]{2})';

const TOKENS = new RegExp(PAGE_TOKENS, 'gi');
const PLAIN = /^[\u0020-\u0024\u0026-\u007e]*$/;

/** The one spelling of a path, an address or a piece of one. */
export function pageSpelling(text: string): string {
  return PLAIN.test(text) ? text : respelled(text, (character) => character);
}

/** A regular expression that people wrote for paths, to be held against the one spelling. */
export function pageSpellingOfPattern(pattern: string): string {
  return PLAIN.test(pattern) ? pattern : respelled(pattern, literal);
}

function respelled(text: string, write: (character: string) => string): string {
  return text
    .replace(TOKENS, (token: string, _lone: string | undefined, encoded: string | undefined) =>
      encoded === undefined ? token.toUpperCase() : write(decodeURIComponent(encoded)),
    )
    .normalize('NFC');
}

function literal(character: string): string {
  return /[\\^$.*+?()[\]{}|]/.test(character) ? `\\${character}` : character;
}

/** Properties that hold a path or an address, of events and of persons. */
const pageProperties: ReadonlySet<string> = new Set([
  '$pathname',
  '$prev_pageview_pathname',
  '$session_entry_pathname',
  '$initial_pathname',
  '$current_url',
  '$session_entry_url',
  '$initial_current_url',
  '$referrer',
  '$session_entry_referrer',
  '$initial_referrer',
  '$external_click_url',
]);

/** True when values of the property are normalized. */
export function namesPage(property: string): boolean {
  return pageProperties.has(property);
}
