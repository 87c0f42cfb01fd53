/** Persons by what they did in a span of time, the most first: of all, or of those who are chosen. */
import type { ClientBase } from 'pg';
import type { PersonFigures } from '../kernels/person-figures.ts';
import type { PersonMeasure, PersonValues, RankedPerson } from '../kernels/rank-persons.ts';
import type { AnswerParts } from './answer-parts.ts';
import { type FiguresQuery, listFigures, readFigures } from './figures.ts';
import { atOneMoment } from './prepare-series.ts';

export interface RankQuery extends FiguresQuery {
  measure: PersonMeasure;
  /** The last one of the page before; `idle`: all who did something are passed over. */
  after: RankedPerson | 'idle' | null;
  limit: number;
  /** Numbers of persons as they are now; null: all whom `choose` gives back. */
  only: readonly number[] | null;
  /** Filters candidates by rows of the snapshot. Called in rank order, with as few candidates as needed. */
  choose(client: ClientBase, numbers: readonly number[]): Promise<readonly number[]>;
  /**
   * Those who are wanted and did nothing in the span: asked when nobody else is left.
   * @param active a bit for each number, set of those who did something: the lowest bit of the first byte for 0
   */
  others(client: ClientBase, active: Uint8Array, limit: number): Promise<readonly { number: number; at: number }[]>;
  /** Asked before each further step. */
  mayGoOn(): boolean;
}

/** Someone, with their place: by value, or (`idle`) the time by which those who did nothing are in order. */
export interface RankPlace extends RankedPerson {
  idle: { at: number } | null;
}

export interface RankFound {
  people: RankPlace[];
  /** What each of them did, in the same order. */
  figures: PersonFigures;
  /** Set when looking took too long: wanted people before this place are all listed. */
  searchedTo: RankedPerson | null;
}

/** People of whom it is asked at a time whether they are wanted: each step is so many times as long as the one before. */
const FIRST_STEP = 500;
const LONGER = 4;
const LONGEST_STEP = 20_000;

/** @throws AppError `timeout`, and what `choose` throws */
export function queryRankedPersons(parts: AnswerParts, asked: RankQuery, firstStep = FIRST_STEP): Promise<RankFound> {
  const { threads } = parts;
  return atOneMoment(parts, async (client) => {
    const ready = await readFigures(parts, client, asked);
    const listed = await listFigures(ready, asked);
    const { mergedInto } = ready.gathered;
    const only = asked.only && Int32Array.from(asked.only);
    const plan = { mergedInto, measure: asked.measure, only };
    const values = await threads.run({ task: 'personValues', plan, parts: listed });
    const { people, searchedTo } = await search(parts, client, asked, values, firstStep);
    const numbers = Int32Array.from(people, ({ number }) => number);
    const figures = await threads.run({ task: 'sumFigures', plan: { mergedInto, people: numbers }, parts: listed });
    return { people, figures, searchedTo };
  });
}

async function search(
  { threads }: AnswerParts,
  client: ClientBase,
  { after, limit, only, choose, others, mayGoOn }: RankQuery,
  values: PersonValues,
  firstStep: number,
): Promise<Omit<RankFound, 'figures'>> {
  const people: RankPlace[] = [];
  let place = after === 'idle' ? null : after;
  let isLeft = after !== 'idle';
  for (let size = only === null ? firstStep : limit; isLeft; size = Math.min(size * LONGER, LONGEST_STEP)) {
    const top = await threads.run({ task: 'topPersons', plan: { after: place, limit: size }, of: values });
    const wanted = only === null ? new Set(await choose(client, [...top.persons])) : null;
    for (const [at, number] of top.persons.entries()) {
      place = { number, value: top.values[at] as number };
      if (wanted === null || wanted.has(number)) people.push({ ...place, idle: null });
    }
    if (people.length >= limit) return { people: people.slice(0, limit), searchedTo: null };
    isLeft = top.persons.length === size;
    if (isLeft && !mayGoOn()) return { people, searchedTo: place };
  }
  const idle = await others(client, bitsOf(values.persons), limit - people.length);
  people.push(...idle.map(({ number, at }) => ({ number, value: 0, idle: { at } })));
  return { people, searchedTo: null };
}

function bitsOf(persons: Int32Array): Uint8Array {
  const bits = new Uint8Array(((persons.at(-1) ?? 0) >> 3) + 1);
  for (const number of persons) bits[number >> 3] = (bits[number >> 3] as number) | (1 << (number & 7));
  return bits;
}
