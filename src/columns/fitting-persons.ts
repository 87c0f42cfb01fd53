/**
 * Of which persons a condition is true, by number. What was found is kept; afterwards only those are asked about who were written since
 * (`person_changes`). Where nobody changed it is the same list: the same piece of memory.
 */
import type { ClientBase } from 'pg';
import { copyOut } from '#src/store/snapshot.ts';
import { query, type Sql, sql } from '#src/store/sql.ts';
import type { Cache } from './cache.ts';
import { CopiedRows } from './copied-rows.ts';
import type { Moment } from './moments.ts';

/** Which transactions a moment sees: all below `xmin`, none from `xmax` on, and but for `running` all between. */
interface Seen {
  xmin: number;
  xmax: number;
  running: number;
  /** Changes by transactions from here on are all there; null: none are. */
  changesFrom: number | null;
}

interface Kept {
  seen: Seen;
  /** By number: 1 where the condition is true. */
  fits: Uint8Array;
  /** The same as a list. */
  numbers: Int32Array;
}

export interface FittingAsked {
  client: ClientBase;
  cache: Cache;
  projectId: number;
  once: Moment['once'];
}

/**
 * Numbers of the persons of whom the condition is true, without those who were merged into others.
 * @param key tells conditions apart
 * @param test on a row of `persons`
 * @throws what PostgreSQL says of the test
 */
export async function fittingPersons(
  { client, cache, projectId, once }: FittingAsked,
  key: string,
  test: Sql,
): Promise<Int32Array> {
  const name = `persons of ${projectId} ${key}`;
  const seen = await once('transactions', () => transactionsOf(client));
  const before = cache.get<Kept>(name);
  const found =
    (isOfUse(before, seen) ? await changedSince(client, projectId, before, seen, test) : null) ??
    (await readAll(client, projectId, seen, test));
  // Somebody whose moment began later may have kept theirs meanwhile.
  const now = cache.get<Kept>(name);
  if (now === undefined || sawMore(seen, now.seen)) {
    cache.set(name, found, found.fits.byteLength * 2 + found.numbers.byteLength);
  }
  return found.numbers;
}

async function transactionsOf(client: ClientBase): Promise<Seen> {
  const [row] = await query<{ xmin: string; xmax: string; running: number; changesFrom: string | null }>(
    client,
    sql`select pg_snapshot_xmin(seen)::text as xmin, pg_snapshot_xmax(seen)::text as xmax,
               (select count(*)::int from pg_snapshot_xip(seen)) as running,
               (select min(xact)::text from person_changes where project_id = 0) as "changesFrom"
          from pg_current_snapshot() as seen`,
  );
  if (row === undefined) throw new Error('there is always a snapshot');
  const { xmin, xmax, running, changesFrom } = row;
  return {
    ...{ xmin: Number(xmin), xmax: Number(xmax), running },
    changesFrom: changesFrom === null ? null : Number(changesFrom),
  };
}

/** Whether the one sees all that the other saw: of two moments, one always does. */
function sawMore(one: Seen, other: Seen): boolean {
  return one.xmax === other.xmax ? one.running <= other.running : one.xmax > other.xmax;
}

function isOfUse(kept: Kept | undefined, seen: Seen): kept is Kept {
  if (kept === undefined || seen.changesFrom === null) return false;
  return seen.changesFrom <= kept.seen.xmin && sawMore(seen, kept.seen);
}

async function readAll(client: ClientBase, projectId: number, seen: Seen, test: Sql): Promise<Kept> {
  const [numbers] = await numbersIn(
    client,
    sql`select array_agg(number), null from persons where project_id = ${projectId} and not merged and ${test}`,
  );
  const fits = new Uint8Array(sizeFor(numbers, 0));
  for (const number of numbers) fits[number] = 1;
  return { seen, fits, numbers };
}

/** More changes than this are no quicker than everybody. */
const MOST_CHANGES = 20_000;

/** Null: there were too many changes. */
async function changedSince(
  client: ClientBase,
  projectId: number,
  before: Kept,
  seen: Seen,
  test: Sql,
): Promise<Kept | null> {
  const [changed, fitting] = await numbersIn(
    client,
    sql`with changed as (
          select distinct unnest(numbers) as number
            from (select numbers from person_changes
                   where project_id = ${projectId} and xact >= ${String(before.seen.xmin)}::xid8) as noted
           limit ${MOST_CHANGES}
        )
        select (select array_agg(number) from changed),
               (select array_agg(number) from persons
                 where project_id = ${projectId} and number = any(array(select number from changed)) and not merged and ${test})`,
  );
  if (changed.length === MOST_CHANGES) return null;
  const now = new Set(fitting);
  const others = changed.filter((number) => now.has(number) !== (before.fits[number] === 1));
  if (others.length === 0) return { ...before, seen };
  const fits = new Uint8Array(sizeFor(others, before.fits.length));
  fits.set(before.fits);
  for (const number of others) fits[number] = now.has(number) ? 1 : 0;
  return { seen, fits, numbers: Int32Array.from(placesOf(fits)) };
}

/** Of one row with two lists. */
async function numbersIn(client: ClientBase, asked: Sql): Promise<[Int32Array, Int32Array]> {
  const rows = new CopiedRows(await copyOut(client, asked));
  rows.next();
  return [rows.numbers(), rows.numbers()];
}

function sizeFor(numbers: Int32Array, least: number): number {
  return numbers.reduce((most, number) => Math.max(most, number + 1), least);
}

function* placesOf(fits: Uint8Array): Generator<number> {
  for (let number = 0; number < fits.length; number++) if (fits[number] === 1) yield number;
}
