/** Trends: events, persons, visits, or property values, by time window and breakdown value. */

import type { DecimalSeparator } from '#src/kit/numbers/values.ts';
import { dayMs } from '#src/kit/zone.ts';
import { type Breakdown, type KeyPlaces, type RankedKeys, rankKeys } from '../conditions/key-places.ts';
import { drawCounted, drawVisits } from '../count/summing-up.ts';
import type { Rules } from '../filters/rules.ts';
import { type Actors, bytesOfTrend, type TrendOf, type TrendPart } from '../kernels/count-trend.ts';
import type { CellPlan, DrawPlan, Figure, Summing, Window } from '../kernels/draw-trend.ts';
import type { Key } from '../kernels/row-keys.ts';
import { PROPERTY } from '../storage/encode.ts';
import type { Span } from '../storage/span.ts';
import { type GroupSubject, isGroupSubject, keyProperty } from '../values.ts';
import type { AnswerParts } from './answer-parts.ts';
import { NEEDED_OF_BEGUN, queryBegunVisits } from './begun-visits.ts';
import type { CellStretch } from './cells.ts';
import { prepareSeries } from './prepare-series.ts';
import { rankTexts } from './rank-values.ts';
import { partsOf, type Ready, type ReadySeries, type Scope, type SeriesRequest } from './series.ts';
import { firstsIn, type TrendOfFirsts } from './trend-firsts.ts';

export type { Summing } from '../kernels/draw-trend.ts';

/**
 * The measure: events, distinct persons, distinct groups of a type, visits that started in the bucket and have an event (and a view: `Counts.visits`), events per person
 * (or group), a property's numbers (also in texts), or persons (or groups) whose first event it is: `ever`, regardless of the conditions of the series,
 * which it then has to match; `matching`, of those that match them.
 */
export type Measure =
  | 'events'
  | 'persons'
  | 'visits'
  | GroupSubject
  | { eventsPerPerson: Exclude<Summing, 'sum'>; of?: GroupSubject }
  | { property: string; as: Summing }
  | { first: 'ever' | 'matching'; of?: GroupSubject };

export interface TrendsQuery extends Scope {
  series: readonly { rules: Rules; measure: Measure; spans: readonly TrendSpan[] }[];
  by: Breakdown | null;
  /** So many values have rows: those of most events in the first span. */
  most: number;
  /** True when all series have rows of the same values, those with the most events over all series. */
  together?: boolean;
  /** How texts write numbers; absent: with a point. */
  decimal?: DecimalSeparator;
  /** Time of the project's first event, ms: first events are looked for from then on. */
  first?: number;
}

export interface TrendSpan extends Span {
  /** A figure for each; starts and ends both ascend. They may start before the span. */
  windows: readonly Span[];
  /** Time span of the total. */
  total: Span;
  /** A figure for each of so many cells, over all their time ranges: ascending, without overlaps, within the span. Absent: none. */
  cells?: { count: number; stretches: readonly CellStretch[] };
}

/** The course of a value, or of all. */
export interface TrendRow {
  /** '' of events without one. Null: all values that have no row. */
  value: string | null;
  /** Null: no data. */
  total: number | null;
  course: (number | null)[];
  /** By cell; null without cells. */
  cells: (number | null)[] | null;
  /** Of properties: events in the total with a value that is no number. */
  ignored: number;
}

export interface Trend {
  rows: TrendRow[];
  /** How many values there are. */
  values: number;
}

/** Trends for each series and span. @throws AppError `invalid` for invalid filters, `timeout` */
export async function queryTrends(parts: AnswerParts, asked: TrendsQuery): Promise<Trend[][]> {
  const ready = await prepareSeries(parts, asked, wantedOfTrends(asked));
  const found = await trendsOf(ready, asked);
  return found.map(({ trends }) => trends);
}

