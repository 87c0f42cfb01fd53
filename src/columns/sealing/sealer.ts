/**
 * Turns rows into chunks. A closed epoch becomes small chunks, one for each project and day that it touched; days in many pieces, and
 * days of which rows were changed or deleted, are put together again from the rows. Every step is one transaction that readers see as a
 * whole, and leaves rows as they are.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { type DroppedRows, isDroppedDay } from '#src/events/dropped.ts';
import { closeEpoch, holdEpochs, noteSealed, SEALER_LOCK, sealedEpoch } from '#src/events/sealing.ts';
import type { Clock } from '#src/kit/clock.ts';
import { dayMs } from '#src/kit/zone.ts';
import { copyOutPieces } from '#src/store/copy-out.ts';
import { sqlState } from '#src/store/db.ts';
import { query, sql } from '#src/store/sql.ts';
import { chunkKinds } from '../contract.ts';
import type { DayOfChunks, StaleUnit, Unit } from '../storage/chunk-sql.ts';
import * as queries from '../storage/chunk-sql.ts';
import type { EncodedChunk } from '../storage/encode.ts';
import {
  eventRows,
  MIN_ROW_BYTES,
  placesOfShares,
  sessionRows,
  type WeighedEpoch,
  weighDay,
  weighEpochs,
  weighUnsealed,
} from '../storage/row-sql.ts';
import { encodeRows } from '../threads/encode-rows.ts';
import type { Threads } from '../threads/threads.ts';

/** Maximum size of a chunk's rows, 64 MB: at most 131,072 events, fewer with long properties. Larger days are split. */
const MAX_BYTES = 131_072 * MIN_ROW_BYTES;
/** A second's work, nearly: 16 MB. */
const STEP_ROWS = 32_768;
const BETWEEN_STEPS_MS = 30;
/** Maximum small chunks of a day; beyond it the day is always compacted, because each chunk adds cost to every query. */
const MAX_SMALL = 96;

export interface Sealing {
  /** Events that have been sealed. */
  events: number;
  /** Chunks written. */
  chunks: number;
  bytes: number;
}

export interface SealerParts {
  /** Connected, without time limits. */
  client: Client;
  threads: Threads;
  clock: Clock;
  /** Absent: units of dropped days stay as they are. */
  dropped?: DroppedRows | undefined;
}

/** Holds off other sealers while `work` runs. Gives null when another one is at work. */
export async function withSealerLock<Result>(client: Client, work: () => Promise<Result>): Promise<Result | null> {
  const [row] = await query<{ ok: boolean }>(client, sql`select pg_try_advisory_lock(${SEALER_LOCK}::bigint) as ok`);
  if (row?.ok !== true) return null;
  try {
    return await work();
  } finally {
    await query(client, sql`select pg_advisory_unlock(${SEALER_LOCK}::bigint)`);
  }
}

/**
 * Seals everything that has been committed so far.
 *
 * @param stepRows how many rows at most go into one transaction: while it lasts, those who ask can close no epoch, so that they read all newer
 *   rows each time. An epoch is never divided.
 */
export async function sealAll(parts: SealerParts, stepRows = STEP_ROWS): Promise<Sealing> {
  const done = nothing();
  for (;;) {
    try {
      await sealUntilNow(parts, stepRows, done);
      return done;
    } catch (error) {
      // Someone who reads began an epoch between this transaction's first look and its hold of them.
      if (sqlState(error) !== SERIALIZATION_FAILURE) throw error;
    }
  }
}

const SERIALIZATION_FAILURE = '40001';

async function sealUntilNow(parts: SealerParts, stepRows: number, done: Sealing): Promise<void> {
  const { client } = parts;
  const closed = await closeEpoch(client);
  if (stepRows === Number.POSITIVE_INFINITY) return sealUpTo(parts, closed, done);
  const epochs = await weighEpochs(client, await sealedEpoch(client), closed);
  for (const [at, upTo] of stepsOf(epochs, closed, stepRows).entries()) {
    // A process that waits to close an epoch goes first: a step started meanwhile would have to restart.
    if (at > 0) await sleep(BETWEEN_STEPS_MS);
    await sealUpTo(parts, upTo, done);
  }
}

/**
 * Last epochs of the steps: each step has as many epochs as fit the limits of rows and bytes, but at least one.
 *
 * @param closed end of the last step
 */
export function stepsOf(epochs: readonly WeighedEpoch[], closed: number, stepRows: number): number[] {
  const ends: number[] = [];
  let rows = 0;
  let bytes = 0;
  for (const [at, each] of epochs.entries()) {
    const before = epochs[at - 1];
    if (before && (rows + each.rows > stepRows || bytes + each.bytes > stepRows * MIN_ROW_BYTES)) {
      ends.push(before.epoch);
      rows = 0;
      bytes = 0;
    }
    rows += each.rows;
    bytes += each.bytes;
  }
  return [...ends, closed];
}

