/** Limits of goals that the browser reads too: no schemas, so no zod comes along. */

/** Pages of a goal, or ways in which its action happens. */
export const MAX_GOAL_MATCHES = 20;
