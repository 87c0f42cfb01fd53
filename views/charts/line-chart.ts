/** Data of a line chart. */
import type { Interval } from '#src/insights/contract.ts';
import type { ValueKind } from './scale.ts';

/** Values by interval; null where nothing was received, or nothing could be divided. */
export interface ChartSeries {
  starts: readonly number[];
  /** End of the last interval. */
  to: number;
  values: readonly (number | null)[];
}

export interface LineChartProps {
  /** Subject and period, for readers. */
  name: string;
  /** Label of the values in the readout. */
  label: string;
  kind: ValueKind;
  /** The good direction; null for none. */
  good: 'up' | 'down' | null;
  /** By interval, the number of events behind the values, when the values do not show it. */
  events?: readonly number[] | undefined;
  interval: Interval;
  timeZone: string;
  weekStart: 0 | 1;
  series: ChartSeries;
  comparison: ChartSeries | null;
  /** Index of the current interval, and the time of its data. */
  running: number | null;
  until: number | null;
  /** Annotations by interval. */
  notes?: readonly ChartNote[];
  /** An annotation is to be added to the interval; absent: the reader may not. */
  onNote?: ((index: number) => void) | undefined;
}

export interface ChartNote {
  index: number;
  text: string;
}
