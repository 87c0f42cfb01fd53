/** Persons by how much they did: what each has of one measure, and the first of them from a place on. Pure. */
import { withoutNoise } from '#src/kit/numbers/decimals.ts';
import { currentOf } from './merges.ts';
import { currenciesByPayers, distinctVisits, type FiguresPart, placesOf, visitsAt } from './person-figures.ts';
import { floatsOf, intsOf, sharedFloats, sharedInts } from './shared.ts';

export type PersonMeasure = 'events' | 'visits' | 'revenue';

export interface PersonValuesPlan {
  mergedInto: Int32Array | null;
  measure: PersonMeasure;
  /** Numbers of persons as they are now; null: all. */
  only: Int32Array | null;
}

export interface PersonValues {
  /** Those who did something, as they are now, ascending. */
  persons: Int32Array;
  /** Of each, in the same order; revenue is in the currency that most people paid in. */
  values: Float64Array;
}

export function personValues(
  { mergedInto, measure, only }: PersonValuesPlan,
  parts: readonly FiguresPart[],
): PersonValues {
  const nowOf = (person: number) => currentOf(mergedInto, person);
  const persons = personsIn(parts, nowOf, only);
  const placeOf = placesOf(persons);
  const placed = parts.map((part) => Int32Array.from(part.persons, (person) => placeOf(nowOf(person))));
  const values = sharedFloats(persons.length);
  if (measure === 'events') addEvents(values, parts, placed);
  else if (measure === 'revenue') {
    // Of all people, so that pages and lists of few are in the same currency.
    const [main] = currenciesByPayers(
      parts,
      parts.map((part) => Int32Array.from(part.persons, nowOf)),
    );
    addRevenue(values, parts, placed, main);
  } else {
    const counts = new Int32Array(persons.length);
    for (const [number, part] of parts.entries()) {
      for (const [at, place] of (placed[number] as Int32Array).entries()) {
        if (place >= 0) counts[place] = (counts[place] as number) + visitsAt(part, at).length;
      }
    }
    values.set(distinctVisits(parts, placed, counts));
  }
  return { persons, values };
}

/** Persons of the parts that are also in `persons`, ascending. */
function personsIn(
  parts: readonly FiguresPart[],
  nowOf: (person: number) => number,
  only: Int32Array | null,
): Int32Array<SharedArrayBuffer> {
  let size = 0;
  for (const { persons } of parts) for (const person of persons) size = Math.max(size, nowOf(person) + 1);
  const marks = new Uint8Array(size);
  if (only === null) for (const { persons } of parts) for (const person of persons) marks[nowOf(person)] = 1;
  else {
    const wanted = new Uint8Array(size);
    for (const person of only) if (person < size) wanted[person] = 1;
    for (const { persons } of parts)
      for (const person of persons) marks[nowOf(person)] = wanted[nowOf(person)] as number;
  }
  const found = sharedInts(marks.reduce((sum, mark) => sum + mark, 0));
  for (let number = 0, at = 0; number < size; number++) if (marks[number] === 1) found[at++] = number;
  return found;
}

function addEvents(values: Float64Array, parts: readonly FiguresPart[], placed: readonly Int32Array[]): void {
  for (const [number, { events }] of parts.entries()) {
    for (const [at, place] of (placed[number] as Int32Array).entries()) {
      if (place >= 0) values[place] = (values[place] as number) + (events[at] as number);
    }
  }
}

/** @param main the only currency that is added up */
function addRevenue(
  values: Float64Array,
  parts: readonly FiguresPart[],
  placed: readonly Int32Array[],
  main: string | undefined,
): void {
  for (const [number, { paid, paidIn, currencies, sums }] of parts.entries()) {
    const places = placed[number] as Int32Array;
    for (const [at, payer] of paid.entries()) {
      const place = places[payer] as number;
      if (place >= 0 && currencies[paidIn[at] as number] === main)
        values[place] = (values[place] as number) + (sums[at] as number);
    }
  }
  for (const [place, value] of values.entries()) values[place] = withoutNoise(value);
}

/** Someone, and their value. */
export interface RankedPerson {
  number: number;
  value: number;
}

export interface TopPersonsPlan {
  /** The last one before; null: from the greatest value on. */
  after: RankedPerson | null;
  limit: number;
}

/** The greatest values first; of equal ones, who came last. */
export function topPersons({ after, limit }: TopPersonsPlan, { persons, values }: PersonValues): PersonValues {
  const isBefore = (at: number, value: number, number: number) =>
    (values[at] as number) > value || (values[at] === value && (persons[at] as number) > number);
  const byRank = (one: number, other: number) =>
    (values[other] as number) - (values[one] as number) || (persons[other] as number) - (persons[one] as number);
  const found: number[] = [];
  let last: number | undefined;
  for (let at = 0; at < persons.length; at++) {
    if (last !== undefined && !isBefore(at, values[last] as number, persons[last] as number)) continue;
    if (after !== null && !isAfter(at, after)) continue;
    found.push(at);
    if (found.length < limit * 2) continue;
    found.sort(byRank).splice(limit);
    last = found[limit - 1];
  }
  found.sort(byRank).splice(limit);
  return {
    persons: intsOf(found.map((at) => persons[at] as number)),
    values: floatsOf(found.map((at) => values[at] as number)),
  };

  function isAfter(at: number, { value, number }: RankedPerson): boolean {
    return (values[at] as number) < value || (values[at] === value && (persons[at] as number) < number);
  }
}
