/** What movers are asked of. Read by the browser, so without schemas. */
import type { BreakdownDimension } from '../breakdown/values.ts';

/** Numbers whose change is decomposed; the last two are of a goal. */
export const moverMetrics = ['visitors', 'conversions', 'revenue'] as const;
export type MoverMetric = (typeof moverMetrics)[number];

/** Tables of visits that a change is decomposed over. */
export const moverDimensions = [
  'channel',
  'entryPage',
  'country',
  'deviceType',
] as const satisfies readonly BreakdownDimension[];
export type MoverDimension = (typeof moverDimensions)[number];

/** Rows of a dimension. */
export const MAX_MOVERS = 10;
/** Fewest intervals for the test of chance. */
export const MIN_PAIRS = 5;
/** How likely a change of this size may be without a cause, to count as one. */
export const ALPHA = 0.05;
