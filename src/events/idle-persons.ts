/**
 * Deletes anonymous persons without events, visits and profile, in short transactions that do not block ingestion.
 * A running batch may have an event of one of their ids: batches lock such persons until they commit (src/persons/write.ts), so either the
 * event is visible here and the person stays, or the batch finds no person, retries, and creates it again with the same uuid.
 */
import type { Client } from 'pg';
import { eraseRows } from '#src/persons/erasure.ts';
import { query, type Sql, sql } from '#src/store/sql.ts';
import { inTransaction } from './delete-events.ts';

/** Persons that are looked at by one statement. */
const LOOKED_AT = 1_000;
/** Persons that are deleted by one transaction; more than this, and other processes would forget all persons. */
const AT_ONCE = 250;

export interface IdleQuery {
  projectId: number;
  /** Only persons that were first seen before this moment, ms. */
  before: number;
  signal?: AbortSignal | undefined;
  /** Called after each transaction with how many persons it deleted. */
  onRemoved(persons: number): void;
}

/** Safe to run again, and to end at any point. */
export async function removeIdlePersons(client: Client, asked: IdleQuery): Promise<void> {
  let after: Place | null = { createdAt: '-infinity', number: 0 };
  while (after !== null && !asked.signal?.aborted) {
    const { last, idle } = await findIdle(client, asked, after);
    for (let at = 0; at < idle.length && !asked.signal?.aborted; at += AT_ONCE) {
      asked.onRemoved(await removeSome(client, asked, idle.slice(at, at + AT_ONCE)));
    }
    after = last;
  }
}

/** Position of the search, in the order of creation. */
interface Place {
  createdAt: string;
  number: number;
}

/** The next persons without anything. `last` is null at the end. */
async function findIdle(
  client: Client,
  { projectId, before }: IdleQuery,
  after: Place,
): Promise<{ last: Place | null; idle: number[] }> {
  const rows = await query<Place & { isIdle: boolean }>(
    client,
    sql`select p.number, p.created_at::text as "createdAt",
               not p.has_profile and p.splits = 0 and ${nothingLeft(projectId)} as "isIdle"
          from (select number, created_at, has_profile, splits from persons
                 where project_id = ${projectId} and not merged and created_at < ${sql.time(before)}
                   and (created_at, number) > (${after.createdAt}::timestamptz, ${after.number})
                 order by created_at, number limit ${LOOKED_AT}) as p
         order by p.created_at, p.number`,
  );
  const last = rows.length < LOOKED_AT ? null : (rows.at(-1) ?? null);
  return { last, idle: rows.filter(({ isIdle }) => isIdle).map(({ number }) => number) };
}

/** Locks them first: only what was committed before counts after that. Persons that a batch keeps are left for the next run. */
function removeSome(client: Client, { projectId, before }: IdleQuery, numbers: readonly number[]): Promise<number> {
  return inTransaction(client, async () => {
    const locked = await query<{ number: number }>(
      client,
      sql`select number from persons
           where project_id = ${projectId} and number = any(${[...numbers]}::int[]) and not merged and not has_profile
             and splits = 0 and created_at < ${sql.time(before)}
           order by number for update skip locked`,
    );
    const idle = await query<{ number: number }>(
      client,
      sql`select p.number from unnest(${locked.map(({ number }) => number)}::int[]) as p (number)
           where ${nothingLeft(projectId)}`,
    );
    if (idle.length === 0) return 0;
    const erased = await eraseRows(
      client,
      projectId,
      idle.map(({ number }) => number),
    );
    return erased['persons'] ?? 0;
  });
}

/**
 * Scalar subqueries force a look-up by key: the planner cannot turn them into a join, regardless of statistics. During
 * splits in this project nothing is deleted, because events are still being moved.
 */
function nothingLeft(projectId: number): Sql {
  return sql`(select true from events where project_id = ${projectId} and person = p.number limit 1) is null
             and (select true from sessions where project_id = ${projectId} and person = p.number limit 1) is null
             and (select true from dropped_persons where project_id = ${projectId} and person = p.number limit 1) is null
             and (select true from person_overrides where project_id = ${projectId} and new_person = p.number limit 1) is null
             and not exists (select from person_splits where project_id = ${projectId} and done_at is null)`;
}
