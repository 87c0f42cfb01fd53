/** How a number is counted. Read by the browser, so zod/mini only; answers are JSON-safe. */
import * as z from 'zod/mini';
import { filters } from '#src/columns/contract.ts';
import {
  type BreakdownDimension,
  breakdownDimensions,
  type OverviewMetric,
  overviewMetrics,
  rangeInput,
} from '../contract.ts';

/** A figure of the overview, or a table of it. */
export const explained = [...overviewMetrics, ...breakdownDimensions] as const;
export type Explained = OverviewMetric | BreakdownDimension;

export const explainInput = z.object({
  project: z.string().check(z.minLength(1), z.maxLength(64)),
  range: rangeInput,
  filters: z.optional(filters),
  /** Number of a segment of the project: its filters have to be fulfilled too. */
  segment: z.optional(z.int()),
  of: z.enum(explained),
});
export type ExplainInput = z.infer<typeof explainInput>;

/**
 * What another product's rule would say of the same events. `plausible` of visitors: someone new each day. `ga4` of the bounce rate: visits
 * that were not engaged, with two views or more than ten seconds; key events are not known here.
 */
export interface Elsewhere {
  product: 'plausible' | 'ga4';
  value: number | null;
}

export interface Explanation {
  of: Explained;
  /** SQL that gives the number from the rows, with everything filled in. Of a table: its rows. */
  sql: string;
  /** Views that the number leaves out. */
  excluded: {
    bots: number;
    internal: number;
    /** By the filters; null without any. */
    filters: number | null;
    /** Of what counts visits: views that belong to none; null for what does not. */
    withoutVisit: number | null;
  };
  elsewhere: Elsewhere[];
}
