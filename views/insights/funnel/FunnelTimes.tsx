/** How many took how long from the first step of a funnel to the last. */
import { SeriesChart } from '#views/charts/SeriesChart.tsx';
import { funnelWords } from '#views/words/funnel.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import type { FunnelPartProps } from './FunnelEntries.tsx';
import { timeBars } from './time-bars.ts';
import { usePerWords } from './use-per-words.ts';

export function FunnelTimes({ project, insight, result, dates, onPoint }: FunnelPartProps) {
  const own = usePart(funnelWords);
  const { format } = useWords();
  const { times, interval, timeZone, range, total } = result;
  const perWords = usePerWords(insight.own.per);
  if (times === null) return null;
  const bars = timeBars(times, own, format);
  return (
    <SeriesChart
      name={own.timesChart(dates)}
      look="bar"
      kind="count"
      interval={interval}
      timeZone={timeZone}
      weekStart={project.weekStart}
      starts={bars.map((_, at) => at)}
      to={range.to}
      labels={bars.map(({ text }) => text)}
      series={[{ key: 'times', label: perWords.converted, values: bars.map(({ count }) => count) }]}
      running={null}
      until={null}
      onPoint={
        onPoint &&
        ((_, index) => {
          const bar = bars[index];
          if (bar === undefined || bar.count === 0) return;
          onPoint({ kind: 'funnel', step: total.steps.length, dropped: false, time: bar.time });
        })
      }
    />
  );
}
