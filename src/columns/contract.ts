/**
 * Filters of queries. Read by the browser, so zod/mini only. A filter matches events; a visit matches when one of
 * its views does, a person when one of their events does.
 */
import * as z from 'zod/mini';
import { storedName } from '#src/kit/name.ts';
import { type FilterOperator, filterOperators, MAX_VALUES, operatorNamed } from './filters/operators.ts';
import { filterSubjects, MAX_CONDITIONS, MAX_VALUE_LENGTH, type sessionFields, traffic } from './values.ts';

/** Kinds of chunks and their stored number. Stored: never change one. */
export const chunkKinds = { events: 1, sessions: 2 } as const;
/** Kind of a mark for rewritten groups; its unit is the group kind. Stored. */
export const GROUPS_MARK = 3;

export type Traffic = (typeof traffic)[number];
/** Excluded traffic that a query includes. */
export const includedTraffic = z.array(z.enum(traffic)).check(z.maxLength(traffic.length));

export type FilterSubject = (typeof filterSubjects)[number];

export type SessionField = (typeof sessionFields)[number];

export const filterValue = z.union([z.string().check(z.maxLength(MAX_VALUE_LENGTH)), z.number(), z.boolean()]);
export type FilterValue = z.infer<typeof filterValue>;

/** An operator; its former name is read as well. */
export const filterOperator = z.pipe(
  z.transform((given: unknown) => (typeof given === 'string' ? (operatorNamed(given) ?? given) : given)),
  z.enum(filterOperators),
) as unknown as z.ZodMiniType<FilterOperator, FilterOperator>;

/**
 * `equals` and `contains` are true when one of the values fits; `notEquals` and `notContains` are their opposites, so true of what lacks the
 * property. Texts are compared exactly by `equals`, without regard to case by `contains`, `startsWith` and `endsWith`. `gt`, `gte`, `lt` and `lte` compare numbers.
 * `regex` is a regular expression of PostgreSQL. `before`, `after`, `onOrBefore` and `onOrAfter` compare dates (`2026-11-30`: the whole
 * day in the project's time zone) and times (`2026-11-30T14:00`, with `Z` or an offset elsewhere than there); what is none is not kept.
 */
export const filterCondition = z.object({
  about: z.enum(filterSubjects),
  /** Name of the property; for `session` one of `sessionFields`. */
  name: storedName,
  operator: filterOperator,
  /** As many values as the operator takes (filters/operators.ts). */
  values: z._default(z.array(filterValue).check(z.maxLength(MAX_VALUES)), []),
});
export type FilterCondition = z.infer<typeof filterCondition>;

const filterList = <Item extends z.core.SomeType>(item: Item) =>
  z.object({ match: z.enum(['all', 'any']), of: z.array(item).check(z.maxLength(MAX_CONDITIONS)) });

/** Conditions joined by AND (`all`) or OR (`any`), one level of which may be lists themselves. An empty list keeps everything. */
export const filters = filterList(z.union([filterCondition, filterList(filterCondition)]));
export type Filters = z.infer<typeof filters>;

/** Properties with a row column that is not among the engine's columns: they cannot be counted. */
export const unreadProperties: ReadonlySet<string> = new Set(['$window_id', '$device_id']);
