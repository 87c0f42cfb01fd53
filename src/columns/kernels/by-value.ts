/** Rows by what the number in a column stands for, and the persons of each value. Pure, but for memory that is used again. */
import { type Column, openColumn } from '../format.ts';
import { SCRATCH, scratch } from './scratch.ts';
import type { ChunkColumns } from './select.ts';
import type { TallyBuilder } from './tally.ts';

/** By what is counted: what the numbers in a column stand for; 0: none of the values. */
export interface Value {
  column: string;
  values: Int32Array;
}

export interface Divided {
  /** The values that there may be, and how many rows have each. */
  values: number[];
  counts: Int32Array;
  /** For each of the rows, the place of its value; in memory that is used again. */
  places: Int32Array;
}

/** Entries of the dictionary that stand for the same value count together. */
export function divide(columns: ChunkColumns, rows: Int32Array, { column: name, values: meaning }: Value): Divided {
  const bytes = columns[name];
  const column = bytes === undefined ? null : openColumn(bytes);
  const { values, places: placeOf } = placesOf(column?.numbers ?? null, meaning);
  const counts = new Int32Array(values.length);
  const places = scratch(SCRATCH.places, rows.length);
  if (column === null) {
    places.fill(0, 0, rows.length);
    counts[0] = rows.length;
  } else {
    const { codes } = column;
    for (let at = 0; at < rows.length; at++) {
      const place = placeOf[codes[rows[at] as number] as number] as number;
      places[at] = place;
      counts[place] = (counts[place] as number) + 1;
    }
  }
  return { values, counts, places };
}

/** @param numbers of the dictionary; null: there is no column, so all are 0 */
function placesOf(
  numbers: Int32Array | Float64Array | null,
  meaning: Int32Array,
): { values: number[]; places: Int32Array } {
  const places = new Int32Array(numbers?.length ?? 1);
  const values: number[] = [];
  let most = 0;
  for (let entry = 0; entry < places.length; entry++) {
    const number = numbers === null ? 0 : (numbers[entry] as number);
    const value = number < meaning.length ? (meaning[number] as number) : 0;
    places[entry] = value;
    if (value > most) most = value;
  }
  const known = scratch(SCRATCH.values, most + 1).fill(0, 0, most + 1);
  for (let entry = 0; entry < places.length; entry++) {
    const value = places[entry] as number;
    if (known[value] === 0) known[value] = values.push(value);
    places[entry] = (known[value] as number) - 1;
  }
  return { values, places };
}

/** Adds the persons of each value, each once, and ends it. */
export function addByValue(
  builder: TallyBuilder,
  rows: Int32Array,
  { counts, places }: Divided,
  { codes, numbers }: Column,
  end: (place: number) => void,
): void {
  const ends = new Int32Array(counts.length);
  let sum = 0;
  for (let place = 0; place < ends.length; place++) {
    ends[place] = sum;
    sum += counts[place] as number;
  }
  // Persons of each value side by side, then each once.
  const ordered = scratch(SCRATCH.people, rows.length);
  for (let at = 0; at < rows.length; at++) {
    const place = places[at] as number;
    ordered[ends[place] as number] = codes[rows[at] as number] as number;
    ends[place] = (ends[place] as number) + 1;
  }
  const persons = numbers as Int32Array;
  const seen = new Int32Array(persons.length);
  let at = 0;
  for (let place = 0; place < ends.length; place++) {
    const begin = at;
    const last = ends[place] as number;
    const round = place + 1;
    let people = begin;
    for (; at < last; at++) {
      const code = ordered[at] as number;
      if (seen[code] === round) continue;
      seen[code] = round;
      ordered[people++] = persons[code] as number;
    }
    builder.persons(ordered, begin, people);
    end(place);
  }
}
