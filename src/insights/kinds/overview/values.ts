/** Lists of the overview that the browser reads too: no schemas, so no zod comes along. */

export const overviewMetrics = ['visitors', 'visits', 'views', 'viewsPerVisit', 'bounceRate', 'visitDuration'] as const;
