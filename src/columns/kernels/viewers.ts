/** Pairs of person and visit, listed once and counted by each property of the visit. Pure. */
import type { ChunkColumns } from '../storage/format.ts';
import { openColumn } from '../storage/format.ts';
import { placesAt } from '../storage/quarters.ts';
import type { Slabs } from '../storage/slabs.ts';
import { columnOf, type EventChunk, rowsIn } from './count-events.ts';
import { type RowPlan, rowsOfPeople } from './count-trend.ts';
import { SCRATCH, scratch } from './scratch.ts';
import type { SessionSet } from './session-set.ts';
import { floatsOf, intsOf } from './shared.ts';
import { TallyBuilder, type TallyBytes } from './tally.ts';
import type { VisitValues } from './visit-values.ts';

/** Pairs; some are listed more than once. */
export interface Viewers {
  /** Numbers; 0: no visit. */
  visits: Float64Array;
  persons: Int32Array;
}

/** Lists the rows between the first and last edge. */
export function listViewers(plan: RowPlan, { columns, edges }: EventChunk, sets: readonly SessionSet[]): Viewers {
  const bounds = placesAt(columns, rowsIn(columns), edges);
  const rows = rowsOfPeople(plan, columns, sets, bounds[0] ?? 0, bounds.at(-1) ?? 0);
  const persons = columnOf(columns, 'person');
  const numbers = persons.numbers as Int32Array;
  const { codes, entries } = visitsOf(columns);
  /** By visit entry, its last person: mostly all events of a visit have one person. */
  const last = new Int32Array(entries.length).fill(-1);
  const [visits, people] = [new Float64Array(rows.length), new Int32Array(rows.length)];
  let count = 0;
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] as number;
    const entry = codes === null ? 0 : (codes[row] as number);
    const person = persons.codes[row] as number;
    if (last[entry] === person) continue;
    last[entry] = person;
    visits[count] = entries[entry] as number;
    people[count++] = numbers[person] as number;
  }
  return { visits: floatsOf(visits.subarray(0, count)), persons: intsOf(people.subarray(0, count)) };
}

function visitsOf(columns: ChunkColumns) {
  const bytes = columns['session'];
  if (bytes === undefined) return { codes: null, entries: Float64Array.of(0) };
  const { codes, numbers } = openColumn(bytes);
  return { codes, entries: numbers ?? Float64Array.of(0) };
}

export function bytesOfViewers({ visits }: Viewers): number {
  return visits.length * 12;
}

/** @param memory for the result */
export function countViewers({ visits, persons }: Viewers, values: VisitValues, memory?: Slabs): TallyBytes {
  const { length } = visits;
  const known = scratch(SCRATCH.values, values.most + 1).fill(0, 0, values.most + 1);
  const places = scratch(SCRATCH.places, length);
  values.put(visits, places);
  const found: number[] = [];
  for (let at = 0; at < length; at++) {
    const value = places[at] as number;
    if (known[value] === 0) known[value] = found.push(value);
    places[at] = (known[value] as number) - 1;
  }
  const ends = new Int32Array(found.length);
  for (let at = 0; at < length; at++) {
    const place = places[at] as number;
    ends[place] = (ends[place] as number) + 1;
  }
  let sum = 0;
  for (let place = 0; place < ends.length; place++) {
    const own = ends[place] as number;
    ends[place] = sum;
    sum += own;
  }
  const ordered = scratch(SCRATCH.people, length);
  for (let at = 0; at < length; at++) {
    const place = places[at] as number;
    ordered[ends[place] as number] = persons[at] as number;
    ends[place] = (ends[place] as number) + 1;
  }
  const builder = new TallyBuilder();
  for (let place = 0; place < found.length; place++) {
    const begin = place === 0 ? 0 : (ends[place - 1] as number);
    builder.persons(ordered, begin, ends[place] as number);
    builder.end(found[place] as number, (ends[place] as number) - begin);
  }
  return builder.finish(memory);
}
