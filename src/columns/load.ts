/**
 * Columns of chunks, from memory or by COPY, chunk by chunk: what has come is counted while the rest is on its way. What one question
 * reads, others that want it wait for.
 */
import type { ClientBase } from 'pg';
import { AppError } from '#src/kit/errors.ts';
import { copyOutInto } from '#src/store/snapshot.ts';
import type { Cache } from './cache.ts';
import { CopiedFields } from './copied-rows.ts';
import type { ColumnBytes } from './encode.ts';
import type { GatheredChunk } from './gather.ts';
import { isSpoiled, type Moment } from './moments.ts';
import * as queries from './queries.ts';
import { Slabs } from './slabs.ts';

export interface LoadParts {
  moment: Pick<Moment, 'client' | 'second' | 'elsewhere'>;
  cache: Cache;
}

/** Adds these columns to chunks that are stored. When it rejects, nothing is being read any more. */
export async function loadColumns(
  parts: LoadParts,
  projectId: number,
  chunks: readonly GatheredChunk[],
  names: readonly string[],
): Promise<void> {
  const arrivals = await Promise.allSettled(beginColumns(parts, projectId, chunks, names));
  const failed = arrivals.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}

/** Begins to read these columns. @returns for each chunk, when it has them; null: it has them now */
export function beginColumns(
  parts: LoadParts,
  projectId: number,
  chunks: readonly GatheredChunk[],
  names: readonly string[],
  turn?: Turn,
): (Promise<void> | null)[] {
  const { cache } = parts;
  const wanted = chunks.map((chunk) => ({ chunk, ...lackingOf(cache, chunk, names) }));
  const readings = wanted.map(({ chunk, missing }) => (missing.length === 0 ? null : readingOf(chunk, missing)));
  const own = readings.filter((reading) => reading !== null);
  const others = new Set(wanted.flatMap(({ awaited }) => awaited));
  readAll(parts, projectId, own, turn);
  // What others read and did not keep is read after all, when nothing is to be waited for any more.
  let rest: Promise<void> | null = null;
  const readRest = async () => {
    await Promise.allSettled([...others, ...own.map(({ done }) => done.promise)]);
    const left = chunks.map((chunk) => ({ chunk, ...lackingOf(cache, chunk, names) }));
    const again = left.flatMap(({ chunk, missing, awaited }) =>
      missing.length + awaited.length === 0
        ? []
        : [
            readingOf(
              chunk,
              names.filter((name) => !chunk.columns[name]),
            ),
          ],
    );
    readAll(parts, projectId, again);
    await Promise.all(again.map(({ done }) => done.promise));
  };
  return wanted.map(({ chunk, awaited }, at) => {
    const reading = readings[at] ?? null;
    if (reading === null && awaited.length === 0) return null;
    const arrive = async () => {
      await reading?.done.promise;
      if (awaited.length === 0) return;
      await Promise.allSettled(awaited);
      const { missing, awaited: more } = lackingOf(cache, chunk, names);
      if (missing.length + more.length === 0) return;
      rest ??= readRest();
      await rest;
    };
    return arrive();
  });
}

/** Takes what is kept. @returns what nobody reads, and what others are reading now */
function lackingOf(cache: Cache, { id, columns }: GatheredChunk, names: readonly string[]) {
  const missing: string[] = [];
  const awaited: Promise<unknown>[] = [];
  if (id === null || id < 0) return { missing, awaited }; // its columns are those of its rows
  for (const name of names) {
    if (columns[name] !== undefined) continue;
    const key = keyOf(id, name);
    const kept = cache.get<ColumnBytes | null>(key);
    if (kept) columns[name] = kept;
    if (kept !== undefined) continue;
    const other = cache.underWay.get(key);
    if (other === undefined) missing.push(name);
    else awaited.push(other);
  }
  return { missing, awaited };
}

/** Columns of a chunk that are being read. */
interface Reading {
  chunk: GatheredChunk;
  names: readonly string[];
  /** How many of them are still to come. */
  left: number;
  done: PromiseWithResolvers<void>;
}

function readingOf(chunk: GatheredChunk, names: readonly string[]): Reading {
  const reading = { chunk, names, left: names.length, done: Promise.withResolvers<void>() };
  reading.done.promise.catch(() => undefined); // who waits for it is told
  return reading;
}

