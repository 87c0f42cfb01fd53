/** Lists and limits of queries that the browser reads too: no schemas, so no zod comes along. */

export const comparisons = ['previous', 'year', 'weekday', 'none'] as const;

export const intervals = ['hour', 'day', 'week', 'month'] as const;
/** Trends have minutes too. */
export const trendIntervals = ['minute', ...intervals] as const;

/** Minutes of an answer, at most: a date, also one on which clocks are put back. */
export const MAX_MINUTES = 1_500;

/** Maximum event names looked up at once. */
export const MAX_NAMES_LOOKED_UP = 20;

/** Criteria of one set of persons. */
export const MAX_CRITERIA = 20;

/** Characters of a value or step that a point names: as long as a stored property. */
export const MAX_POINT_TEXT = 10_000;
