/**
 * Figures of persons: events, visits, revenue, last seen. Computed for all persons of a chunk, so that the cache serves
 * every set; persons are as in the rows, before merges. Pure, except for reused memory.
 */
import { withoutNoise } from '#src/kit/numbers/decimals.ts';
import type { DecimalSeparator } from '#src/kit/numbers/values.ts';
import type { ChunkColumns } from '../storage/format.ts';
import { type Column, openColumn } from '../storage/format.ts';
import { placesAt } from '../storage/quarters.ts';
import { columnOf, type EventChunk, rowsIn } from './count-events.ts';
import { type RowPlan, rowsOfPeople } from './count-trend.ts';
import { currentOf } from './merges.ts';
import type { SessionSet } from './session-set.ts';
import { floatsOf, intsOf, sharedFloats, sharedInts } from './shared.ts';
import { readAmounts, readCurrencies } from './sum-events.ts';

/** Events that are worth something: where they say how much. */
export interface AmountPlan {
  rows: RowPlan;
  /** The column of the amount. */
  amount: string;
  /** The column that names the currency; null: none does. */
  currency: string | null;
  /** The currency of events that name none; '': not known. */
  otherwise: string;
  decimal: DecimalSeparator;
}

export interface FiguresPlan {
  rows: RowPlan;
  /** For an event with several amounts, the first one counts. */
  amounts: readonly AmountPlan[];
}

/** By index of the person in the list. */
export interface FiguresPart {
  persons: Int32Array;
  events: Int32Array;
  /** Time of the last event, ms. */
  lastSeen: Float64Array;
  /** Numbers of visits, each once for each person, and where those of each person end. */
  visits: Float64Array;
  visitEnds: Int32Array;
  /** Amounts: place of the person, place in `currencies`, and the sum. */
  currencies: string[];
  paid: Int32Array;
  paidIn: Int32Array;
  sums: Float64Array;
}

export function listFigures(
  plan: FiguresPlan,
  { columns, edges }: EventChunk,
  sets: readonly SessionSet[],
): FiguresPart {
  const bounds = placesAt(columns, rowsIn(columns), edges);
  const [from, until] = [bounds[0] ?? 0, bounds.at(-1) ?? 0];
  const { codes, numbers } = columnOf(columns, 'person');
  const persons = (numbers ?? new Int32Array(0)) as Int32Array;
  const times = columnOf(columns, 'ts');
  const session = columns['session'] === undefined ? null : openColumn(columns['session']);
  const events = new Int32Array(persons.length);
  const last = new Float64Array(persons.length);
  const pairs = new Pairs(session, persons.length);
  for (const row of rowsOfPeople(plan.rows, columns, sets, from, until)) {
    const code = codes[row] as number;
    events[code] = (events[code] as number) + 1;
    last[code] = (times.codes[row] as number) + times.base; // rows are in order of time
    pairs.add(code, row);
  }
  const there: number[] = [];
  const placeOf = new Int32Array(persons.length).fill(-1);
  for (let code = 0; code < persons.length; code++) {
    if (persons[code] === 0 || events[code] === 0) continue;
    placeOf[code] = there.push(code) - 1;
  }
  return {
    persons: intsOf(there.map((code) => persons[code] as number)),
    events: intsOf(there.map((code) => events[code] as number)),
    lastSeen: floatsOf(there.map((code) => last[code] as number)),
    ...pairs.listed(placeOf, there.length),
    ...amountsIn(plan.amounts, columns, sets, { from, until, codes, placeOf }),
  };
}

/** Pairs of person and visit; may contain duplicates. */
class Pairs {
  private readonly column: Column | null;
  private readonly lastOf: Int32Array;
  private readonly persons: number[] = [];
  private readonly codes: number[] = [];

  constructor(column: Column | null, persons: number) {
    this.column = column;
    this.lastOf = new Int32Array(persons).fill(-1);
  }

  add(person: number, row: number): void {
    if (this.column === null) return;
    const code = this.column.codes[row] as number;
    if (this.lastOf[person] === code) return; // events of a visit mostly follow each other
    this.lastOf[person] = code;
    this.persons.push(person);
    this.codes.push(code);
  }

