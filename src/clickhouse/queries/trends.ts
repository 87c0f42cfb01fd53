/** Trends, also by values of a breakdown: the same figures as those of the engine (src/columns/queries/trends.ts). */
import type { Measure, Trend, TrendRow, TrendSpan, TrendsQuery } from '#src/columns/columns.ts';
import { drawTrend } from '#src/columns/kernels/draw-trend.ts';
import {
  actorsOfMeasure,
  cellsBetween,
  edgesOf,
  figureOf,
  isOfFirsts,
  isOfProperty,
  wholeOf,
} from '#src/columns/queries/trends.ts';
import { type Sql, sql } from '#src/store/sql.ts';
import { actorSql } from './actors.ts';
import { firstEventsSql } from './attempts.ts';
import { bucketOf, fromEvents, fromEventsAlone, type QueryParts, type Span } from './events.ts';
import { type Keys, keysOf, type RankedKeys, rankKeys, rowSql } from './keys.ts';
import { rulesSql, scopeSql } from './scope.ts';
import { itemsOfRows, MAX_ROWS, readItems } from './trend-items.ts';
import { visitsIn } from './visits.ts';

export type AskedSeries = TrendsQuery['series'][number];

/** @throws Unsupported for too many values */
export async function clickhouseTrends(parts: QueryParts, asked: TrendsQuery): Promise<Trend[][]> {
  const { series } = asked;
  const divided = await dividedOf(parts, asked, series);
  return Promise.all(series.map((each, at) => trendsOf(parts, asked, each, divided[at] ?? null)));
}

/** How the events of some of the series are divided; null: they are not. */
export async function dividedOf(
  parts: QueryParts,
  asked: TrendsQuery,
  shown: readonly AskedSeries[],
): Promise<(Divided | null)[]> {
  const { by, together } = asked;
  if (by === null) return shown.map(() => null);
  const ranking = together === true ? asked.series : shown;
  const keys = await keysOf(parts, by, await everOf(parts, asked), asked.decimal);
  const counts = await Promise.all(ranking.map((each) => countValues(parts, asked, each, keys)));
  const rank = (some: readonly ReadonlyMap<number, number>[]) => rankKeys(keys, summed(some), asked.most);
  if (together === true) {
    const ranked = rank(counts);
    return shown.map(() => ({ keys, ranked }));
  }
  return counts.map((each) => ({ keys, ranked: rank([each]) }));
}

export interface Divided {
  keys: Keys;
  ranked: RankedKeys;
}

/** All time of which events are needed. */
async function everOf(parts: QueryParts, asked: TrendsQuery): Promise<Span> {
  const spans = asked.series.flatMap((each) => each.spans.map((span) => readOf(parts, asked, each, span)));
  const all = await Promise.all(spans);
  return { from: Math.min(...all.map(({ from }) => from)), until: Math.max(...all.map(({ until }) => until)) };
}

/** Time of the events that a span needs: first ones may lie before it, and visits end after it. */
async function readOf(parts: QueryParts, asked: TrendsQuery, { measure }: AskedSeries, span: TrendSpan): Promise<Span> {
  const whole = wholeOf(span);
  if (isOfFirsts(measure)) return { from: Math.min(whole.from, asked.first ?? whole.from), until: whole.until };
  return measure === 'visits' ? (await begunIn(parts, asked, whole)).whole : whole;
}

/** All visits that count, with any events. */
export function begunIn(parts: QueryParts, { include }: Pick<TrendsQuery, 'include'>, span: Span) {
  return visitsIn(parts, { views: [], filters: null, include }, span);
}

/** Events of the first span by number of their value; of first events, those who began with it. */
async function countValues(
  parts: QueryParts,
  asked: TrendsQuery,
  series: AskedSeries,
  keys: Keys,
): Promise<Map<number, number>> {
  const [span] = series.spans;
  if (span === undefined) return new Map();
  const { from, until } = span;
  const counted = isOfFirsts(series.measure)
    ? sql`select key from (${await firstsSql(parts, asked, series, { span, keys })}) where moment >= ${from} and moment < ${until}`
    : sql`select ${keys.number} as key ${fromEventsAlone(
        parts,
        { from, until },
        await keptSql(parts, asked, series, { from, until }),
        {
          join: keys.join,
          selected: [keys.number],
        },
      )}`;
  const rows = await parts.house.query<{ key: number; count: number }>(
    sql`select key, count() as count from (${counted}) as counted group by key`,
  );
  return new Map(rows.map(({ key, count }) => [key, count]));
}

