/**
 * Persons that match a condition, by number. Results are cached; later only persons written since are evaluated
 * again (`person_changes`). Without changes the same array is returned.
 */
import type { ClientBase } from 'pg';
import { copyOut } from '#src/store/copy-out.ts';
import { type Sql, sql } from '#src/store/sql.ts';
import type { Snapshot } from '../snapshot/snapshots.ts';
import type { Cache } from '../storage/cache.ts';
import { outlineOf } from '../storage/chunk-sql.ts';
import { CopiedRows } from '../storage/copied-rows.ts';
import { canFollow, changedSql, MAX_CHANGES, type Seen, sawMore } from '../storage/seen.ts';

interface Kept {
  seen: Seen;
  /** By number: 1 for a match. */
  fits: Uint8Array;
  /** The same as a list. */
  numbers: Int32Array;
}

export interface FittingQuery {
  client: ClientBase;
  cache: Cache;
  projectId: number;
  once: Snapshot['once'];
}

/**
 * Numbers of matching persons, without merged ones.
 * @param key identifies the condition
 * @param test condition on a row of `persons`
 * @throws PostgreSQL's errors of the test
 */
export async function fittingPersons(
  { client, cache, projectId, once }: FittingQuery,
  key: string,
  test: Sql,
): Promise<Int32Array> {
  const name = `persons of ${projectId} ${key}`;
  const seen = await once('outline', () => outlineOf(client, projectId));
  const before = cache.get<Kept>(name);
  const found =
    (before !== undefined && canFollow(before.seen, seen)
      ? await changedSince(client, projectId, before, seen, test)
      : null) ?? (await readAll(client, projectId, seen, test));
  // A query with a later snapshot may have cached its result meanwhile.
  const now = cache.get<Kept>(name);
  if (now === undefined || sawMore(seen, now.seen)) {
    cache.set(name, found, found.fits.byteLength * 2 + found.numbers.byteLength);
  }
  return found.numbers;
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
    sql`with changed as (${changedSql(projectId, before.seen)})
        select (select array_agg(number) from changed),
               (select array_agg(number) from persons
                 where project_id = ${projectId} and number = any(array(select number from changed)) and not merged and ${test})`,
  );
  if (changed.length === MAX_CHANGES) return null;
  const now = new Set(fitting);
  const others = changed.filter((number) => now.has(number) !== (before.fits[number] === 1));
  if (others.length === 0) return { ...before, seen };
  const fits = new Uint8Array(sizeFor(others, before.fits.length));
  fits.set(before.fits);
  for (const number of others) fits[number] = now.has(number) ? 1 : 0;
  return { seen, fits, numbers: Int32Array.from(placesOf(fits)) };
}

/** Reads one row with two lists. */
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
