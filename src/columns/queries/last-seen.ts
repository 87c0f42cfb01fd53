/**
 * People in the order in which they were seen last, the latest first. Chunks are gone through from the newest day back: anyone who was seen on a later day is
 * passed over, so what is the last event of the others there is their last one of all. Everything counts, also views by bots and internal traffic.
 */

import type { ClientBase } from 'pg';
import { dayMs } from '#src/kit/zone.ts';
import { chunkKinds } from '../contract.ts';
import { currentOf } from '../kernels/merges.ts';
import { type Gathered, type GatherParts, gather, listChunks } from '../snapshot/gather.ts';
import type { Snapshot } from '../snapshot/snapshots.ts';
import type { Chunk } from '../storage/chunk-sql.ts';
import * as queries from '../storage/chunk-sql.ts';
import { numbersOf } from '../storage/format.ts';
import type { Span } from '../storage/span.ts';
import type { AnswerParts } from './answer-parts.ts';

/** Someone, and when they were seen last. */
export interface SeenPerson {
  number: number;
  at: number;
}

export interface LastSeenQuery {
  projectId: number;
  /** Only people after this one; a time before all times: only people without events; null: all. */
  after: SeenPerson | null;
  /** So many are wanted. */
  limit: number;
  /** Filters people by rows of the snapshot. Called in their order, for as few as necessary. */
  choose(client: ClientBase, numbers: readonly number[]): Promise<readonly number[]>;
  /**
   * Matching people without events, by rows of the snapshot: called last.
   * @param seen bitmap by number, set for people with events; the lowest bit of the first byte is 0
   */
  others(client: ClientBase, seen: Uint8Array, limit: number): Promise<SeenPerson[]>;
  /** Asked before each further step. */
  mayGoOn(): boolean;
}

export interface LastSeenPage {
  /** Followed by people without events at the end. */
  people: SeenPerson[];
  /** Set when looking took too long: all wanted people who were seen last after this are listed. */
  searchedTo: number | null;
}

/** How much is looked at first, and at most. */
export interface LastSeenSteps {
  /** Events, by whole days. */
  rows: number;
  /** People filtered per step. */
  people: number;
  /** Events of days with stale chunks: each takes some microseconds. */
  outdated: number;
}

const FIRST: LastSeenSteps = { rows: 50_000, people: 500, outdated: 100_000 };
/** Each step is so many times as long as the one before, up to the longest. */
const LONGER = 4;
const LONGEST = { rows: 1_000_000, people: 20_000 };

/**
 * @param first instead of `FIRST`
 * @returns null: more rows would have to be read than is worth it, until they are sealed again
 * @throws AppError `timeout`, and what `choose` throws
 */
export function queryLastSeen(parts: AnswerParts, asked: LastSeenQuery, first = FIRST): Promise<LastSeenPage | null> {
  parts.threads.warm();
  return parts.snapshots.withSnapshot(
    asked.projectId,
    [],
    (snapshot) => search({ ...parts, snapshot, client: snapshot.client }, asked, first),
    parts.ending,
  );
}

type SearchParts = GatherParts & { snapshot: Snapshot };

