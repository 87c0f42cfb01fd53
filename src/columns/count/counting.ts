/** The work of a question, handed to the threads: what is known of a chunk from before is not counted again. */
import { eventMarks } from '#src/events/contract.ts';
import { Cancelled } from '#src/kit/cancelled.ts';
import type { Traffic } from '../contract.ts';
import type { EventCount, EventPlan } from '../kernels/count-events.ts';
import type { SessionPlan, SessionTest } from '../kernels/count-sessions.ts';
import type { SessionList } from '../kernels/session-set.ts';
import type { TallyBytes } from '../kernels/tally.ts';
import { type Gathered, touches } from '../snapshot/gather.ts';
import type { GatheredChunk } from '../snapshot/gathered-chunk.ts';
import type { Cache } from '../storage/cache.ts';
import { tagImmutable } from '../storage/immutable.ts';
import type { Visits } from '../threads/tasks.ts';
import type { CountParts } from './count-parts.ts';
import { cut, type Edges } from './edges.ts';
import { type KeyOfChunk, keyOfEvents, keyOfTest, keyOfVisits } from './result-keys.ts';

/** The tally of a chunk, and the number of its first group. */
export interface Counted {
  tally: TallyBytes;
  shift: number;
}

/** With fewer rows, dividing the work costs more than it saves. */
const ROWS_WORTH_DIVIDING = 50_000;

/** True for a key of a cached count. */
export function isResult(key: string): boolean {
  return key.includes('[');
}

/** @param at which span of the question */
export async function countEventsOf(
  parts: CountParts,
  edges: Edges,
  at: number,
): Promise<{ parts: Counted[]; sessions: SessionList[] }> {
  const { gathered, conditions, by, names, listsSessions, botMark, internalMark, include, sets, threads } = parts;
  const window = gathered.windows[at] as Gathered['windows'][number];
  const byEvents = by?.of === 'events' ? by : null;
  const plan: EventPlan = {
    names,
    listsSessions,
    botMark,
    internalMark,
    include,
    where: conditions?.where ?? null,
    by: byEvents && { column: byEvents.column, values: byEvents.values.textOf },
    withPersons: byEvents?.withPersons,
  };
  const grouping = byEvents && [byEvents.column, byEvents.values.serial, byEvents.withPersons];
  const key = keyOfEvents(parts, ['e', names, grouping, listsSessions]);
  const jobs = gathered.events
    .filter(({ minTs, maxTs }) => touches(window, minTs, maxTs))
    .map((chunk) => ({ chunk, ...cut(edges, chunk.minTs, chunk.maxTs) }))
    .filter((job) => listsSessions || job.edges.length > 0);
  const counts = await countOnce<EventCount>(
    parts,
    jobs,
    key,
    ({ tally, sessions }) => tally.length + (sessions?.byteLength ?? 0),
    (some) =>
      threads.run({
        task: 'countEvents',
        plan,
        chunks: some.map((job) => ({ columns: job.chunk.columns, edges: job.edges })),
        sets,
      }),
  );
  return {
    parts: counts.map(({ tally }, place) => ({ tally, shift: byEvents ? 0 : (jobs[place]?.first ?? 0) })),
    sessions: counts.flatMap(({ sessions }) => sessions ?? []),
  };
}

/** Mask over combinations of the bot and internal marks: 1 for excluded ones. */
function marksOf(left: Traffic): Uint8Array {
  const most = Object.values(eventMarks).reduce((sum, bit) => sum | bit, 0);
  const mask = new Uint8Array(new SharedArrayBuffer(most + 1));
  for (let marks = 0; marks <= most; marks++) {
    const isInternal = (marks & eventMarks.internal) !== 0;
    mask[marks] = (marks & eventMarks.bot) !== 0 && isInternal === (left === 'internal') ? 1 : 0;
  }
  return mask;
}

/**
 * The counted visits. Visits with excluded events are not counted; they do not have the reason, so when a query includes only bots, or
 * only internal traffic, the others are found by their events.
 * @param only visits that match the filters; null: all
 * @param at index of the query's span, gathered to the end of its visits
 */
export async function visitsOf(parts: CountParts, only: SessionList[] | null, at: number): Promise<Visits> {
  const { include } = parts;
  const left = leftAlone(include);
  if (left === null) return { only, without: null, isMixed: include.length > 0 };
  const conditions = { where: { column: 'marks', mask: marksOf(left) }, finds: [], isImmutable: true, persons: null };
  const own = {
    by: null,
    names: null,
    listsSessions: true,
    conditions,
    sets: [],
    filterKey: `left ${left}`,
    personsKey: null,
  };
  return { only, without: (await countEventsOf({ ...parts, ...own }, [], at)).sessions, isMixed: true };
}

