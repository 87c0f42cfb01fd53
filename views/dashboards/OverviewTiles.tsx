/** Tiles of *Overview*: a number with its series, a table, the goals. */
import { useSuspenseQuery } from '@tanstack/react-query';
import type { BreakdownDimension, OverviewMetric } from '#src/insights/contract.ts';
import { valueText } from '#views/charts/values.ts';
import { goalsOf, overviewOf } from '#views/frame/addresses.ts';
import { BarTable } from '#views/kit/BarTable.tsx';
import { Change } from '#views/kit/Change.tsx';
import { useRefreshEvery } from '#views/kit/refresh-every.tsx';
import { Sparkline } from '#views/kit/Sparkline.tsx';
import { largestCount, noneLast, shareText } from '#views/question/breakdown-counts.ts';
import { breakdownRow, othersRow } from '#views/question/breakdown-rows.tsx';
import { kinds } from '#views/question/metric-kinds.ts';
import { addressOf, type Question } from '#views/question/question.ts';
import { useTrpc } from '#views/trpc.ts';
import { conversionWords } from '#views/words/conversions.ts';
import { dashboardWords } from '#views/words/dashboards.ts';
import { missing } from '#views/words/format.ts';
import { goalFigureWords } from '#views/words/goal-figures.ts';
import { tableWords } from '#views/words/tables.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { TileFrame } from './TileFrame.tsx';
import css from './Tiles.module.css';
import { breakdownOptions, goalsOptions, metricOptions, rowsIn } from './tile-options.ts';

interface OverviewTileProps {
  reference: string;
  question: Question;
}

export function MetricTile({ reference, question, metric }: OverviewTileProps & { metric: OverviewMetric }) {
  const { words, format } = useWords();
  const { data } = useSuspenseQuery({
    ...metricOptions(useTrpc(), reference, question),
    refetchInterval: useRefreshEvery(),
  });
  const { value, previous } = data.metrics[metric];
  const { kind, good } = kinds[metric];
  const series = data.series[metric];
  return (
    <TileFrame title={words.metrics[metric]} href={addressOf(overviewOf(reference), { ...question, metric })}>
      <p className={css['number']}>
        <b className="num">{valueText(value, kind, format)}</b>
        <Change value={value} before={previous} kind={kind} good={good} />
      </p>
      <div className={css['spark']}>
        <Sparkline values={data.running === null ? series : series.slice(0, data.running)} />
      </div>
    </TileFrame>
  );
}

export interface BreakdownTileProps extends OverviewTileProps {
  dimension: BreakdownDimension;
  height: number;
}

export function BreakdownTile({ reference, question, dimension, height }: BreakdownTileProps) {
  const { words, format } = useWords();
  const own = usePart(tableWords);
  const text = own.tables[dimension];
  const options = breakdownOptions(useTrpc(), reference, question, { dimension, height });
  const { data } = useSuspenseQuery({ ...options, refetchInterval: useRefreshEvery() });
  const title = words.tables[dimension];
  const largest = largestCount(data);
  // Of what was done, by how many says more than the share of all.
  const byPeople = dimension === 'event';
  const rows = noneLast(data).map((row) => {
    const [, visitors, count] = row;
    const second = byPeople ? format.number(visitors) : shareText(count, data, format);
    return breakdownRow(row, data, largest, [format.number(count), second]);
  });
  return (
    <TileFrame title={title} href={addressOf(overviewOf(reference), { ...question, details: dimension })}>
      {data.rows.length === 0 ? (
        <p className="dim">{text.empty}</p>
      ) : (
        <BarTable
          caption={title}
          columns={[
            { key: 'value', head: text.value },
            { key: 'count', head: text.count },
            byPeople ? { key: 'people', head: own.people } : { key: 'share', head: own.share, faint: true },
          ]}
          rows={[...rows, ...othersRow(data, text.others, format, byPeople)]}
        />
      )}
    </TileFrame>
  );
}

export function GoalsTile({ reference, question, height }: OverviewTileProps & { height: number }) {
  const { format } = useWords();
  const own = usePart(dashboardWords);
  const names = usePart(conversionWords);
  const figures = usePart(goalFigureWords);
  const { data } = useSuspenseQuery({
    ...goalsOptions(useTrpc(), reference, question),
    refetchInterval: useRefreshEvery(),
  });
  const goals = data.goals
    .toSorted((one, other) => (other.conversions.value ?? 0) - (one.conversions.value ?? 0))
    .slice(0, rowsIn(height));
  const largest = Math.max(1, goals[0]?.conversions.value ?? 0);
  return (
    <TileFrame title={own.goals} href={goalsOf(reference)}>
      {goals.length === 0 ? (
        <p className="dim">{own.noGoals}</p>
      ) : (
        <BarTable
          caption={own.goals}
          columns={[
            { key: 'goal', head: names.goal },
            { key: 'conversions', head: names.conversions },
            { key: 'rate', head: figures.rateColumn.visitor, roomy: true },
          ]}
          rows={goals.map(({ id, name, conversions, conversionRate }) => ({
            key: String(id),
            label: <span className="clip">{name}</span>,
            cells: [
              format.number(conversions.value ?? 0),
              conversionRate.value === null ? missing : format.percent(conversionRate.value),
            ],
            bar: (conversions.value ?? 0) / largest,
            tick: conversions.previous === null ? null : conversions.previous / largest,
          }))}
        />
      )}
    </TileFrame>
  );
}
