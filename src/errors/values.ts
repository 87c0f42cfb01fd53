/** Constants of errors that the browser reads too: no schemas, so no zod comes along. */

export const issueStatuses = ['active', 'resolved', 'ignored'] as const;
export type IssueStatus = (typeof issueStatuses)[number];

export const issueOrders = ['last_seen', 'first_seen', 'events', 'people'] as const;
export type IssueOrder = (typeof issueOrders)[number];

/** What an issue was grouped by. `client`: `$exception_fingerprint`. `sources`: frames read with source maps. `built`: frames of minified code. */
export const groupedBy = ['client', 'sources', 'frames', 'built', 'message', 'overflow'] as const;
export type GroupedBy = (typeof groupedBy)[number];

/** What happened to an issue. Stored. */
export const issueActions = [
  'created',
  'resolved',
  'resolved_in_next_release',
  'ignored',
  'reopened',
  'regressed',
  'unignored',
  'assigned',
  'unassigned',
  'joined',
] as const;
export type IssueAction = (typeof issueActions)[number];

/** Largest source map, bytes. */
export const MAX_MAP_BYTES = 32 * 1024 * 1024;

/** Days that lists and issues show. */
export const ISSUE_DAYS = 14;
/** Hours for which an issue is new. */
export const NEW_HOURS = 24;
/** Rows of a page of the list. */
export const ISSUES_PER_PAGE = 50;
/** Issues changed by one call. */
export const MAX_ISSUES_CHANGED = 100;
/** Issues of a project; exceptions of more are put together in one. */
export const MAX_ISSUES = 10_000;
export const MAX_ISSUE_SEARCH = 200;
/** Largest number of occurrences after which an ignored issue is active again. */
export const MAX_IGNORED_EVENTS = 1_000_000;
/** Largest number of days after which an ignored issue is active again. */
export const MAX_IGNORED_DAYS = 365;
/** Occurrences that an issue lists. */
export const OCCURRENCES_SHOWN = 20;
/** Events of the session before an error that are shown. */
export const BREADCRUMBS_SHOWN = 20;
