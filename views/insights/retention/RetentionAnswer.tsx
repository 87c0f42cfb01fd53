/** The answer to retention: cohorts as a table of shares, or their mean as a curve. */
import { useSuspenseQuery } from '@tanstack/react-query';
import type { RetentionResult } from '#src/insights/kinds/retention/contract.ts';
import { SeriesChart } from '#views/charts/SeriesChart.tsx';
import { State } from '#views/kit/State.tsx';
import { datesText } from '#views/question/range-text.ts';
import { countedGroupWords } from '#views/words/counted-groups.ts';
import { insightWords } from '#views/words/insights.ts';
import { retentionWords } from '#views/words/retention.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { AnswerTools } from '../AnswerTools.tsx';
import { ChartFoot } from '../ChartFoot.tsx';
import { useCountedGroups } from '../CountedRow.tsx';
import { useCoverageNotes } from '../coverage.ts';
import { fewest } from '../few.ts';
import { Headline, Headlines } from '../Headlines.tsx';
import type { AnswerProps } from '../kind-view.ts';
import { useAnswerOptions } from '../use-answer.ts';
import { useValueText } from '../use-value-text.ts';
import { CellsChoice } from './CellsChoice.tsx';
import { CohortTable } from './CohortTable.tsx';
import { useColumnName } from './column-name.ts';

const retentionCharts = ['table', 'line'] as const;

/** Curves that are drawn: the largest rows. */
const MAX_CURVES = 8;

export function RetentionAnswer(props: AnswerProps<'retention'>) {
  const { reference, insight, now } = props;
  const own = usePart(retentionWords);
  const shared = usePart(insightWords);
  const { format } = useWords();
  const options = useAnswerOptions(insight, reference);
  const { data, dataUpdatedAt } = useSuspenseQuery(options);
  const result = data as RetentionResult;
  const { rows, range, period, columns } = result;
  const columnName = useColumnName(period);
  const isBracketed = insight.own.brackets !== undefined;
  const dates = datesText({ from: range.fromDate, to: range.toDate }, now, format);
  const isEmpty = rows.every(({ cohorts }) => cohorts.every(({ size }) => size === 0));
  const labelOf = useRowName(insight, rows.length);
  const isCurve = insight.display.chart === 'line';
  const sizes = rows.map(({ cohorts }) => cohorts.map(({ size }) => size));
  // A curve is the mean of its cohorts.
  const without = useCoverageNotes(result.coverage);
  const groupWords = usePart(countedGroupWords);
  const groups = useCountedGroups(insight.own.per);
  const few = fewest(isCurve ? sizes.map((row) => row.reduce((sum, size) => sum + size, 0)) : sizes.flat());
  return (
    <>
      <AnswerTools
        {...props}
        result={{ ...result, interval: period }}
        withIntervals={false}
        charts={retentionCharts}
        updatedAt={dataUpdatedAt}
        queryKey={options.queryKey}
      >
        {!isCurve && <CellsChoice {...props} />}
      </AnswerTools>
      {isEmpty && (
        <State icon="chart" title={shared.empty}>
          {shared.emptyText}
        </State>
      )}
      {!isEmpty && (
        <Headlines label={dates}>
          {(isBracketed ? columns.map((_, at) => at).slice(1, 4) : [1, 4])
            .filter((later) => rows[0]?.mean[later] != null)
            .map((later) => (
              <Headline
                key={later}
                label={
                  isBracketed
                    ? own.backIn(columnName(columns[later] ?? { from: later, to: later }))
                    : own.back[period](format.number(later))
                }
                value={format.percent(rows[0]?.mean[later] ?? 0)}
              />
            ))}
        </Headlines>
      )}
      {!isEmpty && isCurve && <Curve {...props} result={result} labelOf={labelOf} dates={dates} />}
      {!isEmpty &&
        !isCurve &&
        rows.map((row) => (
          <CohortTable
            key={row.value}
            {...props}
            result={result}
            row={row}
            title={rows.length > 1 || insight.own.breakdown ? labelOf(row.value) : null}
            caption={own.caption(rows.length > 1 ? labelOf(row.value) : dates)}
          />
        ))}
      <ChartFoot
        result={{ ...result, interval: period }}
        running={isEmpty || isCurve ? null : own.running}
        notes={[
          ...(few === null
            ? []
            : [
                groups === null
                  ? shared.fewest.persons(few, format.number(few))
                  : groupWords.few(format.number(few), groups),
              ]),
          ...without,
        ]}
      />
    </>
  );
}

function useRowName({ own: asked }: AnswerProps<'retention'>['insight'], rows: number): (value: string) => string {
  const shared = usePart(insightWords);
  const valueText = useValueText(asked.breakdown);
  return (value) => (asked.breakdown === undefined && rows <= 1 ? shared.all : valueText(value));
}

interface CurveProps extends AnswerProps<'retention'> {
  result: RetentionResult;
  labelOf(value: string): string;
  dates: string;
}

/** The weighted mean by columns. */
function Curve({ project, result, labelOf, dates }: CurveProps) {
  const own = usePart(retentionWords);
  const { rows, columns, period, range, timeZone } = result;
  const columnName = useColumnName(period);
  const drawn = rows.slice(0, MAX_CURVES);
  const known = Math.max(1, ...drawn.map(({ mean }) => mean.findLastIndex((share) => share !== null) + 1));
  return (
    <SeriesChart
      name={own.caption(dates)}
      look="line"
      kind="share"
      interval={period}
      timeZone={timeZone}
      weekStart={project.weekStart}
      starts={columns.slice(0, known).map(({ from }) => from)}
      to={range.to}
      labels={columns.slice(0, known).map(columnName)}
      series={drawn.map(({ value, mean }) => ({ key: value, label: labelOf(value), values: mean.slice(0, known) }))}
      running={null}
      until={null}
    />
  );
}
