/** Rows by what the number in a column stands for, and the persons of each value. Pure, but for memory that is used again. */
import type { ChunkColumns } from '../storage/format.ts';
import { type Column, numbersOf, openColumn } from '../storage/format.ts';
import { SCRATCH, scratch } from './scratch.ts';
import type { TallyBuilder } from './tally.ts';
import { wide, wideCodes } from './wide.ts';

/** The column to count by, and the meaning of its numbers; 0: none of the values. */
export interface Value {
  column: string;
  values: Int32Array;
}

export interface Divided {
  /** The values that there may be, and how many rows have each. */
  values: number[];
  counts: Int32Array;
  /** Value index of each row; in reused memory. */
  places: Int32Array;
}

/** Entries of the dictionary that stand for the same value count together. */
export function divide(columns: ChunkColumns, rows: Int32Array, { column: name, values: meaning }: Value): Divided {
  const bytes = columns[name];
  const numbers = bytes === undefined ? null : numbersOf(bytes);
  const { values, places: placeOf } = placesOf(numbers, meaning);
  const counts = new Int32Array(values.length);
  const places = scratch(SCRATCH.places, rows.length);
  if (bytes === undefined) {
    places.fill(0, 0, rows.length);
    counts[0] = rows.length;
  } else {
    putPlaces(wideCodes(bytes, SCRATCH.codes), placeOf, rows, places);
    countEach(places, rows.length, counts);
  }
  return { values, counts, places };
}

function putPlaces(codes: Int32Array, placeOf: Int32Array, rows: Int32Array, places: Int32Array): void {
  for (let at = 0; at < rows.length; at++) places[at] = placeOf[codes[rows[at] as number] as number] as number;
}

/** Adds how often each place occurs among the first of a list. */
function countEach(places: Int32Array, length: number, counts: Int32Array): void {
  for (let at = 0; at < length; at++) {
    const place = places[at] as number;
    counts[place] = (counts[place] as number) + 1;
  }
}

/** @param numbers of the dictionary; null: there is no column, so all are 0 */
export function placesOf(
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

/** Counts rows by value, and nothing else but their persons where they are wanted. */
export function countByValue(
  builder: TallyBuilder,
  columns: ChunkColumns,
  rows: Int32Array,
  by: Value,
  withPersons: boolean,
): void {
  const divided = divide(columns, rows, by);
  const { values, counts } = divided;
  const end = (place: number) => builder.end(values[place] as number, counts[place] as number);
  const persons = columns['person'];
  if (withPersons && persons !== undefined) addByValue(builder, rows, divided, openColumn(persons), end);
  else for (let place = 0; place < values.length; place++) end(place);
}

/** With fewer rows than this factor times the persons, most persons occur once: deduplication costs more than duplicates. */
const OFTEN = 1.5;

/** Adds the persons of each value and ends its group; deduplicated when worthwhile. */
export function addByValue(
  builder: TallyBuilder,
  rows: Int32Array,
  { counts, places }: Divided,
  { codes, numbers }: Column,
  end: (place: number) => void,
): void {
  const persons = numbers as Int32Array;
  const isOnce = rows.length >= persons.length * OFTEN;
  const ends = new Int32Array(counts.length);
  let sum = 0;
  for (let place = 0; place < ends.length; place++) {
    ends[place] = sum;
    sum += counts[place] as number;
  }
  const ordered = scratch(SCRATCH.people, rows.length);
  const meanings = isOnce ? upTo(persons.length) : persons;
  putInOrder(wide(codes, SCRATCH.codes), meanings, rows, places, ends, ordered);
  const seen = isOnce ? new Int32Array(persons.length) : null;
  for (let place = 0; place < ends.length; place++) {
    const begin = place === 0 ? 0 : (ends[place - 1] as number);
    const until = ends[place] as number;
    builder.persons(ordered, begin, seen === null ? until : onceEach(ordered, begin, until, persons, seen, place + 1));
    end(place);
  }
}

/** 0, 1, 2 and so on, in memory that is used again. */
function upTo(length: number): Int32Array {
  const numbers = scratch(SCRATCH.numbers, length);
  for (let at = 0; at < length; at++) numbers[at] = at;
  return numbers;
}

/** Sorts persons by value (counting sort). @param ends start of each value; afterwards its end */
function putInOrder(
  codes: Int32Array,
  meanings: Int32Array,
  rows: Int32Array,
  places: Int32Array,
  ends: Int32Array,
  ordered: Int32Array,
): void {
  for (let at = 0; at < rows.length; at++) {
    const place = places[at] as number;
    const next = ends[place] as number;
    ordered[next] = meanings[codes[rows[at] as number] as number] as number;
    ends[place] = next + 1;
  }
}

/**
 * Writes distinct persons of the codes. Branch-free, because repeats are unpredictable.
 * @param seen by code, the last round with it @returns the end offset
 */
function onceEach(
  ordered: Int32Array,
  begin: number,
  until: number,
  persons: Int32Array,
  seen: Int32Array,
  round: number,
): number {
  let end = begin;
  for (let at = begin; at < until; at++) {
    const code = ordered[at] as number;
    ordered[end] = persons[code] as number;
    const apart = (seen[code] as number) ^ round;
    end += (apart | -apart) >>> 31;
    seen[code] = round;
  }
  return end;
}
