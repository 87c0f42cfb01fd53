/**
 * Filters: which events a question is about. Read by the browser, so zod/mini only. A filter keeps events; a visit is kept when one of
 * its views is, a person when one of theirs is.
 */
import * as z from 'zod/mini';
import { storedName } from '#src/kit/name.ts';

/** Kinds of chunks and their stored number. Stored: never change one. */
export const chunkKinds = { events: 1, sessions: 2 } as const;
/** The kind of a mark that says: groups of the kind that is its unit were derived again. Stored. */
export const GROUPS_MARK = 3;

/** What is left out of every number unless a question takes it in: views by bots, and the team's own. */
export const traffic = ['bots', 'internal'] as const;
export type Traffic = (typeof traffic)[number];
/** Which of it a question takes in. */
export const includedTraffic = z.array(z.enum(traffic)).check(z.maxLength(traffic.length));

/** What a condition can be about. `session`: what is known of the whole visit; persons' properties are the present ones. */
export const filterSubjects = ['event', 'person', 'session'] as const;
export type FilterSubject = (typeof filterSubjects)[number];

/**
 * Fields of a visit. Pages are paths, those of its first and its last view, with their hosts; source, place and device are as its first event says. Campaigns
 * are compared without regard to case; `screenSize` is one of four classes of widths of the window, as `992-1439`.
 */
export const sessionFields = [
  'entryPath',
  'exitPath',
  'entryHost',
  'exitHost',
  'referringDomain',
  'channel',
  'utmSource',
  'utmMedium',
  'utmCampaign',
  'utmTerm',
  'utmContent',
  'country',
  'language',
  'timeZone',
  'deviceType',
  'browser',
  'system',
  'screenSize',
  'seconds',
  'views',
] as const;
export type SessionField = (typeof sessionFields)[number];

export const dateOperators = ['before', 'after', 'onOrBefore', 'onOrAfter'] as const;
export type DateOperator = (typeof dateOperators)[number];

/**
 * `is` and `contains` are true when one of the values fits; `isNot` and `containsNot` are their opposites, so true of what lacks the
 * property. Texts are compared exactly by `is`, without regard to case by `contains`. `above` and `below` compare numbers.
 * `matches` is a pattern as PostgreSQL understands it. `before`, `after`, `onOrBefore` and `onOrAfter` compare dates (`2026-11-30`: the whole
 * day in the project's time zone) and times (`2026-11-30T14:00`, with `Z` or an offset elsewhere than there); what is none is not kept.
 */
export const filterOperators = [
  'is',
  'isNot',
  'contains',
  'containsNot',
  'matches',
  'matchesNot',
  'above',
  'below',
  ...dateOperators,
  'isSet',
  'isNotSet',
] as const;
export type FilterOperator = (typeof filterOperators)[number];

export const filterValue = z.union([z.string().check(z.maxLength(1000)), z.number(), z.boolean()]);
export type FilterValue = z.infer<typeof filterValue>;

export const filterCondition = z.object({
  about: z.enum(filterSubjects),
  /** Name of the property; for `session` one of `sessionFields`. */
  name: storedName,
  operator: z.enum(filterOperators),
  /** None for `isSet` and `isNotSet`, one for `matches`, `above`, `below` and dates. */
  values: z._default(z.array(filterValue).check(z.maxLength(200)), []),
});
export type FilterCondition = z.infer<typeof filterCondition>;

const filterList = <Item extends z.core.SomeType>(item: Item) =>
  z.object({ match: z.enum(['all', 'any']), of: z.array(item).check(z.maxLength(20)) });

/** Conditions joined by AND (`all`) or OR (`any`), one level of which may be lists themselves. An empty list keeps everything. */
export const filters = filterList(z.union([filterCondition, filterList(filterCondition)]));
export type Filters = z.infer<typeof filters>;

/** Properties that have a column of their own in the row, which is not among those that are kept ready: nothing is counted by them. */
export const unreadProperties: ReadonlySet<string> = new Set(['$window_id', '$device_id']);
