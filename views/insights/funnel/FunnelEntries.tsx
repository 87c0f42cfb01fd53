/** Conversion of a funnel by when people entered it: a line for each step after the first, or for each value of the breakdown. */
import type { FunnelResult } from '#src/insights/kinds/funnel/contract.ts';
import { SeriesChart } from '#views/charts/SeriesChart.tsx';
import { funnelWords } from '#views/words/funnel.ts';
import { insightWords } from '#views/words/insights.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import type { AnswerProps } from '../kind-view.ts';
import { useValueText } from '../use-value-text.ts';
import { entryLines } from './entry-lines.ts';

export interface FunnelPartProps extends AnswerProps<'funnel'> {
  result: FunnelResult;
  names: readonly string[];
  dates: string;
}

export function FunnelEntries({ project, insight, result, names, dates, onPoint }: FunnelPartProps) {
  const own = usePart(funnelWords);
  const shared = usePart(insightWords);
  const { format } = useWords();
  const valueText = useValueText(insight.own.breakdown);
  const { starts, interval, timeZone, range, openFrom } = result;
  const lines = entryLines(result, {
    reached: (step) => own.reached(format.number(step), names[step - 1] ?? ''),
    all: shared.all,
    valueText,
  });
  return (
    <SeriesChart
      name={own.entryChart(dates)}
      look="line"
      kind="share"
      interval={interval}
      timeZone={timeZone}
      weekStart={project.weekStart}
      starts={starts}
      to={range.to}
      series={lines.map(({ label, values }, at) => ({ key: String(at), label, values }))}
      running={null}
      until={range.until}
      openFrom={openFrom}
      onPoint={
        onPoint &&
        ((series, index) => {
          const line = lines[series];
          if (!line?.row.steps[line.step]?.points[index]) return;
          onPoint({ kind: 'funnel', step: line.step + 1, dropped: false, interval: index, ...line.point });
        })
      }
    />
  );
}
