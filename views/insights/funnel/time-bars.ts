/** Bars of the time to convert. Pure. */
import type { FunnelResult } from '#src/insights/kinds/funnel/contract.ts';
import type { Format } from '#views/words/format.ts';
import type { funnelWords } from '#views/words/funnel.ts';

export interface TimeBar {
  count: number;
  text: string;
  /** Index of the interval; null: longer than all. */
  time: number | null;
}

export function timeBars(
  times: FunnelResult['times'],
  own: (typeof funnelWords)['en'],
  format: Pick<Format, 'duration'>,
): TimeBar[] {
  if (times === null) return [];
  const { widthSeconds, counts, longer } = times;
  const durationAt = (at: number): string => format.duration(at * widthSeconds);
  return [
    ...counts.map((count, at) => ({ count, text: own.timeRange(durationAt(at), durationAt(at + 1)), time: at })),
    ...(longer > 0 ? [{ count: longer, text: own.longer(durationAt(counts.length)), time: null }] : []),
  ];
}