/** Data to gather for trends. */
export function wantedOfTrends(asked: TrendsQuery): SeriesRequest {
  const measured = asked.series.flatMap(({ measure }) => (isOfProperty(measure) ? [measure.property] : []));
  const actors = asked.series.map(({ measure }) => actorsOfMeasure(measure));
  const groups = [...new Set(actors.filter(isGroupSubject))];
  const countsVisits = actors.includes('visits');
  const spans = asked.series.flatMap(({ spans: own }) => own.map(wholeOf));
  const firsts = asked.series.flatMap(({ measure, spans: own }) => (isOfFirsts(measure) ? own.map(wholeOf) : []));
  return {
    // Numbered by `firstSpanOf`: what first events need besides is the last.
    spans: firsts.length === 0 ? spans : [...spans, sinceFirst(asked, firsts)],
    timesAt: firsts.length > 0 ? undefined : asked.series.flatMap(({ spans: own }) => own.flatMap(edgesOf)),
    series: [...asked.series.map(({ rules }) => rules), ...(firsts.length > 0 ? asked.series.map(rulesByName) : [])],
    by: asked.by,
    decimal: asked.decimal,
    columns: [...(countsVisits ? ['session'] : []), ...groups],
    visitColumns: countsVisits ? NEEDED_OF_BEGUN : [],
    properties: [...measured, ...groups.map(keyProperty)],
  };
}

/** From the project's first event to the end of these spans. */
function sinceFirst({ first }: Pick<TrendsQuery, 'first'>, spans: readonly Span[]): Span {
  const from = Math.min(...spans.map((each) => each.from));
  return { from: Math.min(from, first ?? from), until: Math.max(...spans.map((each) => each.until)) };
}

/** Of measures of the first events ever: any event of the names. Of others nothing. */
function rulesByName({ rules, measure }: AskedSeries): Rules {
  if (!isOfFirsts(measure) || measure.first !== 'ever') return [];
  return rules.map(({ names }) => ({ names, filters: [] }));
}

/** Who or what a measure counts; of events, persons. */
export function actorsOfMeasure(measure: Measure): Actors {
  if (typeof measure === 'object') return ('of' in measure ? measure.of : undefined) ?? 'persons';
  return measure === 'visits' || isGroupSubject(measure) ? measure : 'persons';
}

export function isOfFirsts(measure: Measure): measure is Extract<Measure, { first: unknown }> {
  return typeof measure === 'object' && 'first' in measure;
}

/** What the first events of a series are found by. */
export function firstsOfSeries(ready: Ready, asked: TrendsQuery, at: number): TrendOfFirsts {
  const { measure } = asked.series[at] as AskedSeries;
  const actors = actorsOfMeasure(measure);
  const own = ready.series[at] as ReadySeries;
  const isEver = isOfFirsts(measure) && measure.first === 'ever';
  return {
    of: actors === 'visits' ? 'persons' : actors,
    own,
    amongst: isEver ? (ready.series[asked.series.length + at] as ReadySeries) : own,
    since: asked.first ?? Number.POSITIVE_INFINITY,
  };
}

/** True when numbers of texts matter: a property is measured, or divided by intervals. */
export function readsNumbersOf({ series, by }: Pick<TrendsQuery, 'series' | 'by'>): boolean {
  if (series.some(({ measure }) => isOfProperty(measure))) return true;
  return by?.about === 'combined' && by.of.some((one) => 'edges' in one && one.edges !== undefined);
}

export function isOfProperty(measure: Measure): measure is Extract<Measure, { property: string }> {
  return typeof measure === 'object' && 'property' in measure;
}

/** All that is needed of a span. */
export function wholeOf({ from, until, windows, total }: TrendSpan): Span {
  const all = [{ from, until }, total, ...windows].filter((each) => each.until > each.from);
  return {
    from: Math.min(from, ...all.map((each) => each.from)),
    until: Math.max(until, ...all.map((each) => each.until)),
  };
}

/** All moments at which windows begin or end. */
export function edgesOf(span: TrendSpan): number[] {
  const spans: Span[] = [wholeOf(span), span, span.total, ...span.windows, ...(span.cells?.stretches ?? [])];
  const moments = spans.flatMap(({ from, until }) => [from, until]);
  return [...new Set(moments)].sort((one, other) => one - other);
}

