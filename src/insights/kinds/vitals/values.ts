/** Lists of web vitals that the browser reads too: no schemas, so no zod comes along. */

/** What clients measure; CLS without a unit, the others in ms. */
export const vitalNames = ['LCP', 'INP', 'CLS', 'FCP'] as const;

/** How many of a hundred measurements are at most what is told. */
export const vitalPercentiles = [75, 90, 99] as const;
