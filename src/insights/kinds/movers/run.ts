/**
 * Movers: the change between a period and its comparison, decomposed over tables of visits. Every row is the overview filtered by it, so a filter by the row
 * shows the same numbers; what rows leave or count several times is a part too, so the parts sum to the whole exactly.
 */
import type { Dimension, Question, TableRow } from '#src/columns/columns.ts';
import type { Filters } from '#src/columns/contract.ts';
import { invalid } from '#src/kit/errors.ts';
import { byBytes } from '#src/kit/order.ts';
import type { QueryContext } from '../../define.ts';
import { selectionOf } from '../../goals/selection.ts';
import { countedUntil } from '../../query/ranges.ts';
import { eventScopeOf, viewsOf } from '../../query/scope.ts';
import { conditionsOf } from '../breakdown/filters/values.ts';
import { bothOf } from '../breakdown/rates.ts';
import type { Overview } from '../overview/contract.ts';
import { runOverview } from '../overview/run.ts';
import { adjusted, pairedTest } from './chance.ts';
import type { Movers, MoversInput } from './contract.ts';
import { decompose, differenceOf, type Figure, type RowFigure } from './parts.ts';
import { ALPHA, type MoverDimension, type MoverMetric, moverDimensions } from './values.ts';

/** A value of a table with what it counts in both periods: visitors, or visits with a conversion. */
interface Candidate {
  value: string;
  total: number;
  previous: number;
}

/** Hosts are joined: a filter by the path alone counts the same. */
const tables: Record<MoverDimension, Dimension> = {
  channel: { of: 'sessions', field: 'channel' },
  entryPage: { of: 'sessions', field: 'entryPath' },
  country: { of: 'sessions', field: 'country' },
  deviceType: { of: 'sessions', field: 'deviceType' },
};

/** @throws AppError `invalid` for a range or filter that cannot be, or without a goal where one is needed; `timeout` */
export async function runMovers(context: QueryContext, input: MoversInput): Promise<Movers> {
  const { columns, scope, people, now } = context;
  const { metric, limit } = input;
  if (metric !== 'visitors' && context.goal === null) throw invalid('goal', 'Choose a goal.');
  const goal = metric === 'visitors' ? null : context.goal;
  const { range, include } = input;
  const asked = {
    range,
    include,
    people,
    goal,
    compare: input.compare === 'none' ? 'previous' : input.compare,
  } as const;
  const overviewOf = (filters: Filters | undefined) => runOverview(columns, scope, { ...asked, filters }, now);
  const all = await overviewOf(input.filters);
  const currency = metric === 'revenue' ? (input.currency ?? all.goal?.revenue[0]?.currency ?? '') : null;
  const whole = figureOf(all, metric, currency);
  const answer = {
    timeZone: all.timeZone,
    range: all.range,
    comparison: all.comparison,
    metric,
    currency,
    goal: goal && { id: goal.id, name: goal.name },
  };
  const { comparison } = all;
  if (whole === null || comparison === null) return { ...answer, whole: null, pairs: 0, dimensions: [] };

  const question: Question = {
    ...viewsOf(scope),
    ...eventScopeOf({ filters: input.filters, people, include }),
    withLengths: false,
    spans: [all.range, comparison].map((each) => ({ from: each.from, until: countedUntil(each), starts: [] })),
  };
  const found = await Promise.all(
    moverDimensions.map(async (dimension) => {
      const candidates = await candidatesOf(context, question, tables[dimension], goal);
      const shown = candidates.filter(({ total, previous }) => total !== previous).slice(0, limit);
      const rows = await Promise.all(
        shown.map(async ({ value }): Promise<RowFigure> => {
          const filtered = bothOf(input.filters ?? null, conditionsOf(dimension, value) ?? []);
          const figure = figureOf(await overviewOf(filtered), metric, currency);
          return { value, ...(figure ?? NOTHING) };
        }),
      );
      const others = candidates.filter((each) => !shown.includes(each));
      return { dimension, rows, others };
    }),
  );

  const raised = adjusted(found.flatMap(({ rows }) => rows.map((row) => chanceOf(row, all))));
  let next = 0;
  const dimensions = found.map(({ dimension, rows, others }) => {
    const chances = rows.map(() => judged(raised[next++] ?? null));
    return { dimension, ...decompose(whole, rows, { others, overlaps: metric === 'visitors' }, chances) };
  });
  const change = differenceOf(whole.total, whole.previous);
  return {
    ...answer,
    whole: {
      total: whole.total,
      previous: whole.previous,
      change,
      relative: whole.previous === 0 ? null : change / whole.previous,
      ...judged(chanceOf(whole, all)),
    },
    pairs: whole.differences.length,
    dimensions,
  };
}

