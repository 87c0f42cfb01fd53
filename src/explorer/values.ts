/** Constants of events and definitions that the browser reads too, without schemas. */

export const definitionSorts = ['events', 'name', 'lastSeen'] as const;

/** Definitions on one page. */
export const DEFINITIONS_PER_PAGE = 100;
/** Definitions that can be paged through; a search finds others. */
export const MAX_DEFINITIONS = 5_000;
export const MAX_DEFINITION_PAGES = MAX_DEFINITIONS / DEFINITIONS_PER_PAGE;
/** Characters of what is searched for among definitions. */
export const MAX_SEARCH_LENGTH = 200;
/** Characters of a description. */
export const MAX_DESCRIPTION_LENGTH = 1_000;

/** Names of events that a list is narrowed to. */
export const MAX_NAMES = 50;
/** Columns of a list or a file. */
export const MAX_COLUMNS = 20;
/** Maximum rows of a direct download; more need a background export. */
export const MAX_AT_ONCE = 100_000;
