/** Tables: visits by what is known of them, events by a property or by name. All tables of a question are of one moment. */

import type { GroupValues, Reading } from '../conditions/groups.ts';
import type { Selection } from '../conditions/selections.ts';
import { type Counted, type CountParts, countEventsOf, countSessionsOf, visitsOf } from '../count/counting.ts';
import { mergeTallies, shareTallies } from '../count/summing-up.ts';
import { type VisitDimension, visitProperties } from '../filters/visit-fields.ts';
import type { Merged } from '../kernels/merge.ts';
import type { Visits } from '../threads/tasks.ts';
import { type AnswerParts, type By, prepare, type Question } from './answer.ts';

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
  /** Of the first table's first span, where it is asked what was done. Of events: how often it was done with the value; else 0. */
  done: number;
  /** Of events: who both are in the row and did it with its value. Of visits: those in which it was done. */
  converted: number;
}

/**
 * For each dimension, a table for each span.
 * @param selection what was done: told of the first dimension, also of values that only it has
 * @throws AppError as `querySeries`
 */
export async function queryTables(
  parts: AnswerParts,
  question: Question,
  dimensions: readonly Dimension[],
  selection: Selection | null = null,
): Promise<TableRow[][][]> {
  const tables = dimensions.map(byOf);
  const names = namesOf(question, dimensions);
  const { ready, values, done } = await prepare(parts, question, tables, names, { selection });
  const { visitorsOf, withLengths = true } = question;
  // Of the spans that the first is compared with, nobody asks by whom.
  const wanted = (at: number): WantedOfTables =>
    at > 0 && visitorsOf !== undefined
      ? { visitorsOf: 0, withPersons: false, withLengths, done: null }
      : { visitorsOf, withPersons: true, withLengths, done: at > 0 ? null : done };
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
  done: CountParts | null;
}

async function tablesOfSpan(
  ready: CountParts,
  tables: readonly By[],
  values: readonly GroupValues[],
  { from, until }: { from: number; until: number },
  at: number,
  { visitorsOf, withPersons, withLengths, done }: WantedOfTables,
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
      const wanted = place > 0 ? null : done;
      const [merged, did] = await Promise.all([
        mergeTallies(parts, own.texts.length, counted, { commonest: visitorsOf }),
        wanted &&
          (by.of === 'events' || visits === null
            ? doneWith({ ...wanted, by: parts.by }, counted, edges, at)
            : doneIn(parts, wanted, visits, edges, at)),
      ]);
      return rowsOf(by.of, own.texts, merged, did);
    }),
  );
}

/** By number of the text, see `TableRow`; `done` absent: 0. */
interface Done {
  done?: ArrayLike<number>;
  converted: ArrayLike<number>;
}

/** @param parts by the values of the table @param seen its events */
async function doneWith(parts: CountParts, seen: Counted[], edges: number[], at: number): Promise<Done> {
  const groups = parts.by?.values.texts.length ?? 0;
  const { parts: counted } = await countEventsOf({ ...parts, listsSessions: false }, edges, at);
  const [{ counts }, { persons }] = await Promise.all([
    mergeTallies(parts, groups, counted, { commonest: 0 }),
    shareTallies(parts, groups, seen, counted),
  ]);
  return { done: counts, converted: persons };
}

/** @param table counts visits by its values @param visits those that it counts */
async function doneIn(
  table: CountParts,
  parts: CountParts,
  visits: Visits,
  edges: number[],
  at: number,
): Promise<Done> {
  const groups = table.by?.values.texts.length ?? 0;
  const { sessions } = await countEventsOf({ ...parts, listsSessions: true }, [], at);
  const counting = { ...table, by: table.by && { ...table.by, withPersons: false, withLengths: false } };
  const countsOf = async (choice: Visits) =>
    (await mergeTallies(table, groups, await countSessionsOf(counting, edges, choice), { commonest: 0 })).counts;
  const [all, without] = await Promise.all([
    countsOf(visits),
    countsOf({ ...visits, without: [...(visits.without ?? []), ...sessions] }),
  ]);
  return { converted: all.map((count, number) => count - (without[number] as number)) };
}

function rowsOf(
  of: By['of'],
  texts: readonly string[],
  { counts, persons, others, sums }: Merged,
  did: Done | null,
): TableRow[] {
  const ofVisits = of === 'sessions';
  return texts.flatMap((value, number) => {
    const count = counts[number] as number;
    const done = did?.done?.[number] ?? 0;
    if (count + done === 0) return [];
    return {
      value,
      count,
      visitors: persons[number] as number,
      bounced: ofVisits ? (others[number] as number) : 0,
      ms: ofVisits ? (sums[number] as number) : 0,
      done,
      converted: did?.converted[number] ?? 0,
    };
  });
}
