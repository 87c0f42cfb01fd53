/** Tables: events by a property or by name, visits by what is known of them: the same figures as those of the engine (src/columns/queries/tables.ts). */
import type { Dimension, Question, Selection, TableRow } from '#src/columns/columns.ts';
import { visitProperties } from '#src/columns/filters/visit-fields.ts';
import { minOf } from '#src/columns/kernels/merge.ts';
import { type Sql, sql } from '#src/store/sql.ts';
import { visitColumn } from './conditions.ts';
import { fromEvents, fromEventsAlone, person, type QueryParts, type Span, tableSql, trafficSql } from './events.ts';
import { MAX_MEANINGS, type Meaning, readMeaning } from './meanings.ts';
import { keptSql, namesSql, selectionSql } from './scope.ts';
import { isBounce, visitsIn, visitsWith } from './visits.ts';

export interface TablesQuestion extends Question {
  dimensions: readonly Dimension[];
  /** Conversions, of the first dimension and span. */
  selection: Selection | null;
}

type EventDimension = Extract<Dimension, { of: 'events' }>;
type VisitDimension = Extract<Dimension, { of: 'sessions' }>;

/** What is wanted of a table. */
interface Wanted {
  /** Visitors of so many of the commonest values; undefined: of all. */
  visitorsOf: number | undefined;
  selection: Selection | null;
  /** Of visits: views and visitors of the span, whenever their visits began. */
  views: boolean;
}

/** A table for each dimension and span. @throws AppError as the engine */
export function clickhouseTables(parts: QueryParts, asked: TablesQuestion): Promise<TableRow[][][]> {
  const { dimensions, spans, visitorsOf, visitsOnly = false, selection } = asked;
  return Promise.all(
    dimensions.map((dimension, place) =>
      Promise.all(
        spans.map((span, at) => {
          // Comparison spans need no visitors.
          const isCompared = at > 0 && visitorsOf !== undefined;
          const wanted: Wanted = {
            visitorsOf: isCompared || visitsOnly ? 0 : visitorsOf,
            selection: place === 0 && at === 0 ? selection : null,
            views: place === 0 && !isCompared && !visitsOnly,
          };
          return dimension.of === 'events'
            ? tableOfEvents(parts, asked, dimension, span, wanted)
            : tableOfVisits(parts, asked, dimension, span, wanted);
        }),
      ),
    ),
  );
}

/** True of the values, by their numbers, of which visitors are wanted. */
function commonest(counts: readonly number[], visitorsOf: number | undefined): (text: number) => boolean {
  const least = minOf(Float64Array.from(counts), visitorsOf);
  return (text) => (counts[text] ?? 0) >= least;
}

async function tableOfEvents(
  parts: QueryParts,
  asked: TablesQuestion,
  { reading, names = asked.views }: EventDimension,
  span: Span,
  { visitorsOf, selection }: Wanted,
): Promise<TableRow[]> {
  const column = sql.id(reading.kind);
  const [named, kept, done] = await Promise.all([
    names === null ? sql`1` : namesSql(parts, names),
    keptSql(parts, asked, span),
    selection && selectionSql(parts, selection, span),
  ]);
  const counted = sql`${trafficSql(asked.include)} and ${kept}`;
  const byValue = done !== null && asked.doneByValue === true ? done : sql`0`;
  const rows = await parts.house.query<{ number: number; seen: number; done: number }>(
    sql`select ${column} as number, countIf(${named}) as seen, countIf(${byValue}) as done
          ${fromEventsAlone(parts, span, sql`${counted} and (${named} or ${byValue})`)} group by number limit ${MAX_MEANINGS + 1}`,
  );
  const meaning = await readMeaning(
    parts,
    reading,
    rows.map(({ number }) => number),
  );
  const [counts, dones] = [meaning.texts.map(() => 0), meaning.texts.map(() => 0)];
  for (const { number, ...row } of rows) {
    const text = meaning.textOf(number);
    counts[text] = (counts[text] as number) + row.seen;
    dones[text] = (dones[text] as number) + row.done;
  }
  const doers = done && sql`select ${person} ${fromEvents(parts, span, sql`${counted} and ${done}`)}`;
  const people =
    visitorsOf === 0 || rows.length === 0
      ? []
      : await parts.house.query<{ text: number; visitors: number; converted: number }>(
          sql`select ${meaning.sql(column)} as text, groupBitmap(toUInt32(${person})) as visitors,
                     ${doers === null ? sql`0` : sql`groupBitmapIf(toUInt32(${person}), ${person} in (${doers}))`} as converted
                ${fromEvents(parts, span, sql`${counted} and ${named}`)} group by text`,
        );
  const peopleOf = new Map(people.map((row) => [row.text, row]));
  const hasVisitors = commonest(counts, visitorsOf);
  return meaning.texts.flatMap((value, text): TableRow[] => {
    const [count, did] = [counts[text] as number, dones[text] as number];
    if (count + did === 0) return [];
    const { visitors = 0, converted = 0 } = peopleOf.get(text) ?? {};
    return [
      {
        value,
        count,
        seen: count,
        done: did,
        visitors: hasVisitors(text) ? visitors : 0,
        bounced: 0,
        ms: 0,
        converted,
      },
    ];
  });
}