const NOTHING: Figure = { total: 0, previous: 0, differences: [] };

/** The number in both periods, and interval by interval; null: nothing to compare with. */
function figureOf(overview: Overview, metric: MoverMetric, currency: string | null): Figure | null {
  const isComparable = overview.metrics.views.previous !== null;
  if (!isComparable) return null;
  const { goal } = overview;
  switch (metric) {
    case 'visitors':
      return figure(overview.metrics.visitors, overview.series.visitors, overview.comparisonSeries?.visitors);
    case 'conversions':
      return goal && figure(goal.conversions, goal.series.conversions, goal.comparisonSeries?.conversions);
    case 'revenue': {
      const place = goal?.revenue.findIndex((each) => each.currency === currency) ?? -1;
      const [revenue, series] = [goal?.revenue[place], goal?.revenueSeries[place]];
      return revenue && series
        ? figure(revenue.sum, series.series, series.comparisonSeries)
        : { ...NOTHING, differences: overview.starts.map(() => 0) };
    }
  }
}

type Points = readonly (number | null)[];

function figure(
  { value, previous }: { value: number | null; previous: number | null },
  points: Points,
  comparison: Points | null | undefined,
): Figure {
  const differences = points.flatMap((point, at) => {
    const before = comparison?.[at] ?? null;
    return point === null || before === null ? [] : [point - before];
  });
  return { total: value ?? 0, previous: previous ?? 0, differences };
}

/** Hours of a day rise and fall together, so they tell nothing from chance. */
function chanceOf({ differences }: Figure, { interval }: Overview): number | null {
  return interval === 'hour' ? null : pairedTest(differences);
}

function judged(pValue: number | null) {
  return { pValue, isSignificant: pValue === null ? null : pValue < ALPHA };
}

/** All values of a table, the largest change first. */
async function candidatesOf(
  { columns }: Pick<QueryContext, 'columns'>,
  question: Question,
  dimension: Dimension,
  goal: QueryContext['goal'],
): Promise<Candidate[]> {
  const [rows = [], earlier = []] =
    goal === null
      ? ((await columns.tables(question, [dimension]))[0] ?? [])
      : await Promise.all(
          question.spans.map(async (span) => {
            const asked = { ...question, visitsOnly: true, spans: [span] };
            return (await columns.tables(asked, [dimension], { ...selectionOf(goal), amount: null }))[0]?.[0];
          }),
        );
  const count = (row: TableRow | undefined) => (goal === null ? row?.visitors : row?.converted) ?? 0;
  const [now, before] = [rows, earlier].map((all) => new Map((all ?? []).map((row) => [row.value, row])));
  const values = [...new Set([...(now?.keys() ?? []), ...(before?.keys() ?? [])])];
  return values
    .map((value) => ({ value, total: count(now?.get(value)), previous: count(before?.get(value)) }))
    .sort((one, other) => sizeOf(other) - sizeOf(one) || byBytes(one.value, other.value));
}

function sizeOf({ total, previous }: Candidate): number {
  return Math.abs(total - previous);
}
