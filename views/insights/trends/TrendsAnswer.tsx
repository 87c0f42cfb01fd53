/** The answer to trends: a chart of the chosen rows, and all rows as a table. */
import { useSuspenseQuery } from '@tanstack/react-query';
import type { TrendsResult } from '#src/insights/kinds/trends/contract.ts';
import { trendIntervals } from '#src/insights/query/values.ts';
import { SeriesChart } from '#views/charts/SeriesChart.tsx';
import type { SeriesLook } from '#views/charts/series-props.ts';
import { State } from '#views/kit/State.tsx';
import { datesText } from '#views/question/range-text.ts';
import { insightWords } from '#views/words/insights.ts';
import { trendsWords } from '#views/words/trends.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { AnswerTools } from '../AnswerTools.tsx';
import { ChartFoot } from '../ChartFoot.tsx';
import { useCoverageNotes } from '../coverage.ts';
import type { ChartName } from '../display.ts';
import { fewest } from '../few.ts';
import type { InsightOf } from '../insight.ts';
import type { AnswerProps } from '../kind-view.ts';
import { OutsideTile } from '../tile.tsx';
import { useAnswerOptions } from '../use-answer.ts';
import { CountryMap } from './CountryMap.tsx';
import { isByCountry, trendsCharts, withChart } from './charts.ts';
import { Numbers } from './Numbers.tsx';
import { PointsTable } from './PointsTable.tsx';
import type { PartProps } from './part-props.ts';
import { chartKind, drawnRows, isAltered, isSum, MAX_DRAWN, rowsOf, type TrendsRow } from './rows.ts';
import { Shares } from './Shares.tsx';
import { TrendsTable } from './TrendsTable.tsx';
import { useRowLabel } from './use-row-label.ts';
import { ValuesChoice } from './ValuesChoice.tsx';
import { WeeklyHeatmap } from './WeeklyHeatmap.tsx';

export function TrendsAnswer(props: AnswerProps<'trends'>) {
  const { reference, insight, now } = props;
  const shared = usePart(insightWords);
  const own = usePart(trendsWords);
  const { format } = useWords();
  const options = useAnswerOptions(insight, reference);
  const { data, dataUpdatedAt } = useSuspenseQuery(options);
  const result = data as TrendsResult;
  const rows = rowsOf(result, insight.own, insight.display);
  const drawn = drawnRows(rows, insight.display);
  const labelOf = useRowLabel(insight, props.goals);
  const chart = drawnAs(insight, result);
  const dates = datesText({ from: result.range.fromDate, to: result.range.toDate }, now, format);
  const parts: PartProps = { ...props, result, rows, drawn, labelOf, dates };
  const isEmpty = rows.every(({ points }) => points.every((point) => point === null || point === 0));
  const more = valuesInOther(result);
  const without = useCoverageNotes(result.coverage);
  const few = fewest(comparedPeople(rows, insight.own));
  return (
    <>
      <AnswerTools
        {...props}
        result={result}
        withIntervals={chart !== 'heatmap'}
        intervals={trendIntervals}
        charts={trendsCharts}
        withChart={(next) => withChart(insight, next)}
        updatedAt={dataUpdatedAt}
        queryKey={options.queryKey}
      >
        {!totalCharts.has(chart) && <ValuesChoice {...props} />}
      </AnswerTools>
      {isEmpty ? (
        <State icon="chart" title={shared.empty}>
          {shared.emptyText}
        </State>
      ) : (
        <Drawing {...parts} chart={chart} />
      )}
      <ChartFoot
        result={result}
        withZone={chart !== 'heatmap'}
        running={!isEmpty && isLines(chart) && result.running !== null ? own.running[result.interval] : null}
        notes={[
          ...(rows.length > MAX_DRAWN && insight.display.rows === undefined && !wholeCharts.has(chart)
            ? [own.tooMany(format.number(MAX_DRAWN))]
            : []),
          ...(more > 0 ? [own.moreValues(format.number(more))] : []),
          ...ignoredNotes(rows, own.ignored, format.number),
          ...without,
          ...(few === null ? [] : [shared.fewest.persons(few, format.number(few))]),
        ]}
      />
      <OutsideTile>
        <TrendsTable {...parts} />
      </OutsideTile>
    </>
  );
}

