/** What a line chart shows. */
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
  /** What the values are called in the readout. */
  label: string;
  kind: ValueKind;
  /** Which way is good; null when neither is. */
  good: 'up' | 'down' | null;
  /** By interval, of how many events the values are where they do not say it themselves. */
  events?: readonly number[] | undefined;
  interval: Interval;
  timeZone: string;
  weekStart: 0 | 1;
  series: ChartSeries;
  comparison: ChartSeries | null;
  /** Index of the interval that still runs, and the moment it is counted to. */
  running: number | null;
  until: number | null;
  /** What happened, and in which interval. */
  notes?: readonly ChartNote[];
}

export interface ChartNote {
  index: number;
  text: string;
}
