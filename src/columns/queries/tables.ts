/** Tables: visits by what is known of them, events by a property or by name. All tables of a question are of one moment. */

import type { GroupValues, Reading } from '../conditions/groups.ts';
import type { Selection } from '../conditions/selections.ts';
import { byVisit, countByVisit } from '../count/by-visit.ts';
import type { CountParts } from '../count/count-parts.ts';
import { type Counted, countEventsOf, countSessionsOf, visitsOf } from '../count/counting.ts';
import { mergeTallies, shareTallies } from '../count/summing-up.ts';
import { type VisitDimension, visitProperties } from '../filters/visit-fields.ts';
import { type Merged, minOf } from '../kernels/merge.ts';
import type { Visits } from '../threads/tasks.ts';
import { type By, prepare, type Question } from './answer.ts';
import type { AnswerParts } from './answer-parts.ts';

/** Dimension of a table. Of events: views, unless other names are given; null: events of any name. */
export type Dimension =
  | { of: 'sessions'; field: VisitDimension; beside?: string }
  | { of: 'events'; reading: Reading; names?: readonly string[] | null };

export interface TableRow {
  value: string;
  /** Visits or events. */
  count: number;
  /**
   * Events of the span with the value; of visits, its views in visits with the value, whenever these began. 0 where they are not wanted, as
   * in all tables of visits but the first.
   */
  seen: number;
  /** Distinct visitors; 0 when not requested. */
  visitors: number;
  /** Of visits: bounces, and total duration; 0 when not requested. */
  bounced: number;
  ms: number;
  /** Conversions in the first table's first span. Of events: conversions with the value, if requested; otherwise 0. */
  done: number;
  /** Of events: people of the row who converted, with any value. Of visits: converted visits. */
  converted: number;
}

/**
 * A table for each dimension and span.
 * @param selection conversions, counted for the first dimension, also for values that only they have
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
  const { visitorsOf, visitsOnly = false, withLengths = true, doneByValue = false } = question;
  const countsViews = tables[0]?.of === 'sessions' && !visitsOnly;
  const countsPersons = visitorsOf !== 0 && !visitsOnly;
  const { ready, values, done } = await prepare(parts, question, tables, names, {
    selection,
    countsEvents: countsViews,
  });
  // Comparison spans need no visitors.
  const wanted = (at: number): WantedOfTables =>
    at > 0 && visitorsOf !== undefined
      ? { visitorsOf: 0, countsViews: false, withPersons: false, withLengths, doneByValue, done: null }
      : { visitorsOf, countsViews, withPersons: countsPersons, withLengths, doneByValue, done: at > 0 ? null : done };
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
  /** For a first table of visits: their views in the span. */
  countsViews: boolean;
  withPersons: boolean;
  withLengths: boolean;
  doneByValue: boolean;
  done: CountParts | null;
}

async function tablesOfSpan(
  ready: CountParts,
  tables: readonly By[],
  values: readonly GroupValues[],
  { from, until }: { from: number; until: number },
  at: number,
  { visitorsOf, countsViews, withPersons, withLengths, doneByValue, done }: WantedOfTables,
): Promise<TableRow[][]> {
  const edges = [from, until];
  const listed =
    ready.conditions === null || !ready.listsSessions ? null : (await countEventsOf(ready, [], at)).sessions;
  const visits = tables.some(({ of }) => of === 'sessions') ? await visitsOf(ready, listed, at) : null;
  return Promise.all(
    tables.map(async (by, place) => {
      const own = values[place] as GroupValues;
      const parts = { ...ready, by: { of: by.of, column: by.column, values: own, withPersons, withLengths } };
      const wanted = place > 0 ? null : done;
      if (by.of === 'sessions' && visits !== null) {
        const views = place === 0 && countsViews ? countViews(parts, by, edges) : null;
        const counted = countSessionsOf(parts, edges, visits);
        const [merged, viewed, did] = await Promise.all([
          counted.then((some) => mergeTallies(parts, own.texts.length, some, { commonest: 0 })),
          views,
          wanted && doneIn(parts, wanted, visits, edges, at),
        ]);
        const seen = viewed && (await viewersOf(parts, viewed, merged, withPersons ? visitorsOf : 0));
        return rowsOfVisits(own.texts, merged, seen, did);
      }
      const { parts: counted } = await countEventsOf({ ...parts, listsSessions: false }, edges, at);
      const [merged, did] = await Promise.all([
        mergeTallies(parts, own.texts.length, counted, { commonest: visitorsOf }),
        wanted && doneByRow(wanted, { by: parts.by, seen: counted, byValue: doneByValue }, edges, at),
      ]);
      return rowsOfEvents(own.texts, merged, did);
    }),
  );
}