/** Seals epochs that are closed, as one transaction. @param done is added to */
export async function sealUpTo({ client, threads, clock }: SealerParts, upTo: number, done: Sealing): Promise<void> {
  const step = nothing();
  await inSnapshot(client, async () => {
    const sealed = await holdEpochs(client);
    for (const { projectId, unit, rows, bytes } of await weighUnsealed(client, sealed, upTo)) {
      const target = { projectId, kind: chunkKinds.events, unit };
      await sealEvents(client, threads, clock, target, { rows, bytes, level: 1, after: sealed, upTo }, step);
    }
    for (const block of await queries.touchedBlocks(client, sealed, upTo)) {
      await sealSessions(client, threads, clock, block, step);
    }
    await noteSealed(client, upTo);
  });
  done.events += step.events;
  done.chunks += step.chunks;
  done.bytes += step.bytes;
}

/** Puts a unit together again from its rows. Its marks go only if what they may be about was sealed after they were seen: `tail.ts`. */
export async function resealUnit({ client, threads, clock, dropped }: SealerParts, unit: StaleUnit): Promise<Sealing> {
  const done = nothing();
  const isDropped = unit.kind === chunkKinds.events && (await isDroppedDay(client, unit.projectId, unit.unit));
  await inSnapshot(client, async () => {
    // Tried again in a minute.
    if (isDropped && !(await dropped?.bring(client, unit.projectId, unit.unit))) return;
    if (unit.kind === chunkKinds.sessions) {
      await sealSessions(client, threads, clock, unit, done);
    } else {
      const upTo = await sealedEpoch(client);
      await dropUnit(client, unit);
      const weight = await weighDay(client, unit.projectId, unit.unit, upTo);
      await sealEvents(client, threads, clock, unit, { ...weight, level: 2, upTo }, done);
    }
    await queries.unmark(client, unit);
  });
  return done;
}

/** True when compacting a day is worthwhile. It reads all rows of the day, so larger days need more new rows. */
export function isWorthwhile({ small, smallRows, rows, unit }: DayOfChunks, now: number): boolean {
  if (small >= MAX_SMALL) return true;
  if (small >= 24 && smallRows * 8 >= rows) return true;
  if (small >= 4 && smallRows * 2 >= rows) return true;
  const isOver = (unit + 1) * dayMs + dayMs / 24 < now;
  return isOver && (small >= 24 || smallRows * 8 >= rows);
}

interface Share {
  rows: number;
  bytes: number;
  level: number;
  after?: number;
  upTo: number;
}

async function sealEvents(
  client: Client,
  threads: Threads,
  clock: Clock,
  target: Unit,
  { rows, bytes, level, after, upTo }: Share,
  done: Sealing,
): Promise<void> {
  const { projectId, unit: day } = target;
  if (rows === 0) return;
  const span = { from: day * dayMs, until: (day + 1) * dayMs };
  const wanted = { projectId, span, upTo, properties: 'all' as const, ...(after === undefined ? {} : { after }) };
  // By size, not by time: imported events may all have the same time.
  const shares = Math.ceil(bytes / MAX_BYTES);
  const places = shares === 1 ? [] : await placesOfShares(client, wanted, Math.ceil(bytes / shares));
  for (let share = 0; share <= places.length; share++) {
    const [first, end] = [places[share - 1], places[share]];
    const rows = eventRows({ ...wanted, first, end });
    const encoded = await encodeRows(client, threads.sequence('background'), rows, { shared: false });
    for (const chunk of encoded) await insert(client, clock, target, level, chunk, done);
  }
  done.events += rows;
}

/** Visits have no level: their block is always put together whole. */
async function sealSessions(client: Client, threads: Threads, clock: Clock, block: Unit, done: Sealing): Promise<void> {
  await dropUnit(client, block);
  const copied = await copyOutPieces(client, sessionRows(block.projectId, { block: block.unit }));
  const encoded = await threads.run({ task: 'encodeSessions', rows: copied, shared: false }, 'background');
  for (const chunk of encoded) await insert(client, clock, block, 2, chunk, done);
}

async function insert(
  client: Client,
  clock: Clock,
  target: Unit,
  level: number,
  chunk: EncodedChunk,
  done: Sealing,
): Promise<void> {
  await queries.insertChunk(client, target, level, chunk, clock.now());
  done.chunks++;
  for (const column of chunk.columns.values()) done.bytes += column.length;
}

async function dropUnit(client: Client, { projectId, kind, unit }: Unit): Promise<void> {
  const old = await queries.chunksOfUnit(client, projectId, kind, unit);
  await queries.deleteChunks(
    client,
    projectId,
    old.map(({ id }) => id),
  );
}

async function inSnapshot(client: Client, work: () => Promise<void>): Promise<void> {
  await client.query('begin transaction isolation level repeatable read');
  try {
    await work();
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined); // the connection is gone, and the transaction with it
    throw error;
  }
}

function nothing(): Sealing {
  return { events: 0, chunks: 0, bytes: 0 };
}