  /** @param placeOf by code of a person; below 0: it is not listed */
  listed(placeOf: Int32Array, places: number): Pick<FiguresPart, 'visits' | 'visitEnds'> {
    const numbers = this.column?.numbers ?? [];
    const isListed = (at: number) =>
      (placeOf[this.persons[at] as number] as number) >= 0 && numbers[this.codes[at] as number] !== 0;
    const counts = new Int32Array(places + 1);
    for (let at = 0; at < this.codes.length; at++) {
      if (isListed(at)) addTo(counts, (placeOf[this.persons[at] as number] as number) + 1);
    }
    for (let place = 1; place <= places; place++) addTo(counts, place, counts[place - 1] as number);
    const visits = sharedFloats(counts[places] as number);
    for (let at = 0; at < this.codes.length; at++) {
      if (!isListed(at)) continue;
      const place = placeOf[this.persons[at] as number] as number;
      visits[counts[place] as number] = numbers[this.codes[at] as number] as number;
      addTo(counts, place);
    }
    // Each offset is now at the end of its person's events.
    return { visits, visitEnds: intsOf(counts.subarray(0, places)) };
  }
}

function addTo(list: Int32Array, at: number, more = 1): void {
  list[at] = (list[at] as number) + more;
}

interface PersonRows {
  from: number;
  until: number;
  codes: Column['codes'];
  placeOf: Int32Array;
}

function amountsIn(
  plans: readonly AmountPlan[],
  columns: ChunkColumns,
  sets: readonly SessionSet[],
  { from, until, codes, placeOf }: PersonRows,
): Pick<FiguresPart, 'currencies' | 'paid' | 'paidIn' | 'sums'> {
  const currencies: string[] = [];
  const sums = new Map<number, number>();
  const isDone = new Uint8Array(plans.length > 1 ? until - from : 0);
  const people = placeOf.length;
  for (const plan of plans) {
    const bytes = columns[plan.amount];
    if (bytes === undefined) continue;
    const amounts = readAmounts(openColumn(bytes), plan);
    const named = plan.currency === null ? undefined : columns[plan.currency];
    const currency = named === undefined ? null : readCurrencies(openColumn(named), plan.otherwise);
    for (const row of rowsOfPeople(plan.rows, columns, sets, from, until)) {
      if (isDone[row - from] === 1) continue;
      const entry = amounts.codes[row] as number;
      const worth = amounts.numbers[entry] as number;
      const place = placeOf[codes[row] as number] as number;
      if (Number.isNaN(worth) || place < 0) continue;
      if (isDone.length > 0) isDone[row - from] = 1;
      const said = currency === null ? null : (currency.named[currency.codes[row] as number] as string | null);
      const own = said ?? amounts.beside[entry] ?? plan.otherwise;
      let number = currencies.indexOf(own);
      if (number < 0) number = currencies.push(own) - 1;
      const key = number * people + place;
      sums.set(key, (sums.get(key) ?? 0) + worth);
    }
  }
  const keys = [...sums.keys()];
  return {
    currencies,
    paid: intsOf(keys.map((key) => key % people)),
    paidIn: intsOf(keys.map((key) => Math.floor(key / people))),
    sums: floatsOf([...sums.values()]),
  };
}

export function bytesOfFigures({ persons, visits, sums }: FiguresPart): number {
  return persons.length * 20 + visits.length * 8 + sums.length * 16;
}

/** Figures of each person, in the order of the set. */
export interface PersonFigures {
  events: Int32Array;
  visits: Int32Array;
  /** ms; 0: no events. */
  lastSeen: Float64Array;
  /** The currency of the largest number of payers first. */
  revenue: { currency: string; sums: Float64Array }[];
}

export interface SumFiguresPlan {
  mergedInto: Int32Array | null;
  /** Current persons, distinct. */
  people: Int32Array;
}

