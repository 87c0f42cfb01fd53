/** The people behind a number, with their figures: computed by the same kernels, in the same snapshot as the number. */
import type { ClientBase } from 'pg';
import { invalid } from '#src/kit/errors.ts';
import type { ActivityPick } from '../kernels/activity.ts';
import { type Actors, bytesOfTrend, type TrendPart, type TrendPlan } from '../kernels/count-trend.ts';
import { bytesOfSteps, type StepsPart, type StepsPlan } from '../kernels/list-steps.ts';
import type { PersonFigures } from '../kernels/person-figures.ts';
import type { PickTrendPlan } from '../kernels/pick-trend.ts';
import { type Picked, Picking } from '../kernels/picked.ts';
import type { Gathered } from '../snapshot/gather.ts';
import type { Span } from '../storage/span.ts';
import { groupTypeOf, isGroupSubject } from '../values.ts';
import { type ActivityQuery, activityOf, readActivity } from './activities.ts';
import type { AnswerParts } from './answer-parts.ts';
import { queryBegunVisits } from './begun-visits.ts';
import { type FiguresQuery, listFigures, readFigures } from './figures.ts';
import { type FunnelPick, type FunnelQuery, peopleOfStep, wantedOfFunnel } from './funnels.ts';
import { type PathsPick, type PathsQuery, pathsOf, type ReadPaths, readPaths } from './paths.ts';
import { atOneMoment, readChosen } from './prepare-series.ts';
import { type RetentionPick, type RetentionQuery, retentionOf, wantedOfRetention } from './retentions.ts';
import { mergesOf, partsOf, type Ready, type ReadySeries } from './series.ts';
import { firstsIn } from './trend-firsts.ts';
import {
  actorsOfMeasure,
  cellsBetween,
  edgesOf,
  firstSpanOf,
  firstsOfSeries,
  isOfFirsts,
  type TrendRow,
  type TrendSpan,
  type TrendsQuery,
  toEndOfVisits,
  trendsOf,
  wantedOfTrends,
  wholeOf,
} from './trends.ts';

/** A question and one number of its answer. */
export type PointQuestion =
  /** A series, the first of its spans: of a value (null: of all others) in a window or cell (null: over all). */
  | {
      kind: 'trends';
      asked: TrendsQuery;
      point: { series: number; value: string | null; in: { window: number } | { cell: number } | null };
    }
  | { kind: 'funnel'; asked: FunnelQuery; point: FunnelPick }
  | { kind: 'retention'; asked: RetentionQuery; point: RetentionPick }
  | { kind: 'paths'; asked: PathsQuery; point: PathsPick }
  | { kind: 'activity'; asked: ActivityQuery; point: ActivityPick };

/** Figures of each person, in the same order. */
export interface PointPeople extends PersonFigures {
  /** The chart's value at the point; null: no data. */
  value: number | null;
  /** Numbers of the persons as they are now, ascending. */
  people: Int32Array;
  /** How many events (of paths: transitions) of each are in the number. */
  times: Int32Array;
}

/** Groups behind a number, in no particular order. */
export interface PointGroups {
  /** The chart's value at the point; null: no data. */
  value: number | null;
  /** Number of the group type. */
  type: number;
  keys: string[];
  /** How many events of each are in the number. */
  times: number[];
}

interface Found {
  value: number | null;
  picked: Picked;
}

const NOBODY: Picked = new Picking(null).picked;

/** @throws AppError `invalid` for filters that cannot be, `timeout` */
export async function queryPointPeople(
  parts: AnswerParts,
  question: PointQuestion,
  figures: FiguresQuery,
): Promise<PointPeople> {
  if (isGroupSubject(actorsOf(question))) throw invalid('point', 'This number counts groups, not people.');
  const { prepared, ready } = await atOneMoment(parts, async (client) => ({
    prepared: await prepare(parts, client, question),
    ready: await readFigures(parts, client, figures),
  }));
  const [{ value, picked }, listed] = await Promise.all([prepared.find(), listFigures(ready, figures)]);
  const { mergedInto } = ready.gathered;
  const { people, times } = picked;
  const summed = await parts.threads.run({ task: 'sumFigures', plan: { mergedInto, people }, parts: listed });
  return { value, people, times, ...summed };
}

