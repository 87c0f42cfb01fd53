/** Constants of people behind a number, which the browser reads too. */

export const pointSorts = ['seen', 'events', 'visits', 'revenue'] as const;
/** People of a page. */
export const POINT_PAGE = 50;
