/** Trends of events and of persons, also by values of a property: the same figures as those of the engine (src/columns/queries/trends.ts). */
import type { Breakdown, Trend, TrendRow, TrendSpan, TrendsQuery } from '#src/columns/columns.ts';
import { unreadProperties } from '#src/columns/contract.ts';
import { keyTextSql } from '#src/columns/filters/filter-sql.ts';
import { type GroupKind, groupKinds } from '#src/events/contract.ts';
import { byBytes } from '#src/kit/order.ts';
import { isRead, readerOf } from '#src/kit/reading/reader.ts';
import { query, type Sql, sql } from '#src/store/sql.ts';
import { fromEvents, ownValues, person, type QueryParts, rulesSql, type Span, scopeSql, Unsupported } from './scope.ts';

/** More values are left to the engine. */
const MAX_TEXTS = 20_000;

/** @throws Unsupported for other measures and breakdowns */
export async function clickhouseTrends(parts: QueryParts, asked: TrendsQuery): Promise<Trend[][]> {
  const { series, by, together } = asked;
  for (const { measure } of series) if (measure !== 'events' && measure !== 'persons') throw new Unsupported('measure');
  if (by !== null && together === true && series.length > 1) throw new Unsupported('breakdown together');
  return Promise.all(series.map((each) => trendsOf(parts, asked, each)));
}

async function trendsOf(
  parts: QueryParts,
  asked: TrendsQuery,
  { rules, measure, spans }: TrendsQuery['series'][number],
): Promise<Trend[]> {
  const ranked = asked.by === null || spans[0] === undefined ? null : await rankValues(parts, asked, rules, spans);
  return Promise.all(
    spans.map(async (span) => {
      const whole = wholeOf(span);
      const [scope, kept] = await Promise.all([scopeSql(parts, asked, whole), rulesSql(parts, rules, whole)]);
      return trendOf(parts, span, sql`${scope} and ${kept}`, measure === 'persons', ranked);
    }),
  );
}

interface RankedValues {
  /** Text of each row; null: of all others. */
  texts: (string | null)[];
  values: number;
  /** SQL: number of the row of an event. */
  row: Sql;
}

/** Figures of a span: those of its windows, of the total and of its cells are made of the stretches between all of their edges. */
async function trendOf(
  parts: QueryParts,
  span: TrendSpan,
  kept: Sql,
  isOfPersons: boolean,
  ranked: RankedValues | null,
): Promise<Trend> {
  const whole = wholeOf(span);
  const edges = edgesOf(span);
  const figures = figuresOf(span);
  const slots = edges.map((edge) =>
    figures.flatMap((own, at) => (own.some(({ from, until }) => edge >= from && edge < until) ? at : [])),
  );
  const rows = await parts.house.query<{ line: number; slot: number; figure: number }>(
    sql`select line, slot, ${isOfPersons ? sql`groupBitmapMerge(people)` : sql`sum(events)`} as figure
          from (select roundDown(ts, ${edges}) as stretch, ${ranked?.row ?? sql`toInt32(0)`} as line, count() as events,
                       groupBitmapState(toUInt32(${person})) as people
                  ${fromEvents(parts, whole, kept)}
                 group by stretch, line) as stretches
         array join arrayElement(${slots}, indexOf(${edges}, stretch)) as slot
         group by line, slot`,
  );
  const texts = ranked?.texts ?? [''];
  const found = texts.map(() => new Array<number>(figures.length).fill(0));
  for (const { line, slot, figure } of rows) {
    const own = found[line];
    if (own !== undefined) own[slot] = figure;
  }
  const { windows, cells } = span;
  return {
    values: ranked?.values ?? 1,
    rows: texts.map((value, row): TrendRow => {
      const own = found[row] as number[];
      return {
        value,
        course: own.slice(0, windows.length),
        total: own[windows.length] ?? 0,
        cells: cells === undefined ? null : own.slice(windows.length + 1),
        ignored: 0,
      };
    }),
  };
}

/** The spans of each figure: of each window, of the total, and of each cell. */
function figuresOf({ windows, total, cells }: TrendSpan): Span[][] {
  const ofCells: Span[][] = Array.from({ length: cells?.count ?? 0 }, () => []);
  for (const { cell, ...stretch } of cells?.stretches ?? []) ofCells[cell]?.push(stretch);
  return [...windows.map((window) => [window]), [total], ...ofCells];
}

function wholeOf({ from, until, windows, total }: TrendSpan): Span {
  const all = [{ from, until }, total, ...windows].filter((each) => each.until > each.from);
  return {
    from: Math.min(from, ...all.map((each) => each.from)),
    until: Math.max(until, ...all.map((each) => each.until)),
  };
}