/** The cell of each stretch between these edges; null without cells. */
export function cellsBetween({ cells }: TrendSpan, edges: readonly number[]): CellPlan | null {
  if (cells === undefined) return null;
  const cellOf = new Int32Array(Math.max(0, edges.length - 1)).fill(-1);
  let at = 0;
  for (const { from, until, cell } of cells.stretches) {
    while (at < cellOf.length && (edges[at] as number) < from) at++;
    for (; at < cellOf.length && (edges[at] as number) < until; at++) cellOf[at] = cell;
  }
  return { count: cells.count, cellOf };
}

/** Extends the edges to the end of a day, so that visits are complete. */
export function toEndOfVisits(edges: readonly number[], window: Span | undefined): number[] {
  const end = Math.ceil((window?.until ?? 0) / dayMs) * dayMs;
  return end > (edges.at(-1) as number) ? [...edges, end] : [...edges];
}

/** With the rows that a breakdown gives, and how parts are divided; null: without one. */
interface OneSeries {
  trends: Trend[];
  ranked: RankedKeys | null;
  by: KeyPlaces | null;
}

type AskedSeries = TrendsQuery['series'][number];

interface PlacedSeries extends AskedSeries {
  ready: ReadySeries;
  /** Number of its first span among those of all series. */
  first: number;
  /** Null: the measure is not of first events. */
  firsts: TrendOfFirsts | null;
}

interface CountedSpan {
  span: TrendSpan;
  edges: readonly number[];
  parts: readonly { part: TrendPart; shift: number }[];
  begun: Awaited<ReturnType<typeof queryBegunVisits>> | null;
}

/** @param only index of the one series to compute; absent: all */
export async function trendsOf(ready: Ready, asked: TrendsQuery, only?: number): Promise<OneSeries[]> {
  const all = placedSeries(ready, asked);
  const shown = only === undefined ? all : all.slice(only, only + 1);
  if (asked.together === true) return figuresOf(ready, all, shown, asked);
  const found = await Promise.all(shown.map((each) => figuresOf(ready, [each], [each], asked)));
  return found.flat();
}

/** Number of the first span of a series among those of all. */
export function firstSpanOf({ series }: TrendsQuery, at: number): number {
  return series.slice(0, at).reduce((sum, { spans }) => sum + spans.length, 0);
}

function placedSeries(ready: Ready, asked: TrendsQuery): PlacedSeries[] {
  return asked.series.map((each, at) => ({
    ...each,
    ready: ready.series[at] as ReadySeries,
    first: firstSpanOf(asked, at),
    firsts: isOfFirsts(each.measure) ? firstsOfSeries(ready, asked, at) : null,
  }));
}

/** The figures of some of the series that have their rows in common. */
async function figuresOf(
  ready: Ready,
  group: readonly PlacedSeries[],
  shown: readonly PlacedSeries[],
  asked: TrendsQuery,
): Promise<OneSeries[]> {
  const { most } = asked;
  const [span] = group[0]?.spans ?? [];
  const column = ready.by?.property;
  const known =
    column === undefined || span === undefined || group.some(({ firsts }) => firsts !== null)
      ? null
      : await rankTexts(
          ready,
          group.map((each) => each.ready),
          span,
          column,
          most,
        );
  const by = known === null || ready.by === null ? ready.by : among(ready.by, known.texts);
  const needed = known === null && by !== null ? group : shown;
  const counted = await Promise.all(needed.map((each) => countSeries(ready, each, by, asked)));
  const ranked =
    known ?? (by === null ? null : rankKeys(by, countsOf(counted.flatMap(([first]) => first ?? [])), most));
  return Promise.all(
    shown.map(async (each) => {
      const own = counted[needed.indexOf(each)] ?? [];
      return { trends: await drawSeries(ready, each, own, ranked), ranked, by };
    }),
  );
}