/** The groups behind a number that counts groups, by key. @throws AppError `invalid` for one that counts persons, and as the question */
export async function queryPointGroups(parts: AnswerParts, question: PointQuestion): Promise<PointGroups> {
  const of = actorsOf(question);
  if (!isGroupSubject(of)) throw invalid('point', 'This number counts people, not groups.');
  const { find, gathered } = await atOneMoment(parts, (client) => prepare(parts, client, question));
  const { value, picked } = await find();
  const keys = gathered.groupNumbers.get(of)?.keys ?? [];
  return {
    value,
    type: groupTypeOf(of),
    keys: Array.from(picked.people, (number) => keys[number] ?? ''),
    times: [...picked.times],
  };
}

/** Who is counted at a point. */
export function actorsOf({ kind, asked, point }: PointQuestion): Actors {
  if (kind !== 'trends') return asked.of ?? 'persons';
  const actors = actorsOfMeasure(asked.series[point.series]?.measure ?? 'events');
  return actors === 'visits' ? 'persons' : actors;
}

interface PreparedPoint {
  /** Finds the people. */
  find(): Promise<Found>;
  gathered: Gathered;
}

/** Reads what a question needs. */
async function prepare(parts: AnswerParts, client: ClientBase, question: PointQuestion): Promise<PreparedPoint> {
  switch (question.kind) {
    case 'trends': {
      const { asked } = question;
      const wanted = wantedOfTrends(asked);
      // Of visits the steps are listed, which takes the time of each event.
      const listsSteps = asked.series[question.point.series]?.measure === 'visits';
      const ready = await readChosen(parts, client, asked, listsSteps ? { ...wanted, timesAt: undefined } : wanted);
      return { gathered: ready.gathered, find: () => findOfTrend(ready, question) };
    }
    case 'funnel': {
      const ready = await readChosen(parts, client, question.asked, wantedOfFunnel(question.asked));
      return { gathered: ready.gathered, find: () => findOfFunnel(ready, question) };
    }
    case 'retention': {
      const ready = await readChosen(parts, client, question.asked, wantedOfRetention(question.asked));
      return { gathered: ready.gathered, find: () => findOfRetention(ready, question) };
    }
    case 'paths': {
      const read = await readPaths(parts, client, question.asked);
      return { gathered: read.ready.gathered, find: () => findOfPaths(read, question) };
    }
    case 'activity': {
      const read = await readActivity(parts, client, question.asked);
      const find = async () => {
        const { picked } = await activityOf(read, question.asked, question.point);
        return { value: picked.people.length, picked };
      };
      return { gathered: read.ready.gathered, find };
    }
  }
}

type Of<Kind extends PointQuestion['kind']> = Extract<PointQuestion, { kind: Kind }>;

async function findOfTrend(ready: Ready, { asked, point }: Of<'trends'>): Promise<Found> {
  const one = asked.series[point.series];
  const series = ready.series[point.series];
  const [span] = one?.spans ?? [];
  if (one === undefined || series === undefined || span === undefined) throw new Error('there is no such series');
  const [found] = await trendsOf(ready, asked, point.series);
  const { ranked = null, by = null } = found ?? {};
  const rows = found?.trends[0]?.rows ?? [];
  const row = ranked === null ? 0 : rows.findIndex(({ value }) => value === point.value);
  const figures = rows[row];
  if (figures === undefined) return { value: null, picked: NOBODY };
  const value = figureAt(figures, point.in);
  const edges = edgesOf(span);
  const of = stretchesAt(span, edges, point.in);
  if (of === null) return { value, picked: NOBODY };
  const actors = actorsOf({ kind: 'trends', asked, point });
  const plan: PickTrendPlan = {
    mergedInto: mergesOf(ready.gathered, actors),
    rowOf: ranked?.rowOf ?? null,
    other: ranked?.texts.length ?? 0,
    row,
    of,
  };
  if (isOfFirsts(one.measure)) {
    const firsts = await firstsIn({ ...ready, by }, firstsOfSeries(ready, asked, point.series), edges);
    return { value, picked: await ready.parts.threads.run({ task: 'pickTrend', plan, parts: firsts }) };
  }
  const picked =
    one.measure === 'visits'
      ? visitorsOf(
          { ...ready, by },
          series,
          { include: asked.include, first: firstSpanOf(asked, point.series) },
          edges,
          plan,
        )
      : actorsIn({ ...ready, by }, series, actors, edges, plan);
  return { value, picked: await picked };
}

type Place = Of<'trends'>['point']['in'];

