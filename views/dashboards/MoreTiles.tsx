/** Further tiles of *Overview*: a number of a goal, the weekly heatmap, web vitals. */
import { useSuspenseQuery } from '@tanstack/react-query';
import type { Tile } from '#src/dashboards/contract.ts';
import type { OverviewGoal } from '#src/insights/contract.ts';
import { vitalNames } from '#src/insights/kinds/vitals/values.ts';
import type { ValueKind } from '#views/charts/scale.ts';
import { valueText } from '#views/charts/values.ts';
import { overviewOf } from '#views/frame/addresses.ts';
import type { GoalName } from '#views/insights/names.ts';
import { Change } from '#views/kit/Change.tsx';
import { useRefreshEvery } from '#views/kit/refresh-every.tsx';
import { Sparkline } from '#views/kit/Sparkline.tsx';
import { State } from '#views/kit/State.tsx';
import { addressOf, type Metric, type Question } from '#views/question/question.ts';
import { VisitorHours } from '#views/question/VisitorHours.tsx';
import { vitalText } from '#views/question/vital-text.ts';
import { useTrpc } from '#views/trpc.ts';
import { dashboardWords } from '#views/words/dashboards.ts';
import { vitalsWords } from '#views/words/vitals.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { TileFrame } from './TileFrame.tsx';
import css from './Tiles.module.css';
import { goalOptions, heatmapOptions, vitalsOptions } from './tile-options.ts';

interface PartProps {
  reference: string;
  question: Question;
}

type GoalTileProps = PartProps & { tile: Extract<Tile, { kind: 'goal' }>; goals: readonly GoalName[] };

export function GoalTile(props: GoalTileProps) {
  const own = usePart(dashboardWords);
  const goal = props.goals.find(({ id }) => id === props.tile.goal);
  if (goal === undefined) {
    return (
      <State icon="check" title={own.goalGone}>
        {own.goalGoneText}
      </State>
    );
  }
  return <GoalNumber {...props} name={goal.name} />;
}

function GoalNumber({ reference, question, tile, name }: GoalTileProps & { name: string }) {
  const { format } = useWords();
  const own = usePart(dashboardWords);
  const options = goalOptions(useTrpc(), reference, question, tile.goal);
  const { data } = useSuspenseQuery({ ...options, refetchInterval: useRefreshEvery() });
  if (data.goal === null) return null;
  const { kind, metric, value, previous, series } = numberOf(data.goal, tile.metric);
  return (
    <TileFrame
      title={`${own.goalMetrics[tile.metric]}: ${name}`}
      href={addressOf(overviewOf(reference), { ...question, goal: tile.goal, metric })}
    >
      <p className={css['number']}>
        <b className="num">{valueText(value, kind, format)}</b>
        <Change value={value} before={previous} kind={kind} good="up" />
      </p>
      <div className={css['spark']}>
        <Sparkline values={data.running === null ? series : series.slice(0, data.running)} />
      </div>
    </TileFrame>
  );
}

interface GoalFigure {
  kind: ValueKind;
  metric: Metric;
  value: number | null;
  previous: number | null;
  series: (number | null)[];
}

/** Revenue is of the currency with the most conversions. */
function numberOf(goal: OverviewGoal, metric: Extract<Tile, { kind: 'goal' }>['metric']): GoalFigure {
  const { conversions, conversionRate, revenue, revenueSeries, series } = goal;
  if (metric === 'conversions') return { kind: 'count', metric, ...conversions, series: series.conversions };
  if (metric === 'conversionRate') return { kind: 'share', metric, ...conversionRate, series: series.conversionRate };
  const [main] = revenue;
  const { currency = '', sum = { value: 0, previous: null } } = main ?? {};
  return { kind: `money ${currency}`, metric: `revenue.${currency}`, ...sum, series: revenueSeries[0]?.series ?? [] };
}

export function HeatmapTile({ reference, question }: PartProps) {
  const own = usePart(dashboardWords);
  const options = heatmapOptions(useTrpc(), reference, question);
  const { data } = useSuspenseQuery({ ...options, refetchInterval: useRefreshEvery() });
  return (
    <TileFrame title={own.tileKinds.heatmap} href={addressOf(overviewOf(reference), question)}>
      <VisitorHours data={data} />
    </TileFrame>
  );
}

export function VitalsTile({ reference, question }: PartProps) {
  const { format } = useWords();
  const own = usePart(dashboardWords);
  const vitals = usePart(vitalsWords);
  const options = vitalsOptions(useTrpc(), reference, question);
  const { data } = useSuspenseQuery({ ...options, refetchInterval: useRefreshEvery() });
  const isMeasured = vitalNames.some((name) => data.vitals[name].samples > 0);
  return (
    <TileFrame title={own.tileKinds.vitals} href={addressOf(overviewOf(reference), { ...question, details: 'vitals' })}>
      {isMeasured ? (
        <dl className={css['vitals']}>
          {vitalNames.map((name) => {
            const { value, rating } = data.vitals[name];
            return (
              <div key={name}>
                <dt>{vitals.vitals[name]}</dt>
                <dd className="num">
                  {vitalText(name, value, format)} <small>{rating && vitals.rating[rating]}</small>
                </dd>
              </div>
            );
          })}
        </dl>
      ) : (
        <p className="dim">{vitals.empty}</p>
      )}
    </TileFrame>
  );
}
