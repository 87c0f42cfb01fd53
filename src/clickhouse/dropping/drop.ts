/**
 * Drops a month of single events from PostgreSQL, when ClickHouse has all of it: its rows go, and what is made of them stays. One transaction; ClickHouse
 * is not changed.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { partitionOfMonth } from '#src/events/dropped.ts';
import { emptyMonth, noteDropped, noteLost } from '#src/events/dropped-changes.ts';
import { SEALER_LOCK } from '#src/events/sealing.ts';
import { AppError, busy } from '#src/kit/errors.ts';
import { isBusy } from '#src/store/db.ts';
import { query, sql } from '#src/store/sql.ts';
import type { ClickhouseConnection } from '../connection.ts';
import { noteIncomplete, readState } from '../state.ts';
import { verifyCopy } from '../verify.ts';
import { checkColumns, checkMonth, checkStill } from './checks.ts';
import { otherDays } from './kept.ts';
import type { Month } from './month.ts';

export interface DropParts {
  /** Has the lock of copying, and nothing is left to copy. */
  client: Client;
  house: ClickhouseConnection;
  hotDays: number | undefined;
  now: number;
  /** How long those who read older states are waited for. */
  patienceMs?: number;
}

export interface Droppable {
  rows: number;
  /** Of the disk. */
  bytes: number;
  projects: number;
}

/** Looks whether the month may be dropped, and compares it with its copy. @throws AppError `invalid`, `conflict` */
export async function checkDrop(parts: DropParts, month: Month): Promise<Droppable> {
  const { client, house } = parts;
  await checkEarlier(parts);
  await checkMonth(client, month, parts);
  const { shipped } = await readState(client);
  const { findings } = await verifyCopy(client, house, shipped, { span: month });
  const [first] = findings;
  if (first !== undefined) throw new AppError('conflict', `The copy differs. ${first} See: npm run verify`);
  await checkStill(client, month);
  await checkColumns(client, month);
  const [row] = await query<Droppable>(
    client,
    sql`select count(*)::float8 as rows, count(distinct project_id)::int as projects,
               pg_total_relation_size(to_regclass(${partitionOfMonth(month.name)}))::float8 as bytes
          from events where ts >= ${sql.time(month.from)} and ts < ${sql.time(month.until)}`,
  );
  if (row === undefined || row.rows === 0) throw new AppError('conflict', `There are no events of ${month.name}.`);
  return row;
}

/** What was dropped before is there. Otherwise the copy is not complete, and *Status* says so, until it is. @throws AppError `conflict` */
async function checkEarlier({ client, house, now }: DropParts): Promise<void> {
  const lost = await noteLost(client, await otherDays(client, house), now);
  if (lost.length === 0) return;
  await noteIncomplete(client);
  throw new AppError('conflict', `ClickHouse does not have all of ${lost.join(', ')}. See Status.`);
}

/** Readers of the month end within this time or not: others wait behind us for as long. */
const LOCK_TIMEOUT = '2s';
const PATIENCE_MS = 30_000;
const LOOK_EVERY_MS = 250;

/**
 * Waits until nobody reads a state of the database that is older than what was compared: columns of the month may not have been complete then, and `truncate`
 * empties rows in earlier snapshots, too.
 * @throws AppError `busy`
 */
async function waitForReaders(client: Client, patienceMs: number): Promise<void> {
  let left = await readersNow(client);
  for (const end = performance.now() + patienceMs; left.length > 0; ) {
    if (performance.now() >= end) {
      throw busy('A long query or a backup is reading the database. Try again when it has ended.', 60);
    }
    await sleep(LOOK_EVERY_MS);
    const now = new Set(await readersNow(client));
    left = left.filter((reader) => now.has(reader));
  }
}

/** Transactions of others with a snapshot. */
async function readersNow(client: Client): Promise<string[]> {
  const readers = await query<{ reader: string }>(
    client,
    sql`select concat_ws(' ', pid, xact_start) as reader from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
           and backend_xmin is not null`,
  );
  return readers.map(({ reader }) => reader);
}

/** @throws AppError as `checkDrop`, `busy` when someone reads the month for long */
export async function dropMonth(parts: DropParts, month: Month): Promise<Droppable> {
  const { client } = parts;
  const found = await checkDrop(parts, month);
  await waitForReaders(client, parts.patienceMs ?? PATIENCE_MS);
  const partition = sql.id(partitionOfMonth(month.name));
  await client.query('begin');
  try {
    await client.query(`set local lock_timeout = '${LOCK_TIMEOUT}'`);
    const rows = await noteDropped(client, month);
    if (rows !== found.rows) throw new AppError('conflict', 'Events changed meanwhile. Try again.');
    await query(client, sql`select pg_advisory_xact_lock(${SEALER_LOCK}::bigint)`);
    // Nobody writes from here on, and everything is as it was compared.
    await query(client, sql`lock table ${partition} in exclusive mode`);
    await checkMonth(client, month, parts);
    await checkStill(client, month);
    await emptyMonth(client, month, { ...found, now: parts.now });
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined); // the connection is lost, and the transaction with it
    if (isBusy(error)) throw busy(`Events of ${month.name} are in use. Try again in a moment.`, 60, error);
    throw error;
  }
  return found;
}