function figureAt({ total, course, cells }: TrendRow, place: Place): number | null {
  if (place === null) return total;
  return ('cell' in place ? cells?.[place.cell] : course[place.window]) ?? null;
}

/** Null: there are none. */
function stretchesAt(span: TrendSpan, edges: readonly number[], place: Place): PickTrendPlan['of'] | null {
  if (place !== null && 'cell' in place) {
    const cells = cellsBetween(span, edges);
    return cells && { cell: place.cell, cellOf: cells.cellOf };
  }
  const window = place === null ? span.total : span.windows[place.window];
  if (window === undefined || window.until <= window.from) return null;
  return { window: [edges.indexOf(window.from), edges.indexOf(window.until)] };
}

async function actorsIn(
  ready: Ready,
  series: ReadySeries,
  of: Actors,
  edges: readonly number[],
  plan: PickTrendPlan,
): Promise<Picked> {
  const { threads } = ready.parts;
  const trendPlan: TrendPlan = { ...series.plan, by: ready.by?.places ?? null, of };
  const parts = await partsOf<TrendPart>(
    ready,
    edges,
    keyOf(ready, series, (by) => ['t', by ?? '', of]),
    (chunks, sets) => threads.run({ task: 'countTrend', plan: trendPlan, chunks, sets }),
    bytesOfTrend,
  );
  return threads.run({ task: 'pickTrend', plan, parts });
}

async function visitorsOf(
  ready: Ready,
  series: ReadySeries,
  { include = [], first }: Pick<TrendsQuery, 'include'> & { first: number },
  edges: readonly number[],
  plan: PickTrendPlan,
): Promise<Picked> {
  const { threads } = ready.parts;
  const begun = await queryBegunVisits(ready, include, edges, first);
  const stepsPlan: StepsPlan = {
    kinds: [series.plan],
    others: null,
    by: ready.by?.places ?? null,
    of: 'visits',
    firstOnly: false,
    withPersons: true,
  };
  const all = toEndOfVisits(edges, ready.gathered.windows[first]);
  const parts = await partsOf<StepsPart>(
    ready,
    [all[0] as number, all.at(-1) as number],
    keyOf(ready, series, (by) => ['visitors', by]),
    (chunks, sets) => threads.run({ task: 'listSteps', plan: stepsPlan, chunks, sets }),
    bytesOfSteps,
  );
  return threads.run({ task: 'pickVisitors', plan, parts: parts.map(({ part }) => part), begun });
}

/** Cache key of a series' partial results; null: not cacheable. */
function keyOf({ by }: Ready, { key }: ReadySeries, named: (by: string | null) => unknown): string | null {
  if (key === null || by?.key === null) return null;
  return JSON.stringify(named(by?.key ?? null)) + key;
}

async function findOfFunnel(ready: Ready, { asked, point }: Of<'funnel'>): Promise<Found> {
  const behind = await peopleOfStep(ready, asked, point);
  if (behind === null) return { value: null, picked: NOBODY };
  const picking = new Picking(isGroupSubject(asked.of) ? null : ready.gathered.mergedInto);
  for (const { person } of behind) picking.add(person);
  return { value: behind.length, picked: picking.picked };
}

async function findOfRetention(ready: Ready, { asked, point }: Of<'retention'>): Promise<Found> {
  const { retention, picked } = await retentionOf(ready, asked, point);
  const cohort = retention.rows.find(({ value }) => value === point.value)?.cohorts[point.period];
  if (cohort === undefined || picked === null) return { value: null, picked: NOBODY };
  return { value: point.later === null ? cohort.size : (cohort.returned[point.later] ?? null), picked };
}

async function findOfPaths(read: ReadPaths, { asked, point }: Of<'paths'>): Promise<Found> {
  const { paths, picked } = await pathsOf(read, asked, point);
  if ('node' in point) return { value: picked.times.reduce((sum, each) => sum + each, 0), picked };
  const { step, from, to } = point;
  const edge = paths.edges.find((each) => each.step === step && each.from === from && each.to === to);
  return { value: edge?.count ?? 0, picked };
}

/** All events that matter to a trend. */
export function spanOfTrend(asked: TrendsQuery): Span {
  const spans = asked.series.flatMap(({ spans: own }) => own.map(wholeOf));
  return {
    from: Math.min(...spans.map(({ from }) => from)),
    until: Math.max(...spans.map(({ until }) => until)),
  };
}
