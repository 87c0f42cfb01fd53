/** The tables in ClickHouse: made and migrated, recognized, emptied and filled from the beginning when they are not those that were filled. */
import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { sqlState } from '#src/store/db.ts';
import { query, Sql, sql } from '#src/store/sql.ts';
import type { ClickhouseConnection } from './connection.ts';
import { keptEvents, noteKept } from './dropping/kept.ts';
import { beginAgain, readState, type ShippingState } from './state.ts';
import { clickhouseMigrations, LAYOUT, onCluster, ownTables, storedTable, tableNames } from './tables.ts';

/** A name from a closed list, or one that the settings have checked. */
export const plain = (text: string): Sql => new Sql([text], []);

/** Brings the tables to the newest migration; safe beside others who do the same. @returns the names of those that were run */
export async function migrateClickhouse(house: ClickhouseConnection): Promise<string[]> {
  for (const statement of ownTables(house)) await house.run(statement);
  const migrations = plain(`${house.database}.migrations`);
  const known = new Set(
    (await house.query<{ name: string }>(sql`select name from ${migrations}`)).map(({ name }) => name),
  );
  const done: string[] = [];
  for (const { name, statements } of clickhouseMigrations) {
    if (known.has(name)) continue;
    for (const statement of statements(house)) await house.run(statement);
    await house.run(sql`insert into ${migrations} (name) values (${name})`);
    done.push(name);
  }
  return done;
}

/**
 * The state of copying, of the tables that are there. Begins again where they are others, lost inserts (an older copy), have inserts that
 * PostgreSQL does not know (it is the older copy), or rows of an earlier layout.
 */
export async function recognizeTarget(client: Client, house: ClickhouseConnection): Promise<ShippingState> {
  const state = await readState(client);
  const [found] = await house.query<{ target: string; number: number; targets: number; layout: number }>(
    sql`select toString(any(target)) as target, max(number) as number, uniqExact(target) as targets, min(layout) as layout
          from ${plain(`${house.database}.inserts`)}`,
  );
  const most = state.number + (state.sending === null ? 0 : 1);
  const isKnown =
    found !== undefined &&
    found.targets === 1 &&
    found.layout === LAYOUT &&
    found.target === state.target &&
    found.number >= state.number &&
    found.number <= most;
  return isKnown ? state : startOver(client, house);
}

/** Empties the tables but for events that PostgreSQL does not have any more; everything that is stored is copied again. */
export async function startOver(client: Client, house: ClickhouseConnection): Promise<ShippingState> {
  const target = randomUUID();
  const kept = await keptEvents(client, '');
  const number = kept === null ? 0 : await highestNumber(client, house);
  await client.query('begin');
  try {
    await beginAgain(client, target, number);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined); // the connection is lost, and the transaction with it
    throw error;
  }
  // After the locks are free. A process that is killed here begins again.
  if (kept !== null) await noteKept(client);
  const there = onCluster(house);
  for (const table of tableNames) {
    const stored = `${house.database}.${storedTable(table, house)}${there}`;
    if (table !== 'events' || kept === null) await house.run(`truncate table ${stored}`);
    else await house.run(sql`delete from ${plain(stored)} where not ${kept}`);
  }
  await house.run(`truncate table ${house.database}.inserts${there}`);
  await noteInsert(house, target, number);
  return readState(client);
}

/** No row on either side has a higher one: later ones replace rows that are kept. */
async function highestNumber(client: Client, house: ClickhouseConnection): Promise<number> {
  const { number } = await readState(client);
  const events = plain(`${house.database}.events`);
  const inserts = plain(`${house.database}.inserts`);
  const [found] = await house.query<{ highest: number }>(
    sql`select greatest((select max(version) from ${events}), (select max(number) from ${inserts})) as highest`,
  );
  return Math.max(number, found?.highest ?? 0) + 1;
}

/** Notes beside the rows that the insert with this number is complete. */
export async function noteInsert(house: ClickhouseConnection, target: string, number: number): Promise<void> {
  await house.run(
    sql`insert into ${plain(`${house.database}.inserts`)} (target, number, layout) values (${target}, ${number}, ${LAYOUT})`,
  );
}

/**
 * One process copies at a time; the lock goes with the connection. A running process holds it for a minute at a time.
 * @returns false when another process has it, and still has after some minutes of waiting
 */
export async function lockShipping(client: Client, waits: boolean): Promise<boolean> {
  if (!waits) {
    const [row] = await query<{ locked: boolean }>(client, sql`select pg_try_advisory_lock(${LOCK}::int, 0) as locked`);
    return row?.locked === true;
  }
  try {
    await client.query(`set lock_timeout = '${WAIT}'`);
    await client.query(`select pg_advisory_lock(${LOCK}, 0)`);
    await client.query('reset lock_timeout');
    return true;
  } catch (error) {
    if (sqlState(error) === '55P03') return false;
    throw error;
  }
}

const LOCK = 713_526;
const WAIT = '180s';