/** Views of the span by what is known of their visits. Those without a visit say nothing; where visits always say something, that is one value more. */
async function countViews(parts: CountParts, { column }: By, edges: number[]): Promise<Counted[]> {
  const { by } = parts;
  if (by === null) throw new Error('a table by nothing');
  const { texts, textOf: meaning } = by.values;
  const visits = await byVisit(parts.gathered, { column, meaning, none: texts[0] === '' ? 0 : texts.length });
  return countByVisit(parts, visits, by.values.serial, edges);
}

/** @param of persons are only wanted for so many of the commonest values of visits; undefined: of all */
function viewersOf(parts: CountParts, viewed: Counted[], { counts }: Merged, of: number | undefined): Promise<Merged> {
  const groups = counts.length + 1;
  const least = minOf(counts, of);
  const isWanted = (group: number) => (counts[group] ?? 0) >= least;
  const only = of === undefined ? undefined : Array.from({ length: groups }, (_, group) => group).filter(isWanted);
  return mergeTallies(parts, groups, viewed, { only });
}

/** Conversions by text number, see `TableRow`; `done` absent: 0. */
interface Done {
  done?: ArrayLike<number>;
  converted: ArrayLike<number>;
}

/** @param row values of the table, its events, and whether those of what was done are wanted by value too */
async function doneByRow(
  done: CountParts,
  { by, seen, byValue }: { by: CountParts['by']; seen: Counted[]; byValue: boolean },
  edges: number[],
  at: number,
): Promise<Done> {
  const groups = by?.values.texts.length ?? 0;
  const parts = { ...done, listsSessions: false };
  const [all, valued] = await Promise.all([
    countEventsOf(parts, edges, at),
    byValue ? countEventsOf({ ...parts, by }, edges, at) : null,
  ]);
  const [{ persons }, counts] = await Promise.all([
    shareTallies(parts, groups, seen, all.parts, 'shareWithAll'),
    valued && mergeTallies(parts, groups, valued.parts, { commonest: 0 }),
  ]);
  return { ...(counts && { done: counts.counts }), converted: persons };
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
  const counting = { ...table, by: table.by && { ...table.by, withLengths: false } };
  const countsOf = async (choice: Visits) =>
    (await mergeTallies(table, groups, await countSessionsOf(counting, edges, choice), { commonest: 0 })).counts;
  const [all, without] = await Promise.all([
    countsOf(visits),
    countsOf({ ...visits, without: [...(visits.without ?? []), ...sessions] }),
  ]);
  return { converted: all.map((count, number) => count - (without[number] as number)) };
}

function rowsOfEvents(texts: readonly string[], { counts, persons }: Merged, did: Done | null): TableRow[] {
  return texts.flatMap((value, number) => {
    const count = counts[number] as number;
    const done = did?.done?.[number] ?? 0;
    if (count + done === 0) return [];
    return {
      value,
      count,
      seen: count,
      done,
      visitors: persons[number] as number,
      bounced: 0,
      ms: 0,
      converted: did?.converted[number] ?? 0,
    };
  });
}

/** @param seen views, with one value more for those without a visit; null: not wanted */
function rowsOfVisits(
  texts: readonly string[],
  { counts, others, sums }: Merged,
  seen: Merged | null,
  did: Done | null,
): TableRow[] {
  return [...texts, ''].flatMap((value, number) => {
    const count = counts[number] ?? 0;
    const views = seen?.counts[number] ?? 0;
    if (count + views === 0) return [];
    return {
      value,
      count,
      seen: views,
      done: 0,
      visitors: seen?.persons[number] ?? 0,
      bounced: others[number] ?? 0,
      ms: sums[number] ?? 0,
      converted: did?.converted[number] ?? 0,
    };
  });
}