async function search(parts: SearchParts, asked: LastSeenQuery, first: LastSeenSteps): Promise<LastSeenPage | null> {
  const { client, snapshot, threads } = parts;
  const { projectId, after, limit } = asked;
  const outline = await snapshot.once('outline', () => queries.outlineOf(client, projectId));
  const chunks = await listChunks(parts, projectId, outline);
  const end = after === null ? Number.POSITIVE_INFINITY : (Math.floor(after.at / dayMs) + 1) * dayMs;
  const outdated = new Set(outline.marks.filter(({ kind }) => kind === chunkKinds.events).map(({ unit }) => unit));
  const rowsToRead = ({ from, until }: Span) => {
    const ofSpan = chunks.filter(
      ({ kind, unit }) =>
        kind === chunkKinds.events && outdated.has(unit) && unit * dayMs >= from && unit * dayMs < until,
    );
    return ofSpan.reduce((sum, { rows }) => sum + rows, 0);
  };
  let left = first.outdated - rowsToRead({ from: end, until: Number.POSITIVE_INFINITY });
  if (left < 0) return null;
  const later = new Marks();
  if (after !== null)
    later.addAll(everybodyOf(await read(parts, projectId, { from: end, until: Number.POSITIVE_INFINITY }, ['person'])));
  const people: SeenPerson[] = [];
  let size = first.people;
  for (const span of Number.isFinite(end) || after === null ? stretchesOf(chunks, end, first.rows) : []) {
    left -= rowsToRead(span);
    if (left < 0) return null;
    const { events, mergedInto } = await read(parts, projectId, span, ['person', 'ts']);
    const { persons, times } = await threads.run({
      task: 'lastSeen',
      plan: { mergedInto, later: later.bytes },
      chunks: events.map(({ columns }) => columns),
    });
    later.addAll(persons);
    for (let at = placeAfter(after, persons, times); at < persons.length; ) {
      const some = [...persons.subarray(at, at + size)];
      const wanted = new Set(await asked.choose(client, some));
      for (const [place, number] of some.entries()) {
        if (wanted.has(number)) people.push({ number, at: times[at + place] as number });
      }
      if (people.length >= limit) return { people: people.slice(0, limit), searchedTo: null };
      at += some.length;
      size = Math.min(size * LONGER, LONGEST.people);
      // A result of one snapshot is complete up to a time; the next page must make progress.
      const reached = times[at - 1] as number;
      const isFurther = reached < (after?.at ?? Number.POSITIVE_INFINITY);
      if (at < persons.length && isFurther && !asked.mayGoOn()) {
        return { people: people.filter((person) => person.at > reached), searchedTo: reached };
      }
    }
    if (Number.isFinite(span.from) && !asked.mayGoOn()) return { people, searchedTo: span.from - 1 };
  }
  const others = await asked.others(client, later.asBits(), limit - people.length);
  return { people: [...people, ...others], searchedTo: null };
}

function read(parts: SearchParts, projectId: number, span: Span, eventColumns: readonly string[]): Promise<Gathered> {
  return gather(parts, {
    projectId,
    spans: [span],
    eventColumns,
    properties: [],
    sessionColumns: [],
    toEndOfVisits: false,
  });
}

/** Whole days before `end`, the newest first; all that there are. */
function* stretchesOf(chunks: readonly Chunk[], end: number, firstRows: number): Generator<Span> {
  const rowsOf = new Map<number, number>();
  for (const { kind, unit, rows } of chunks) {
    if (kind === chunkKinds.events && unit * dayMs < end) rowsOf.set(unit, (rowsOf.get(unit) ?? 0) + rows);
  }
  let [until, rows, most] = [end, 0, firstRows];
  for (const [unit, own] of [...rowsOf].sort(([one], [other]) => other - one)) {
    rows += own;
    if (rows < most) continue;
    const from = unit * dayMs;
    yield { from, until };
    [until, rows, most] = [from, 0, Math.min(most * LONGER, LONGEST.rows)];
  }
  // Unsealed events may be of any day.
  yield { from: Number.NEGATIVE_INFINITY, until };
}

/** All persons with events, by current number. */
function* everybodyOf({ events, mergedInto }: Gathered): Generator<number> {
  for (const { columns } of events) {
    for (const number of (columns['person'] && numbersOf(columns['person'])) ?? []) {
      yield currentOf(mergedInto, number);
    }
  }
}

/** Index of the first person after this one. */
function placeAfter(after: SeenPerson | null, persons: Int32Array, times: Float64Array): number {
  if (after === null) return 0;
  const place = persons.findIndex((number, at) => {
    const seenAt = times[at] as number;
    return seenAt < after.at || (seenAt === after.at && number < after.number);
  });
  return place < 0 ? persons.length : place;
}

/** A mark for each number. */
class Marks {
  bytes = new Uint8Array(1024);

  addAll(numbers: Iterable<number>): void {
    for (const number of numbers) {
      if (number >= this.bytes.length) {
        const larger = new Uint8Array(Math.max(number + 1, this.bytes.length * 2));
        larger.set(this.bytes);
        this.bytes = larger;
      }
      this.bytes[number] = 1;
    }
  }

  asBits(): Uint8Array {
    const bits = new Uint8Array(Math.ceil(this.bytes.length / 8));
    for (const [number, mark] of this.bytes.entries()) {
      if (mark === 1) bits[number >> 3] = (bits[number >> 3] as number) | (1 << (number & 7));
    }
    return bits;
  }
}