/** The excluded kind when only the other is included; null: both or neither are included. */
export function leftAlone(include: readonly Traffic[]): Traffic | null {
  if (include.includes('bots') === include.includes('internal')) return null;
  return include.includes('bots') ? 'internal' : 'bots';
}

export async function countSessionsOf(parts: CountParts, edges: Edges, choice: Visits): Promise<Counted[]> {
  const { gathered, by, bounceMs, threads } = parts;
  const bySessions = by?.of === 'sessions' ? by : null;
  const plan: SessionPlan = {
    bounceMs,
    withLengths: bySessions?.withLengths ?? true,
    by: bySessions && { column: bySessions.column, values: bySessions.values.textOf },
  };
  const grouping = bySessions && [bySessions.column, bySessions.values.serial, plan.withLengths];
  const key = keyOfVisits(parts, ['s', grouping, plan.withLengths && bounceMs], choice);
  const jobs = gathered.sessions
    .map((chunk) => ({ chunk, ...cut(edges, chunk.minTs, chunk.maxTs) }))
    .filter((job) => job.edges.length > 0);
  const tallies = await countTallies(parts, jobs, key, (some) =>
    threads.run({
      task: 'countSessions',
      plan,
      chunks: some.map((job) => ({ columns: job.chunk.columns, edges: job.edges, except: job.chunk.except })),
      choice,
    }),
  );
  return tallies.map((tally, place) => ({ tally, shift: bySessions ? 0 : (jobs[place]?.first ?? 0) }));
}

/** The visits of which each test is true. */
export function findSets(
  parts: Pick<CountParts, 'threads' | 'cache'>,
  gathered: Gathered,
  finds: readonly SessionTest[],
): Promise<SessionList[][]> {
  const jobs = gathered.sessions.map((chunk) => ({ chunk, edges: [] }));
  return Promise.all(
    finds.map((test) =>
      countOnce<SessionList>(
        parts,
        jobs,
        keyOfTest(test),
        (list) => list.byteLength,
        (some) =>
          parts.threads.run({
            task: 'findSessions',
            test,
            chunks: some.map(({ chunk: { columns, except } }) => ({ columns, except })),
          }),
      ),
    ),
  );
}

interface CountJob {
  chunk: GatheredChunk;
  edges: number[];
}

/** Results in the order of the jobs; those of complete stored chunks are cached. Starts with loaded chunks while others are being loaded. */
export async function countOnce<Result>(
  parts: Pick<CountParts, 'cache' | 'threads'>,
  jobs: readonly CountJob[],
  key: string | null | KeyOfChunk,
  bytesOf: (result: Result) => number,
  count: (jobs: readonly CountJob[]) => Promise<Result[]>,
): Promise<Result[]> {
  const results: Result[] = [];
  const { there, coming } = asTheyCome(jobs, parts.threads.count);
  const countAll = async (places: readonly number[], shares: number) => {
    const some = places.map((place) => jobs[place] as CountJob);
    await Promise.all(some.map(({ chunk }) => chunk.arrival));
    const counted = await countThere(parts, some, shares, key, bytesOf, count);
    for (const [at, place] of places.entries()) results[place] = counted[at] as Result;
  };
  await Promise.all([countAll(there, parts.threads.count), ...coming.map((places) => countAll(places, 1))]);
  return results;
}

/** `countOnce` for tallies. */
export function countTallies(
  parts: Pick<CountParts, 'cache' | 'threads'>,
  jobs: readonly CountJob[],
  key: string | null | KeyOfChunk,
  count: (jobs: readonly CountJob[]) => Promise<TallyBytes[]>,
): Promise<TallyBytes[]> {
  return countOnce(parts, jobs, key, (tally) => tally.length, count);
}

/** So many times each thread is given some of what comes, at most. */
const TIMES = 4;

/** Indexes of jobs with loaded columns, and of pending ones, in groups that are counted together. */
function asTheyCome(jobs: readonly CountJob[], threads: number): { there: number[]; coming: number[][] } {
  const there: number[] = [];
  const coming: number[][] = [];
  const rows = jobs.reduce((sum, { chunk }) => sum + (chunk.arrival === undefined ? 0 : chunk.rows), 0);
  const enough = Math.max(ROWS_WORTH_DIVIDING, rows / (threads * TIMES));
  let gathered = enough;
  for (const [place, { chunk }] of jobs.entries()) {
    if (chunk.arrival === undefined) there.push(place);
    else {
      if (gathered >= enough) {
        coming.push([]);
        gathered = 0;
      }
      coming.at(-1)?.push(place);
      gathered += chunk.rows;
    }
  }
  return { there, coming };
}

