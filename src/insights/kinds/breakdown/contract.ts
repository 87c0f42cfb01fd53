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

/** Order, search and page of a long table. */
export const breakdownOrder = z.object({
  sort: z.enum(sortColumns),
  reversed: z.boolean(),
  /** Only rows whose value contains this, case-insensitive; '': all. */
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
   * Id of a goal: the additional columns include its conversions. Without `more`, the conversion rate of the row's visitors;
   * for dimensions of visits, of at most `MAX_RATED_ROWS` rows, and per visit with `per`.
   */
  goal: z.optional(rowId),
  per: goalPer,
  /** Absent: the commonest. */
  order: z.optional(breakdownOrder),
});
export type BreakdownInput = z.infer<typeof breakdownInput>;
