/** Tables by one dimension. Read by the browser, so zod/mini only. */
import * as z from 'zod/mini';
import { rowId } from '#src/kit/row.ts';
import { comparison, eventScope, goalPer, rangeInput } from '../../query/contract.ts';
import { MAX_FIND_LENGTH, MAX_PAGE, MAX_RATED_ROWS, MAX_ROWS, sortColumns } from './values.ts';

/**
 * By what tables are made. `page`: views by path. `event`: events of any name. `outbound`: autocaptured clicks on links to other hosts, by
 * where they led. All others: visits, by what is known of the visit as a whole (src/columns/filters/visit-fields.ts).
 */
export const breakdownDimensions = [
  'page',
  'entryPage',
  'exitPage',
  'outbound',
  'source',
  'channel',
  'referringDomain',
  'utmSource',
  'utmMedium',
  'utmCampaign',
  'utmTerm',
  'utmContent',
  'country',
  'region',
  'city',
  'language',
  'timeZone',
  'deviceType',
  'browser',
  'os',
  'viewportWidth',
  'event',
] as const;
export type BreakdownDimension = (typeof breakdownDimensions)[number];

export { MAX_RATED_ROWS, MAX_ROWS };

/** Of a table with more rows than are given at once. */
export const breakdownOrder = z.object({
  sort: z.enum(sortColumns),
  reversed: z.boolean(),
  /** Only rows whose value holds this, without regard to case; '': all. */
  find: z.string().check(z.maxLength(MAX_FIND_LENGTH)),
  /** From 1 on; each has `limit` rows. */
  page: z.int().check(z.minimum(1), z.maximum(MAX_PAGE)),
});
export type BreakdownOrder = z.infer<typeof breakdownOrder>;

export const breakdownInput = z.object({
  range: rangeInput,
  compare: comparison,
  dimension: z.enum(breakdownDimensions),
  ...eventScope,
  limit: z._default(z.int().check(z.minimum(1), z.maximum(MAX_ROWS)), 8),
  /** With the further columns that the dimension has. */
  more: z.optional(z.boolean()),
  /**
   * Number of a goal of the project: of pages and visits, the further columns tell what was reached of it too. Without `more`, of at most
   * `MAX_RATED_ROWS` rows, the share of the row's visitors (`per`: or visits) who reached it.
   */
  goal: z.optional(rowId),
  per: goalPer,
  /** Absent: the commonest. */
  order: z.optional(breakdownOrder),
});
export type BreakdownInput = z.infer<typeof breakdownInput>;

/**
 * After the first four, which every table has, those of `more`. Of `page`: visits that were entered with the page (`entries`) and how many
 * of them were bounces, visits that ended with it (`exits`), and of the views that are known to have ended in the range the mean seconds
 * (`timeOnPage`, at most 30 minutes each) and the mean share of the page that was seen (`scrollDepth`, 0..1); null without any. Filters on
 * pages hold for the one that was viewed, other conditions on events for the end. Of visits: how many were bounces, and the length of all in seconds.
 * With a goal, of `page`: events that reach it there (`conversions`), and how many of the row's visitors did so (`converters`); of visits: in how
 * many it was reached (`converted`). Then, where pages of several hosts are in the range, the page's `host` ('' = none): there each has
 * rows of its own. With a goal but without `more`, of visits: what the Overview filtered by the row says, how many visitors or visits reached the goal
 * (`reached`), of how many (`reachable`).
 */
export const breakdownColumns = [
  'value',
  'visitors',
  'count',
  'previous',
  'entries',
  'bounced',
  'exits',
  'timeOnPage',
  'scrollDepth',
  'seconds',
  'conversions',
  'converters',
  'converted',
  'host',
  'reached',
  'reachable',
] as const;
export type BreakdownColumn = (typeof breakdownColumns)[number];

/** A table by one dimension. Rows sorted by count, then value, unless another order was asked for. */
export interface Breakdown {
  dimension: BreakdownDimension;
  cols: BreakdownColumn[];
  /** value ('' = none), visitors, count (views, events or visits), count of the comparison range (null without one), and further columns. */
  rows: [string, number, number, number | null, ...(number | string | null)[]][];
  /** Sum of `count` over all values. */
  count: number;
  /** How many values hold what is looked for: all without it. */
  total: number;
  /** How many values are not in `rows`, and their summed count. */
  other: { values: number; count: number };
  /** As of `Overview`. */
  rare: string[];
  /** As of `ResolvedRange`; the date only beside the number. */
  earlyEvents?: number;
  fromDate?: string;
}