async function countSeries(
  ready: Ready,
  { ready: { plan, key }, measure, spans, first, firsts }: PlacedSeries,
  by: KeyPlaces | null,
  { decimal = 'point', include = [] }: Pick<TrendsQuery, 'decimal' | 'include'>,
): Promise<CountedSpan[]> {
  if (firsts !== null) {
    const counted = async (span: TrendSpan): Promise<CountedSpan> => {
      const edges = edgesOf(span);
      return { span, edges, parts: await firstsIn({ ...ready, by }, firsts, edges), begun: null };
    };
    return Promise.all(spans.map(counted));
  }
  const of = ofMeasure(measure, decimal);
  const own = by === null ? '' : by.key;
  const partKey = key === null || own === null ? null : JSON.stringify(['t', own, of]) + key;
  return Promise.all(
    spans.map(async (span, at) => {
      const edges = edgesOf(span);
      const trendPlan = { ...plan, by: by?.places ?? null, of };
      const begun = of === 'visits' ? queryBegunVisits(ready, include, edges, first + at) : null;
      const counting = partsOf<TrendPart>(
        ready,
        begun === null ? edges : toEndOfVisits(edges, ready.gathered.windows[first + at]),
        partKey,
        (chunks, sets) => ready.parts.threads.run({ task: 'countTrend', plan: trendPlan, chunks, sets }),
        bytesOfTrend,
      );
      // Together: of a cancelled query both are rejected, and a rejection that nobody waits for ends the thread of the screens.
      const [parts, visits] = await Promise.all([counting, begun]);
      return { span, edges, parts, begun: visits };
    }),
  );
}

async function drawSeries(
  ready: Ready,
  { measure }: AskedSeries,
  counted: readonly CountedSpan[],
  ranked: RankedKeys | null,
): Promise<Trend[]> {
  const shown = ranked?.texts.length ?? 1;
  const hasOther = ranked !== null && ranked.values > shown;
  return Promise.all(
    counted.map(async ({ span, edges, parts, begun }) => {
      const placeOf = new Map(edges.map((edge, at) => [edge, at]));
      const windowOf = (each: Span): Window => [placeOf.get(each.from) ?? -1, placeOf.get(each.until) ?? -1];
      const plan: DrawPlan = {
        figure: figureOf(measure),
        mergedInto: countsPersons(measure) ? ready.gathered.mergedInto : null,
        windows: span.windows.map(windowOf),
        total: windowOf(span.total),
        cells: cellsBetween(span, edges),
        rowOf: ranked?.rowOf ?? null,
        rows: shown + (hasOther ? 1 : 0),
        other: shown,
      };
      const own = { ...ready.parts, gathered: ready.gathered };
      const rows = await (begun === null ? drawCounted(own, plan, parts) : drawVisits(own, plan, { parts, begun }));
      return {
        rows: rows.map((row, at) => ({ value: ranked === null ? '' : (ranked.texts[at] ?? null), ...row })),
        values: ranked?.values ?? 1,
      };
    }),
  );
}

/** The same, with all texts but these taken together. */
function among(by: KeyPlaces, texts: readonly string[]): KeyPlaces {
  const places = by.places.map((place) => ('property' in place ? { ...place, of: texts } : place));
  return { ...by, places, key: by.key && `${by.key} ${JSON.stringify(texts)}` };
}

function ofMeasure(measure: Measure, decimal: DecimalSeparator): TrendOf {
  if (isOfProperty(measure)) return { column: PROPERTY + measure.property, decimal };
  return measure === 'events' ? measure : actorsOfMeasure(measure);
}

/** Actors that merges unite. First events have been united already. */
function countsPersons(measure: Measure): boolean {
  const hasActors = measure === 'persons' || (typeof measure === 'object' && 'eventsPerPerson' in measure);
  return hasActors && actorsOfMeasure(measure) === 'persons';
}

export function figureOf(measure: Measure): Figure {
  if (isOfProperty(measure)) return { said: measure.as };
  if (isOfFirsts(measure)) return 'count';
  if (typeof measure === 'object') return { each: measure.eventsPerPerson };
  return measure === 'events' ? 'count' : 'distinct';
}

/** Events of the spans by key. */
function countsOf(counted: readonly CountedSpan[]): Map<Key, number> {
  const counts = new Map<Key, number>();
  for (const { span, edges, parts } of counted) {
    const [first, last] = [edges.indexOf(span.from), edges.indexOf(span.until)];
    for (const { part, shift } of parts) {
      for (let at = 0; at < part.counts.length; at++) {
        const stretch = (part.stretches[at] as number) + shift;
        if (stretch < first || stretch >= last) continue;
        const key = part.keys[part.keyed[at] as number] as Key;
        counts.set(key, (counts.get(key) ?? 0) + (part.counts[at] as number));
      }
    }
  }
  return counts;
}
