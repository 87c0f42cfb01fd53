/** Tables by one dimension. Read by the browser, so zod/mini only. */
import * as z from 'zod/mini';
import { rowId } from '#src/kit/row.ts';
import { comparison, eventScope, goalPer, rangeInput } from '../../query/contract.ts';
import {
  type Breakdown,
  type BreakdownColumn,
  type BreakdownDimension,
  breakdownColumns,
  breakdownDimensions,
  MAX_FIND_LENGTH,
  MAX_PAGE,
  MAX_RATED_ROWS,
  MAX_ROWS,
  sortColumns,
} from './values.ts';

export type { Breakdown, BreakdownColumn, BreakdownDimension };
export { breakdownColumns, breakdownDimensions, MAX_RATED_ROWS, MAX_ROWS };

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
   * Number of a goal of the project: the further columns tell what was reached of it too. Without `more`, the share of the row's visitors
   * who reached it; of visits, of at most `MAX_RATED_ROWS` rows, and `per` visit of the row's visits.
   */
  goal: z.optional(rowId),
  per: goalPer,
  /** Absent: the commonest. */
  order: z.optional(breakdownOrder),
});
export type BreakdownInput = z.infer<typeof breakdownInput>;