function summed(all: readonly ReadonlyMap<number, number>[]): Map<number, number> {
  const sums = new Map<number, number>();
  for (const counts of all) for (const [key, count] of counts) sums.set(key, (sums.get(key) ?? 0) + count);
  return sums;
}

export async function keptSql(parts: QueryParts, asked: TrendsQuery, { rules }: AskedSeries, span: Span): Promise<Sql> {
  const [scope, kept] = await Promise.all([scopeSql(parts, asked, span), rulesSql(parts, rules, span)]);
  return sql`${scope} and ${kept}`;
}

/** The first event of each `actor`: when it was (`moment`) and its `key`. */
export async function firstsSql(
  parts: QueryParts,
  asked: TrendsQuery,
  series: AskedSeries,
  { span, keys, actor: given = null }: { span: TrendSpan; keys: Keys | null; actor?: Sql | null },
): Promise<Sql> {
  const { rules, measure } = series;
  const whole = await readOf(parts, asked, series, span);
  const isEver = isOfFirsts(measure) && measure.first === 'ever';
  const amongst = isEver ? rules.map(({ names }) => ({ names, filters: [] })) : rules;
  const [scope, own, counted, actor] = await Promise.all([
    scopeSql(parts, asked, whole),
    rulesSql(parts, rules, whole),
    rulesSql(parts, amongst, whole),
    given ?? actorSql(parts, actorsOfMeasure(measure), whole),
  ]);
  const firsts = firstEventsSql(parts, whole, {
    actor,
    kept: sql`${scope} and ${counted}`,
    values: { counts: own, key: keys?.number ?? sql`toInt64(0)` },
    join: keys?.join,
  });
  return sql`select actor, moment, key from (${firsts}) as firsts where counts`;
}

export async function trendsOf(
  parts: QueryParts,
  asked: TrendsQuery,
  series: AskedSeries,
  divided: Divided | null,
): Promise<Trend[]> {
  return Promise.all(
    series.spans.map(async (span) => {
      const texts = textsOf(divided);
      const rows = isOfItems(series.measure)
        ? await itemsIn(parts, asked, series, { span, divided, rows: texts.length })
        : await figuresIn(parts, asked, series, { span, divided, rows: texts.length });
      return {
        values: divided?.ranked.values ?? 1,
        rows: texts.map((value, row): TrendRow => ({ value, ...(rows[row] as Omit<TrendRow, 'value'>) })),
      };
    }),
  );
}

/** Text of each row; null: of all others. */
export function textsOf(divided: Divided | null): (string | null)[] {
  if (divided === null) return [''];
  const { shown, values } = divided.ranked;
  return [...shown.map(({ text }) => text), ...(values > shown.length ? [null] : [])];
}

/** Measures of which each number counts, and not how many there are. */
function isOfItems(measure: Measure): boolean {
  return isOfProperty(measure) || (typeof measure === 'object' && 'eventsPerPerson' in measure);
}

interface SpanParts {
  span: TrendSpan;
  divided: Divided | null;
  rows: number;
}

/** SQL: row of an event. @param number SQL: number of its value; absent: of the event's own */
export function lineSql(divided: Divided | null, number: Sql | undefined = divided?.keys.number): Sql {
  if (divided === null || number === undefined) return sql`toInt64(0)`;
  const { keys, ranked } = divided;
  return rowSql({ ...keys, number }, ranked, ranked.shown.length);
}

/** Figures of a span: those of its windows, of the total and of its cells are made of the stretches between all of their edges. */
async function figuresIn(
  parts: QueryParts,
  asked: TrendsQuery,
  series: AskedSeries,
  { span, divided, rows: length }: SpanParts,
): Promise<Omit<TrendRow, 'value'>[]> {
  const edges = edgesOf(span);
  const figures = spansOfFigures(span);
  const slots = edges.map((edge) =>
    figures.flatMap((own, at) => (own.some(({ from, until }) => edge >= from && edge < until) ? at : [])),
  );
  const rows = await parts.house.query<{ line: number; slot: number; figure: number }>(
    sql`select line, slot, ${isDistinct(series.measure) ? sql`groupBitmapMerge(actors)` : sql`sum(times)`} as figure
          from (${await stretchesSql(parts, asked, series, { span, divided, edges })}) as stretches
         array join arrayElement(cast(${slots}, 'Array(Array(UInt32))'), stretch) as slot
         group by line, slot`,
  );
  const found = Array.from({ length }, () => new Array<number>(figures.length).fill(0));
  for (const { line, slot, figure } of rows) {
    const own = found[line];
    if (own !== undefined) own[slot] = figure;
  }
  const { windows, cells } = span;
  return found.map((own) => ({
    course: own.slice(0, windows.length),
    total: own[windows.length] ?? 0,
    cells: cells === undefined ? null : own.slice(windows.length + 1),
    ignored: 0,
  }));
}