async function countThere<Result>(
  { cache, threads }: Pick<CountParts, 'cache' | 'threads'>,
  jobs: readonly CountJob[],
  shares: number,
  key: string | null | KeyOfChunk,
  bytesOf: (result: Result) => number,
  count: (jobs: readonly CountJob[]) => Promise<Result[]>,
): Promise<Result[]> {
  await threads.breathe();
  const results: (Result | undefined)[] = [];
  const left: number[] = [];
  const keys = jobs.map(({ chunk, edges }) => {
    const own = key === null || chunk.id === null || chunk.except.length > 0 ? null : key;
    const more = typeof own === 'function' ? own(chunk) : own;
    return more === null ? null : `${chunk.id} ${edges.join()} ${more}`;
  });
  const others: Promise<void>[] = [];
  /** Other queries were at them, and were cancelled. */
  const abandoned: number[] = [];
  jobs.forEach((_, place) => {
    const own = keys[place] ?? null;
    results[place] = own === null ? undefined : cache.get<Result>(own);
    if (results[place] !== undefined) return;
    const other = own === null ? undefined : (cache.underWay.get(own) as Promise<Result> | undefined);
    if (other === undefined) left.push(place);
    else {
      others.push(
        other.then(
          (result) => {
            results[place] = result;
          },
          (error: unknown) => {
            if (!(error instanceof Cancelled)) throw error;
            abandoned.push(place);
          },
        ),
      );
    }
  });
  const lists = divided(left, (place) => (jobs[place] as CountJob).chunk.rows, shares);
  const countList = async (places: number[]) => {
    const counting = count(places.map((place) => jobs[place] as CountJob));
    const owns = places.map((place) => keys[place] ?? null);
    owns.forEach((own, at) => {
      if (own === null) return;
      const { id } = (jobs[places[at] as number] as CountJob).chunk;
      const one = counting.then((counted) => {
        // Sums are kept of what is sealed, and the others added to them.
        if (id !== null && id > 0) noteResult(counted[at]);
        return counted[at];
      });
      one.catch(() => undefined); // its waiters get the error, and so does who counts
      cache.underWay.set(own, one);
    });
    try {
      const counted = await counting;
      places.forEach((place, at) => {
        const result = counted[at] as Result;
        results[place] = result;
        const own = owns[at] ?? null;
        if (own !== null) cache.set(own, result, bytesOf(result));
      });
    } finally {
      for (const own of owns) if (own !== null) cache.underWay.delete(own);
    }
  };
  await Promise.all([...lists.map(countList), ...others]);
  if (abandoned.length > 0) {
    const again = abandoned.map((place) => jobs[place] as CountJob);
    const counted = await countThere({ cache, threads }, again, shares, key, bytesOf, count);
    for (const [at, place] of abandoned.entries()) results[place] = counted[at] as Result;
  }
  return results as Result[];
}

/** Tags a cached result and its parts as immutable. */
function noteResult(result: unknown): void {
  if (typeof result !== 'object' || result === null) return;
  tagImmutable(result);
  for (const piece of Object.values('buffer' in result ? {} : result)) {
    if (ArrayBuffer.isView(piece)) tagImmutable(piece);
  }
}

/** One result, made once for all who want it at the same time, and kept. */
export async function keepUnder<Result>(
  cache: Cache,
  key: string,
  bytesOf: (result: Result) => number,
  make: () => Promise<Result>,
): Promise<Result> {
  const kept = cache.get<Result>(key);
  if (kept !== undefined) return kept;
  const other = cache.underWay.get(key) as Promise<Result> | undefined;
  if (other !== undefined) {
    try {
      return await other;
    } catch (error) {
      // Another query was at it, and was cancelled.
      if (!(error instanceof Cancelled)) throw error;
      return keepUnder(cache, key, bytesOf, make);
    }
  }
  const making = make();
  cache.underWay.set(key, making);
  try {
    const result = await making;
    cache.set(key, result, bytesOf(result) + key.length);
    return result;
  } finally {
    cache.underWay.delete(key);
  }
}

/** Shares of about the same number of rows. */
function divided(places: readonly number[], rowsOf: (place: number) => number, most: number): number[][] {
  const rows = places.reduce((sum, place) => sum + rowsOf(place), 0);
  const shares = rows < ROWS_WORTH_DIVIDING ? 1 : most;
  const lists: number[][] = [];
  let sum = 0;
  for (const place of places) {
    const share = Math.min(Math.floor((sum * shares) / Math.max(rows, 1)), shares - 1);
    const list = lists[share];
    if (list) list.push(place);
    else lists[share] = [place];
    sum += rowsOf(place);
  }
  return lists.filter((list) => list !== undefined);
}