/** When there is something to wait for. */
export interface Turn {
  /** Nothing is read before. */
  after?: Promise<unknown> | undefined;
  /** The moment's own connection is needed for something else until then. */
  whenIdle?: Promise<unknown> | undefined;
}

/** So many columns are read at a time, nearly. */
const BATCH_COLUMNS = 60;

/** Whole chunks, in their order. */
function inBatches(readings: readonly Reading[]): Reading[][] {
  const batches: Reading[][] = [];
  let columns = BATCH_COLUMNS;
  for (const reading of readings) {
    if (columns >= BATCH_COLUMNS) {
      batches.push([]);
      columns = 0;
    }
    batches.at(-1)?.push(reading);
    columns += reading.names.length;
  }
  return batches;
}

/** Whatever comes of it is told by the readings. */
function readAll({ moment, cache }: LoadParts, projectId: number, readings: readonly Reading[], turn: Turn = {}): void {
  if (readings.length === 0) return;
  const keysOf = ({ chunk, names }: Reading) => names.map((name) => keyOf(chunk.id as number, name));
  for (const reading of readings) for (const key of keysOf(reading)) cache.underWay.set(key, reading.done.promise);
  const forget = (reading: Reading) => {
    for (const key of keysOf(reading)) if (cache.underWay.get(key) === reading.done.promise) cache.underWay.delete(key);
  };
  const keep = (reading: Reading) => {
    const { chunk, names, done } = reading;
    for (const name of names) {
      const bytes = chunk.columns[name];
      cache.set(keyOf(chunk.id as number, name), bytes ?? null, bytes?.length ?? 0);
    }
    forget(reading);
    done.resolve();
  };
  const slabs = new Slabs();
  const batches = inBatches(readings);
  let next = 0;
  const work = async (connection: ClientBase) => {
    while (next < batches.length)
      await readFrom(connection, projectId, batches[next++] as readonly Reading[], slabs, keep);
  };
  const read = async () => {
    await turn.after;
    const beside = async () => {
      const other = batches.length > 1 ? await moment.second?.() : null;
      if (other) await work(other);
    };
    const own = async () => {
      await turn.whenIdle;
      await work(moment.client);
    };
    const failed = (await Promise.allSettled([beside(), own()])).find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
  };
  // Chunks never change: what somebody else spoiled is read at another moment, at which they are still there.
  const readElsewhere = async (client: ClientBase) => {
    const left = readings.filter((reading) => reading.left > 0);
    for (const reading of left) reading.left = reading.names.length;
    const ids = left.map(({ chunk }) => chunk.id as number);
    if (!(await queries.haveChunks(client, projectId, ids)))
      throw new AppError('unavailable', GONE, { retryAfterSec: 1 });
    await readFrom(client, projectId, left, slabs, keep);
  };
  read()
    .catch((error: unknown) => {
      if (!isSpoiled(error) || moment.elsewhere === undefined) throw error;
      return moment.elsewhere(readElsewhere);
    })
    .catch((error: unknown) => {
      for (const reading of readings) {
        if (reading.left === 0) continue;
        forget(reading);
        reading.done.reject(error);
      }
    });
}

const GONE = 'The numbers were put together anew at this moment. Please try again.';

/** @param keep is called with each reading of which all has come */
async function readFrom(
  connection: ClientBase,
  projectId: number,
  readings: readonly Reading[],
  slabs: Slabs,
  keep: (reading: Reading) => void,
): Promise<void> {
  const byId = new Map(readings.map((reading) => [reading.chunk.id, reading]));
  const wanted = {
    ids: readings.flatMap(({ chunk, names }) => names.map(() => chunk.id as number)),
    names: readings.flatMap(({ names }) => names),
  };
  let under: Reading | null = null;
  const end = () => {
    if (under === null) return;
    under.left--;
    if (under.left === 0) keep(under);
  };

  await copyOutInto(connection, queries.columnRows(projectId, wanted), 2, (fields, length) => {
    // The row before is whole.
    end();
    const row = new CopiedFields(fields);
    under = byId.get(row.number()) as Reading;
    const name = row.text() as string;
    if (length < 0) return NOTHING;
    const bytes = slabs.take(name, length);
    under.chunk.columns[name] = bytes;
    return bytes;
  });
  end();
}

const NOTHING = new Uint8Array(0);

/** Numbers of chunks are given once, whatever the project. */
function keyOf(id: number, column: string): string {
  return `${id} ${column}`;
}