/** The spans of each figure: of each window, of the total, and of each cell. */
function spansOfFigures({ windows, total, cells }: TrendSpan): Span[][] {
  const ofCells: Span[][] = Array.from({ length: cells?.count ?? 0 }, () => []);
  for (const { cell, ...stretch } of cells?.stretches ?? []) ofCells[cell]?.push(stretch);
  return [...windows.map((window) => [window]), [total], ...ofCells];
}

/** Actors who may be in several stretches count once. Visits and first events are in one. */
function isDistinct(measure: Measure): boolean {
  return measure !== 'events' && measure !== 'visits' && !isOfFirsts(measure);
}

/** By stretch (from 1 on) and line: how many events (`times`), visits or first events, and which `actors`. */
async function stretchesSql(
  parts: QueryParts,
  asked: TrendsQuery,
  series: AskedSeries,
  { span, divided, edges }: Pick<SpanParts, 'span' | 'divided'> & { edges: readonly number[] },
): Promise<Sql> {
  const { measure } = series;
  const keys = divided?.keys ?? null;
  const line = lineSql(divided);
  const whole = wholeOf(span);
  if (isOfFirsts(measure)) {
    const firsts = await firstsSql(parts, asked, series, { span, keys });
    return sql`
      select ${bucketOf(edges, sql`moment`)} as stretch, ${lineSql(divided, sql`key`)} as line, count() as times from (${firsts}) as firsts
       where moment >= ${whole.from} and moment < ${whole.until} group by stretch, line`;
  }
  if (measure === 'visits') {
    const begun = await begunIn(parts, asked, whole);
    const kept = await keptSql(parts, asked, series, begun.whole);
    const join = sql`${keys?.join ?? sql.empty}
      any join (select id, first_ts ${begun.from}) as begun on begun.id = events.session_id`;
    return sql`
      select ${bucketOf(edges, sql`begun.first_ts`)} as stretch, ${line} as line, uniqExact(events.session_id) as times
        ${fromEventsAlone(parts, begun.whole, sql`${kept} and events.session_id <> 0`, { join, selected: [line] })} group by stretch, line`;
  }
  const kept = await keptSql(parts, asked, series, whole);
  if (measure === 'events') {
    const from = fromEventsAlone(parts, whole, kept, { join: keys?.join, selected: [line] });
    return sql`select ${bucketOf(edges, sql`ts`)} as stretch, ${line} as line, count() as times ${from} group by stretch, line`;
  }
  const actor = await actorSql(parts, actorsOfMeasure(measure), whole);
  return sql`
    select ${bucketOf(edges, sql`ts`)} as stretch, ${line} as line, groupBitmapStateIf(toUInt32(${actor}), ${actor} <> 0) as actors
      ${fromEvents(parts, whole, kept, keys?.join)} group by stretch, line`;
}

/** Figures of numbers, of which the engine's algorithm makes means, extremes and quantiles. */
async function itemsIn(
  parts: QueryParts,
  asked: TrendsQuery,
  series: AskedSeries,
  { span, divided, rows: length }: SpanParts,
): Promise<Omit<TrendRow, 'value'>[]> {
  const { measure } = series;
  const { decimal = 'point' } = asked;
  const edges = edgesOf(span);
  const whole = wholeOf(span);
  const kept = await keptSql(parts, asked, series, whole);
  const property = isOfProperty(measure) ? measure.property : null;
  const item =
    property === null
      ? sql`toString(${await actorSql(parts, actorsOfMeasure(measure), whole)})`
      : sql`properties[${property}]`;
  const rows = await readItems(
    parts,
    sql`select ${bucketOf(edges, sql`ts`)} as stretch, ${lineSql(divided)} as line, ${item} as item, count() as times
          ${fromEvents(parts, whole, kept, divided?.keys.join)} group by stretch, line, item limit ${MAX_ROWS + 1}`,
  );
  const part = itemsOfRows(rows, property === null ? null : decimal);
  const placeOf = new Map(edges.map((edge, at) => [edge, at]));
  const windowOf = ({ from, until }: Span) => [placeOf.get(from) ?? -1, placeOf.get(until) ?? -1] as const;
  const plan = {
    figure: figureOf(measure),
    mergedInto: null,
    windows: span.windows.map(windowOf),
    total: windowOf(span.total),
    cells: cellsBetween(span, edges),
    rowOf: new Map(part.keys.map((key) => [key, Number(key)])),
    rows: length,
    other: length,
  };
  return drawTrend(plan, [{ part, shift: 0 }]);
}
