/** Tables: visits by what is known of them, events by a property or by name. All tables of a question are of one moment. */
import { type AnswerParts, type By, prepare, type Question } from './answer.ts';
import { type Counted, type CountParts, countEventsOf, countSessionsOf, visitsOf } from './counting.ts';
import type { GroupValues, Reading } from './groups.ts';
import { mergeTallies } from './summing-up.ts';
import { type VisitDimension, visitProperties } from './visit-fields.ts';

/** By what a table is made. Of events: views, unless other names are given; null: events of any name. */
export type Dimension =
  | { of: 'sessions'; field: VisitDimension; beside?: string }
  | { of: 'events'; reading: Reading; names?: readonly string[] | null };

export interface TableRow {
  value: string;
  /** Visits or events. */
  count: number;
  /** 0 where they are not wanted. */
  visitors: number;
  /** Of visits: how many were bounces, and the length of all; 0 where they are not wanted. */
  bounced: number;
  ms: number;
}

/** For each dimension, a table for each span. @throws AppError as `askSeries` */
export async function askTables(
  parts: AnswerParts,
  question: Question,
  dimensions: readonly Dimension[],
): Promise<TableRow[][][]> {
  const tables = dimensions.map(byOf);
  const { ready, values } = await prepare(parts, question, tables, namesOf(question, dimensions));
  const { visitorsOf, withLengths = true } = question;
  // Of the spans that the first is compared with, nobody asks by whom.
  const wanted = (at: number): WantedOfTables =>
    at > 0 && visitorsOf !== undefined
      ? { visitorsOf: 0, withPersons: false, withLengths }
      : { visitorsOf, withPersons: true, withLengths };
  const found = await Promise.all(
    question.spans.map((span, at) => tablesOfSpan(ready, tables, values, span, at, wanted(at))),
  );
  return dimensions.map((_, place) => found.map((ofSpan) => ofSpan[place] as TableRow[]));
}

function byOf(dimension: Dimension): By {
  if (dimension.of === 'events') return { ...dimension, column: dimension.reading.kind };
  const { column, ...reading } = visitProperties[dimension.field];
  const { beside } = dimension;
  return { of: 'sessions', column, reading: beside === undefined ? reading : { ...reading, beside } };
}

/** Visits are kept by their views, so what stands beside them is made of views too. */
function namesOf({ views }: Question, dimensions: readonly Dimension[]): readonly string[] | null {
  const [first, ...others] = dimensions;
  if (first?.of !== 'events' || first.names === undefined) return views;
  if (others.length > 0) throw new Error('a table of other events than views stands alone');
  return first.names;
}

interface WantedOfTables {
  visitorsOf: number | undefined;
  withPersons: boolean;
  withLengths: boolean;
}

async function tablesOfSpan(
  ready: CountParts,
  tables: readonly By[],
  values: readonly GroupValues[],
  { from, until }: { from: number; until: number },
  at: number,
  { visitorsOf, withPersons, withLengths }: WantedOfTables,
): Promise<TableRow[][]> {
  const edges = [from, until];
  const listed =
    ready.conditions === null || !ready.listsSessions ? null : (await countEventsOf(ready, [], at)).sessions;
  const visits = tables.some(({ of }) => of === 'sessions') ? await visitsOf(ready, listed, at) : null;
  return Promise.all(
    tables.map(async (by, place) => {
      const own = values[place] as GroupValues;
      const parts = { ...ready, by: { of: by.of, column: by.column, values: own, withPersons, withLengths } };
      const counted =
        by.of === 'events' || visits === null
          ? (await countEventsOf({ ...parts, listsSessions: false }, edges, at)).parts
          : await countSessionsOf(parts, edges, visits);
      return rowsOf(parts, own.texts, counted, visitorsOf);
    }),
  );
}

async function rowsOf(
  parts: CountParts,
  texts: readonly string[],
  counted: Counted[],
  commonest: number | undefined,
): Promise<TableRow[]> {
  const { counts, persons, others, sums } = await mergeTallies(parts, texts.length, counted, { commonest });
  return texts.flatMap((value, number) => {
    const count = counts[number] as number;
    if (count === 0) return [];
    const ofVisits = parts.by?.of === 'sessions';
    return {
      ...{ value, count, visitors: persons[number] as number },
      bounced: ofVisits ? (others[number] as number) : 0,
      ms: ofVisits ? (sums[number] as number) : 0,
    };
  });
}
