/** Constants of errors that the browser reads too: no schemas, so no zod comes along. */

export const issueStatuses = ['active', 'resolved', 'ignored'] as const;
export type IssueStatus = (typeof issueStatuses)[number];

export const issueOrders = ['last_seen', 'first_seen', 'events', 'people'] as const;
export type IssueOrder = (typeof issueOrders)[number];

/** What an issue was grouped by. `client`: `$exception_fingerprint`. `sources`: frames read with source maps. `built`: frames of minified code. `rule`: one of the project's. */
export const groupedBy = ['client', 'rule', 'sources', 'frames', 'built', 'message', 'overflow'] as const;
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
  'merged',
  'split',
  'unmerged',
  'unsplit',
] as const;
export type IssueAction = (typeof issueActions)[number];

/** What happens to an issue that someone may be alerted of. Stored. */
export const issueSignals = ['new', 'regressed', 'spike'] as const;
export type IssueSignal = (typeof issueSignals)[number];

/** A spike: more than so many times the median hour of the last seven days, and at least so many occurrences. */
export const SPIKE_FACTOR = 5;
export const SPIKE_MIN_EVENTS = 10;

/** Largest source map, bytes. */
export const MAX_MAP_BYTES = 32 * 1024 * 1024;

/** Days that lists and issues show. */
export const ISSUE_DAYS = 14;
/** Bars that a list draws for a range at most; of a longer one each stands for several days. */
export const MAX_BARS = 31;
/** Issues of the card of *Overview*. */
export const ISSUES_OF_CARD = 5;
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
/** Largest number of people after whom an ignored issue is active again. */
export const MAX_IGNORED_PEOPLE = 100_000;
/** Fingerprints that an issue lists, those with the most occurrences. */
export const GROUPS_SHOWN = 10;
/** Issues whose newest occurrence a preview of a rule looks at. */
export const PREVIEWED_ISSUES = 200;
/** Occurrences that an issue lists. */
export const OCCURRENCES_SHOWN = 20;
/** Events of the session before an error that are shown. */
export const BREADCRUMBS_SHOWN = 20;
