/** Props of charts with several series. */
import type { TrendInterval } from '#src/insights/contract.ts';
import type { ChartNote } from './line-chart.ts';
import type { ValueKind } from './scale.ts';
import type { Values } from './stacks.ts';

/** `area`, `stacked` and `percent` lie one upon the other, `percent` as shares of their sum. */
export type SeriesLook = 'line' | 'area' | 'bar' | 'stacked' | 'percent';

export interface DrawnSeries {
  key: string;
  label: string;
  values: Values;
  /** Drawn downwards from zero, in bars that lie upon each other. */
  isBelow?: boolean;
}

export interface SeriesChartProps {
  /** Subject and period, for readers. */
  name: string;
  look: SeriesLook;
  kind: ValueKind;
  interval: TrendInterval;
  timeZone: string;
  weekStart: 0 | 1;
  starts: readonly number[];
  /** End of the last interval. */
  to: number;
  /** Labels of the points; absent: their time. */
  labels?: readonly string[] | undefined;
  series: readonly DrawnSeries[];
  /** Of a single series: what it is compared with. */
  comparison?: { starts: readonly number[]; to: number; values: Values } | null;
  /** Index of the interval that still runs, and the moment it is counted to. */
  running: number | null;
  until: number | null;
  /** Of lines: index of the first interval that is over and can still change. */
  openFrom?: number | null;
  /** Label of the sum of all series; absent: no sum. */
  sum?: string | undefined;
  /** Annotations by interval; absent: those of the screen. */
  notes?: readonly ChartNote[];
  /** An annotation is to be added to the interval. */
  onNote?: ((index: number) => void) | undefined;
  /** A point was pressed: the `series`-th of the chart in the `index`-th interval. */
  onPoint?: ((series: number, index: number) => void) | undefined;
}