/** Number of the group of events without a visit. */
const NO_VISIT = -1;

async function tableOfVisits(
  parts: QueryParts,
  asked: TablesQuestion,
  { field, beside }: VisitDimension,
  span: Span,
  { visitorsOf, selection, views }: Wanted,
): Promise<TableRow[]> {
  const { column: name, ...property } = visitProperties[field];
  const column = visitColumn(name);
  const withLengths = asked.withLengths !== false;
  const { from, whole } = await visitsIn(parts, asked, span);
  const done = selection && (await doneSql(parts, asked, selection, whole));
  const [visits, seen] = await Promise.all([
    parts.house.query<{ number: number; visits: number; bounced: number; ms: number; converted: number }>(
      sql`select ${column} as number, count() as visits, countIf(${isBounce(asked.bounceMs)}) as bounced, sum(length) as ms,
                 ${done === null ? sql`0` : sql`countIf(id in (${visitsWith(parts, whole, done)}))`} as converted
            ${from} group by number limit ${MAX_MEANINGS + 1}`,
    ),
    views ? numbersOfVisits(parts, span, column) : [],
  ]);
  const numbers = [...new Set([...visits.map(({ number }) => number), ...seen])].filter((number) => number > 0);
  const reading = beside === undefined ? property : { ...property, beside };
  const meaning = await readMeaning(parts, reading, numbers);
  // Events without a visit say nothing, also where visits always say something.
  const texts = meaning.texts[0] === '' ? meaning.texts : [...meaning.texts, ''];
  const nothing = texts.indexOf('');
  const rows = texts.map((value) => ({
    value,
    count: 0,
    seen: 0,
    done: 0,
    visitors: 0,
    bounced: 0,
    ms: 0,
    converted: 0,
  }));
  for (const { number, visits: count, bounced, ms, converted } of visits) {
    const row = rows[meaning.textOf(number)] as TableRow;
    row.count += count;
    row.converted += converted;
    if (withLengths) row.bounced += bounced;
    if (withLengths) row.ms += ms;
  }
  if (views) await addViews(parts, asked, { span, column, meaning, nothing, rows, visitorsOf });
  return rows.filter(({ count, seen }) => count + seen > 0);
}

async function doneSql(parts: QueryParts, asked: TablesQuestion, selection: Selection, span: Span): Promise<Sql> {
  const [done, kept] = await Promise.all([selectionSql(parts, selection, span), keptSql(parts, asked, span)]);
  return sql`${done} and ${kept}`;
}

/** Each view with its person (`actor`), and the number that a column of its visit says. */
async function viewersSql(parts: QueryParts, asked: TablesQuestion, span: Span, column: Sql): Promise<Sql> {
  const [named, kept] = await Promise.all([namesSql(parts, asked.views), keptSql(parts, asked, span)]);
  const counted = sql`${trafficSql(asked.include)} and ${named} and ${kept}`;
  const visits = sql`
    left any join (
      select id, ${column} as own from ${tableSql(parts, 'sessions')} final
       where project_id = ${parts.projectId} and first_ts < ${span.until} and last_ts >= ${span.from}) as visits
      on visits.id = events.session_id`;
  return sql`
    select ${person} as actor, if(visits.id = 0, ${NO_VISIT}, toInt64(visits.own)) as number
      ${fromEvents(parts, span, counted, visits)}`;
}

/** What a column says of the visits that were there in a span, also what it said of earlier versions of them. */
async function numbersOfVisits(parts: QueryParts, span: Span, column: Sql): Promise<number[]> {
  const rows = await parts.house.query<{ number: number }>(
    sql`select distinct ${column} as number from ${tableSql(parts, 'sessions')}
         where project_id = ${parts.projectId} and first_ts < ${span.until} and last_ts >= ${span.from} and deleted = 0
         limit ${MAX_MEANINGS + 1}`,
  );
  return rows.map(({ number }) => number);
}

interface ViewsOf {
  span: Span;
  column: Sql;
  meaning: Meaning;
  nothing: number;
  rows: TableRow[];
  visitorsOf: number | undefined;
}

/** Adds views, and the visitors of the values with the most visits. */
async function addViews(
  parts: QueryParts,
  asked: TablesQuestion,
  { span, column, meaning, nothing, rows, visitorsOf }: ViewsOf,
): Promise<void> {
  const visitors = visitorsOf === 0 ? sql`0` : sql`groupBitmap(toUInt32(actor))`;
  const found = await parts.house.query<{ text: number; views: number; visitors: number }>(
    sql`select if(number = ${NO_VISIT}, ${nothing}, ${meaning.sql(sql`number`)}) as text, count() as views, ${visitors} as visitors
          from (${await viewersSql(parts, asked, span, column)}) as viewed group by text`,
  );
  const counts = rows.slice(0, meaning.texts.length).map(({ count }) => count);
  const hasVisitors = commonest(counts, visitorsOf);
  for (const { text, ...own } of found) {
    const row = rows[text] as TableRow;
    row.seen += own.views;
    if (hasVisitors(text)) row.visitors = own.visitors;
  }
}