export function sumFigures({ mergedInto, people }: SumFiguresPlan, parts: readonly FiguresPart[]): PersonFigures {
  const placeOf = placesOf(people);
  const found = { events: sharedInts(people.length), lastSeen: sharedFloats(people.length) };
  const revenue = new Map<string, Float64Array>();
  const visitors = new Int32Array(people.length);
  const placed = parts.map((part) => {
    const places = Int32Array.from(part.persons, (person) => placeOf(currentOf(mergedInto, person)));
    for (let at = 0; at < places.length; at++) {
      const place = places[at] as number;
      if (place < 0) continue;
      found.events[place] = (found.events[place] as number) + (part.events[at] as number);
      found.lastSeen[place] = Math.max(found.lastSeen[place] as number, part.lastSeen[at] as number);
      visitors[place] = (visitors[place] as number) + visitsAt(part, at).length;
    }
    for (let at = 0; at < part.paid.length; at++) {
      const place = places[part.paid[at] as number] as number;
      if (place < 0) continue;
      const currency = part.currencies[part.paidIn[at] as number] as string;
      const sums = revenue.get(currency) ?? sharedFloats(people.length);
      revenue.set(currency, sums);
      sums[place] = (sums[place] as number) + (part.sums[at] as number);
    }
    return places;
  });
  return {
    ...found,
    visits: distinctVisits(parts, placed, visitors),
    revenue: currenciesByPayers(parts, placed).map((currency) => ({
      currency,
      sums: floatsOf((revenue.get(currency) as Float64Array).map(withoutNoise)),
    })),
  };
}

/**
 * Currencies of payments by how many people paid in them, most first; equal ones by name.
 * @param placed for each part, the places of its persons; below 0: not counted
 */
export function currenciesByPayers(parts: readonly FiguresPart[], placed: readonly Int32Array[]): string[] {
  const payers = new Map<string, Set<number>>();
  for (const [number, { paid, paidIn, currencies }] of parts.entries()) {
    const places = placed[number] as Int32Array;
    const own = currencies.map((currency) => payers.get(currency) ?? new Set<number>());
    for (const [at, payer] of paid.entries()) {
      const place = places[payer] as number;
      if (place >= 0) own[paidIn[at] as number]?.add(place);
    }
    for (const [at, currency] of currencies.entries()) payers.set(currency, own[at] as Set<number>);
  }
  return [...payers]
    .filter(([, { size }]) => size > 0)
    .sort(([one, { size }], [other, { size: others }]) => others - size || (one < other ? -1 : 1))
    .map(([currency]) => currency);
}

export function visitsAt({ visits, visitEnds }: FiguresPart, at: number): Float64Array {
  return visits.subarray(at === 0 ? 0 : visitEnds[at - 1], visitEnds[at]);
}

/** A visit may lie in several chunks: those of each person are put side by side. @param counts how many there are, with repetitions */
export function distinctVisits(
  parts: readonly FiguresPart[],
  placed: readonly Int32Array[],
  counts: Int32Array,
): Int32Array {
  const next = new Int32Array(counts.length);
  for (let place = 1; place < next.length; place++) {
    next[place] = (next[place - 1] as number) + (counts[place - 1] as number);
  }
  const begins = next.slice();
  const all = new Float64Array((begins.at(-1) ?? 0) + (counts.at(-1) ?? 0));
  for (const [number, part] of parts.entries()) {
    const places = placed[number] as Int32Array;
    for (let at = 0; at < places.length; at++) {
      const place = places[at] as number;
      if (place < 0) continue;
      const own = visitsAt(part, at);
      all.set(own, next[place]);
      next[place] = (next[place] as number) + own.length;
    }
  }
  const distinct = sharedInts(counts.length);
  for (let place = 0; place < counts.length; place++) {
    const begin = begins[place] as number;
    if ((counts[place] as number) < 2) {
      distinct[place] = counts[place] as number;
      continue;
    }
    const own = all.subarray(begin, begin + (counts[place] as number)).sort();
    let count = 0;
    for (let at = 0; at < own.length; at++) if (at === 0 || own[at] !== own[at - 1]) count++;
    distinct[place] = count;
  }
  return distinct;
}

/** The place of a person in the list; below 0: it is not on it. */
export function placesOf(people: Int32Array): (person: number) => number {
  const places = new Int32Array(people.reduce((most, each) => Math.max(most, each), 0) + 1).fill(-1);
  for (let at = 0; at < people.length; at++) places[people[at] as number] = at;
  return (person) => places[person] ?? -1;
}
