/**
 * What we rely on of React that its documents do not promise, in one place. test/views/kit/react-internals.test.tsx fails when React is
 * another: look then whether all of it still holds, in the browser too (test/browser/streaming, test/browser/filters).
 */

/**
 * Elements that React has drawn or taken over carry their props under a key that begins so. `early-press.ts` looks for it: what is pressed
 * before that waits.
 */
export const TAKEN_OVER = '__reactProps$';

/** How the server writes where a part ends up that is taken over by itself; `Late` counts on its markup standing until then. */
export const PART_BEGINS = '<!--$-->';

/** Versions for which this was looked at. */
export const TESTED_VERSION = '19.3.1';
