/** Limits of tables that the browser reads too: no schemas, so no zod comes along. */

/** Rows of a table that are given at once. */
export const MOST_ROWS = 1_000;
/** Number of the last page that can be asked for. */
export const MAX_PAGE = 100_000;
/** Characters of what rows are searched for. */
export const MAX_FIND_LENGTH = 200;
