/** Conversion of a funnel by when people entered it: a line for each step after the first, or for each value of the breakdown. */
import type { FunnelResult, FunnelResultRow } from '#src/insights/kinds/funnel/contract.ts';
import { SeriesChart } from '#views/charts/SeriesChart.tsx';
import { funnelWords } from '#views/words/funnel.ts';
import { insightWords } from '#views/words/insights.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import type { AnswerProps } from '../kind-view.ts';
import { useValueText } from '../use-value-text.ts';

/** Lines that are drawn: of the values that most entered with. */
const MAX_LINES = 8;

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
  const { total, rows, starts, interval, timeZone, range, openFrom } = result;
  const last = total.steps.length - 1;
  const lines =
    rows.length === 0
      ? total.steps.slice(1).map((_, at) => ({
          label: own.reached(format.number(at + 2), names[at + 1] ?? ''),
          step: at + 1,
          row: total,
          point: {},
        }))
      : [
          { label: shared.all, step: last, row: total, point: {} },
          ...rows.slice(0, MAX_LINES - 1).map((row) => ({
            label: valueText(row.value),
            step: last,
            row,
            point: { value: row.value },
          })),
        ];
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
      series={lines.map(({ label, row, step }, at) => ({ key: String(at), label, values: sharesOf(row, step) }))}
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

/** Of those who entered in each interval; null: nobody did. */
function sharesOf({ steps }: FunnelResultRow, step: number): (number | null)[] {
  const entered = steps[0]?.points ?? [];
  return entered.map((all, at) => (all === 0 ? null : (steps[step]?.points[at] ?? 0) / all));
}
