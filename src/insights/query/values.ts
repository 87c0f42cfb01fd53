/** Lists and limits of queries that the browser reads too: no schemas, so no zod comes along. */

export const comparisons = ['previous', 'year', 'weekday', 'none'] as const;

export const intervals = ['hour', 'day', 'week', 'month'] as const;

/** Criteria of one set of persons. */
export const MAX_CRITERIA = 20;