/** Charts of totals: they have no values by interval. */
const totalCharts: ReadonlySet<ChartName> = new Set(['number', 'pie', 'heatmap', 'map']);
/** Charts whose rows need no choice, or choose for themselves. */
const wholeCharts: ReadonlySet<ChartName> = new Set(['table', 'heatmap', 'map']);

/** Without what they need, heatmaps and maps are lines. */
function drawnAs(
  { own, display: { chart = 'line' } }: InsightOf<'trends'>,
  { weeklyHeatmap }: TrendsResult,
): ChartName {
  if (chart === 'heatmap' && weeklyHeatmap === null) return 'line';
  return chart === 'map' && !isByCountry(own) ? 'line' : chart;
}

/** Values that have no row of their own; with formulas, all series have the same rows. */
function valuesInOther({ series, formulas }: TrendsResult): number {
  const withRows = (rows: TrendsResult['formulas'][number]['rows']) =>
    rows.filter(({ value }) => value !== null).length;
  const [formula] = formulas;
  if (formula !== undefined) return (series[0]?.values ?? 0) - withRows(formula.rows);
  return series.reduce((sum, each) => sum + each.values - withRows(each.rows), 0);
}

/** People of whom changes are shown: sizes of these groups. */
function comparedPeople(rows: readonly TrendsRow[], { series }: InsightOf<'trends'>['own']): (number | null)[] {
  return rows.flatMap((row) => {
    const { measure } = series[row.series] ?? {};
    return row.isFormula || measure !== 'persons' || row.previous === null ? [] : [row.total, row.previous];
  });
}

function isLines(chart: ChartName): chart is 'line' {
  return chart === 'line';
}

function ignoredNotes(
  rows: readonly TrendsRow[],
  text: (n: number, text: string) => string,
  numberText: (n: number) => string,
): string[] {
  const ignored = rows.reduce((sum, row) => sum + row.ignored, 0);
  return ignored > 0 ? [text(ignored, numberText(ignored))] : [];
}

function Drawing(props: PartProps & { chart: ChartName }) {
  const { chart, insight, project, result, drawn, labelOf, dates, onPoint } = props;
  const { words } = useWords();
  const shared = usePart(insightWords);
  if (chart === 'number') return <Numbers {...props} />;
  if (chart === 'pie') return <Shares {...props} />;
  if (chart === 'heatmap') return <WeeklyHeatmap {...props} />;
  if (chart === 'map') return <CountryMap {...props} />;
  if (chart === 'table') return <PointsTable {...props} />;
  const { range, comparison, interval, timeZone, starts } = result;
  const [only] = drawn;
  const name = words.chart.name(shared.kinds.trends, interval, dates, null);
  return (
    <SeriesChart
      name={name}
      look={chart as SeriesLook}
      kind={chartKind(drawn, insight.display)}
      interval={interval}
      timeZone={timeZone}
      weekStart={project.weekStart}
      starts={starts}
      to={range.to}
      series={drawn.map((row) => ({ key: row.key, label: labelOf(row), values: row.points }))}
      comparison={
        comparison && drawn.length === 1 && only?.comparisonPoints && only.previous !== null
          ? { starts: result.comparisonStarts, to: comparison.to, values: only.comparisonPoints }
          : null
      }
      running={result.running}
      until={range.until}
      sum={isSum(insight.own, drawn) ? shared.total : undefined}
      onPoint={
        onPoint && !isAltered(insight.display)
          ? (series, index) => {
              const row = drawn[series];
              if (row?.points[index] && !row.isFormula)
                onPoint({ kind: 'trends', series: row.series, value: row.value, interval: index });
            }
          : undefined
      }
    />
  );
}
