/** Constants of groups that the browser reads too. */

export const groupSorts = ['seen', 'events', 'people', 'key'] as const;
/** Groups of a page of the list. */
export const GROUP_PAGE = 50;
/** Properties that the list shows as columns. */
export const MAX_GROUP_COLUMNS = 6;
/** Characters of a group's key. */
export const MAX_GROUP_KEY = 400;
/** Characters of what a group type is called. */
export const MAX_TYPE_WORD = 60;
