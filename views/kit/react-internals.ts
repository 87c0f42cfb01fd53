/**
 * Undocumented behavior of React that we rely on, in one place. test/views/kit/react-internals.test.tsx fails with another
 * version of React: then check all of it, in the browser too (test/browser/streaming, test/browser/filters).
 */

/**
 * Prefix of the property in which React keeps the props of rendered and hydrated elements. `early-press.ts` checks it: earlier
 * clicks wait.
 */
export const TAKEN_OVER = '__reactProps$';

/** Marker of a separately hydrated boundary in the server's markup; `Late` relies on its markup staying until then. */
export const PART_BEGINS = '<!--$-->';

/** Versions for which this was looked at. */
export const TESTED_VERSION = '19.3.1';
