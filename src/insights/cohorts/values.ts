/** Constants of cohorts that the browser reads too: no schemas, so no zod comes along. */

/** Cohorts of a project. */
export const MAX_COHORTS = 200;
/** Characters of a pasted list or a file. */
export const MAX_LIST_LENGTH = 2_000_000;
/** Maximum lines of a list. */
export const MAX_LISTED = 50_000;
/** IDs or addresses in one request to the public API. */
export const MAX_MEMBERS_POSTED = 10_000;
/** Values without a person that are listed; more are counted. */
export const MAX_NOT_FOUND = 100;
export const MAX_COHORT_NAME = 100;