function edgesOf(span: TrendSpan): number[] {
  const spans = [wholeOf(span), span, span.total, ...span.windows, ...(span.cells?.stretches ?? [])];
  return [...new Set(spans.flatMap(({ from, until }) => [from, until]))].sort((one, other) => one - other);
}

/** The values with the most events in the first span have rows. */
async function rankValues(
  parts: QueryParts,
  asked: TrendsQuery,
  rules: TrendsQuery['series'][number]['rules'],
  spans: readonly TrendSpan[],
): Promise<RankedValues> {
  const { by, most } = asked;
  const [first] = spans as [TrendSpan];
  const all = spans.map(wholeOf);
  const ever = { from: Math.min(...all.map(({ from }) => from)), until: Math.max(...all.map(({ until }) => until)) };
  const { texts, number } = await valuesOf(parts, by as Breakdown, ever);
  const [scope, kept] = await Promise.all([scopeSql(parts, asked, first), rulesSql(parts, rules, first)]);
  const rows = await parts.house.query<{ value: number; events: number }>(
    sql`select ${number} as value, count() as events ${fromEvents(parts, first, sql`${scope} and ${kept}`)} group by value`,
  );
  const ranked = rows
    .map(({ value, events }) => ({ value, text: texts[value] ?? '', events }))
    .sort((one, other) => other.events - one.events || byBytes(one.text, other.text));
  const shown = ranked.slice(0, most);
  const isMore = ranked.length > shown.length;
  return {
    texts: [...shown.map(({ text }) => text), ...(isMore ? [null] : [])],
    values: ranked.length,
    row: rowSql(
      shown.map(({ value }) => value),
      number,
      shown.length,
    ),
  };
}

/** Values without a row are in the one after all others. */
function rowSql(values: readonly number[], number: Sql, other: number): Sql {
  if (values.length === 0) return sql`toInt32(${other})`;
  return sql`toInt32(transform(toInt64(${number}), ${[...values]}, ${values.map((_, row) => row)}, ${other}))`;
}

/** Texts by number, from 0 on ('' is 0), and SQL of the number of an event. */
async function valuesOf(parts: QueryParts, by: Breakdown, span: Span): Promise<{ texts: string[]; number: Sql }> {
  const { db, projectId, reading } = parts;
  const texts: string[] = [''];
  const known = new Map([['', 0]]);
  const numberOf = (text: string): number => {
    const found = known.get(text) ?? texts.push(text) - 1;
    known.set(text, found);
    return found;
  };
  if (by.about === 'name') {
    const rows = await query<{ number: number; name: string }>(
      db,
      sql`select number, name from event_names where project_id = ${projectId} limit ${MAX_TEXTS + 1}`,
    );
    if (rows.length > MAX_TEXTS) throw new Unsupported('too many names');
    const numbers = rows.map(({ number }) => number);
    return {
      number: transformed(
        sql`event`,
        numbers,
        rows.map(({ name }) => numberOf(name)),
      ),
      texts,
    };
  }
  if (by.about !== 'event' || unreadProperties.has(by.name) || isRead(readerOf(reading), by.name))
    throw new Unsupported('breakdown');
  const groups = await query<{ kind: number; number: number; text: string }>(
    db,
    sql`select kind, number, ${keyTextSql(sql`(properties -> ${by.name})`)} as text from property_groups
         where project_id = ${projectId} and properties ? ${by.name} limit ${MAX_TEXTS + 1}`,
  );
  const own = await ownValues(parts, by.name, span);
  if (groups.length + own.length > MAX_TEXTS) throw new Unsupported('too many values');
  const ownTexts = await query<{ value: string; text: string }>(
    db,
    sql`select value, ${keyTextSql(sql`value::jsonb`)} as text from unnest(${own}::text[]) as value`,
  );
  const places: Sql[] = [];
  for (const [kind, number] of Object.entries(groupKinds) as [GroupKind, number][]) {
    const ofKind = groups.filter((each) => each.kind === number && each.text !== '');
    if (ofKind.length === 0) continue;
    const numbers = ofKind.map((each) => each.number);
    places.push(
      transformed(
        sql.id(kind),
        numbers,
        ofKind.map(({ text }) => numberOf(text)),
      ),
    );
  }
  const said = ownTexts.filter(({ text }) => text !== '');
  if (said.length > 0) {
    const to = said.map(({ text }) => numberOf(text));
    places.push(sql`transform(properties[${by.name}], ${said.map(({ value }) => value)}, ${to}, 0)`);
  }
  // The first place that says something.
  const number = places.reduceRight<Sql>((rest, place) => sql`if(${place} <> 0, ${place}, ${rest})`, sql`0`);
  return { texts, number: sql`toInt64(${number})` };
}

function transformed(column: Sql, from: readonly number[], to: readonly number[]): Sql {
  if (from.length === 0) return sql`0`;
  return sql`transform(toInt64(${column}), ${[...from]}, ${[...to]}, 0)`;
}
