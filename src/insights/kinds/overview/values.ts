/** Lists of the overview that the browser reads too: no schemas, so no zod comes along. */

export const overviewMetrics = ['visitors', 'visits', 'views', 'viewsPerVisit', 'bounceRate', 'visitDuration'] as const;

/** Numbers of a goal, which has to be named; `revenue` also needs a currency. */
export const goalNumbers = ['conversions', 'conversionRate', 'revenue'] as const;
