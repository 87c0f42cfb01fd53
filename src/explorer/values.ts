/** Constants of definitions, without schemas. */

export const definitionSorts = ['events', 'name', 'lastSeen'] as const;

/** Definitions on one page. */
export const DEFINITIONS_PER_PAGE = 100;
/** Definitions that can be paged through; a search finds others. */
export const MAX_DEFINITIONS = 5_000;
export const MAX_DEFINITION_PAGES = MAX_DEFINITIONS / DEFINITIONS_PER_PAGE;
/** Characters of what is searched for among definitions. */
export const MAX_SEARCH_LENGTH = 200;
