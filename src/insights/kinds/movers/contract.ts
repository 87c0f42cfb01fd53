/** Movers: what a change is made of. Read by the browser, so zod/mini only. */
import * as z from 'zod/mini';
import { rowId } from '#src/kit/row.ts';
import { comparison, eventScope, type ResolvedRange, rangeInput } from '../../query/contract.ts';
import { MAX_MOVERS, type MoverDimension, type MoverMetric, moverMetrics } from './values.ts';

export type { MoverDimension, MoverMetric };

export const moversInput = z.object({
  range: rangeInput,
  /** `none` is read as `previous`. */
  compare: comparison,
  ...eventScope,
  metric: z._default(z.enum(moverMetrics), 'visitors'),
  /** Id of a goal of the project: needed for conversions and revenue. */
  goal: z.optional(rowId),
  /** Of revenue; absent: the one with the most conversions. */
  currency: z.optional(z.string().check(z.maxLength(20))),
  /** Rows of each dimension. */
  limit: z._default(z.int().check(z.minimum(1), z.maximum(MAX_MOVERS)), 5),
});
export type MoversInput = z.infer<typeof moversInput>;

/** A part of the change. The shares of all parts of a dimension sum to 1. */
export interface MoverPart {
  total: number;
  previous: number;
  change: number;
  /** Of the whole change; null when that is 0. Negative: it went the other way. */
  share: number | null;
}

export interface MoverChance {
  /** Two-sided, of a paired t-test over the intervals; null: too few intervals to tell. */
  pValue: number | null;
  /** Null: too few intervals to tell. */
  isSignificant: boolean | null;
}

export interface MoverRow extends MoverPart, MoverChance {
  /** '' for a missing value. */
  value: string;
  /** The change beyond that of a value that changed as much, in percent, as the whole. */
  excess: number;
}

export interface MoverTable {
  dimension: MoverDimension;
  /** The largest changes first. */
  rows: MoverRow[];
  /** All values without a row, and how many these are. */
  other: MoverPart & { values: number };
  /** Of visitors: those who are in several rows, subtracted, so that the parts sum to the whole. Null: parts do not overlap. */
  overlap: MoverPart | null;
}

export interface Movers {
  timeZone: string;
  range: ResolvedRange;
  comparison: ResolvedRange | null;
  metric: MoverMetric;
  /** Of revenue; '' without one. Null: of no revenue. */
  currency: string | null;
  goal: { id: number; name: string } | null;
  /** Null: nothing to compare with. */
  whole: (Omit<MoverPart, 'share'> & MoverChance & { relative: number | null }) | null;
  /** Finished and running intervals that have a counterpart: what chance is judged by. */
  pairs: number;
  dimensions: MoverTable[];
}
