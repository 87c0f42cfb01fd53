/**
 * Deletes unreferenced property groups, in short statements. Two passes, a week apart: the first
 * marks a group, so that it cannot be found by content. The second deletes it, unless a running batch has referred to it meanwhile.
 */
import type { Client } from 'pg';
import { dayMs } from '#src/kit/zone.ts';
import { personsChannel } from '#src/persons/persons.ts';
import { query, sql } from '#src/store/sql.ts';
import { type GroupKind, groupKinds } from './contract.ts';
import { inTransaction } from './delete-events.ts';
import type { DroppedEvents } from './dropped.ts';
import { forgetGroups } from './erasure.ts';

/** Each look reads all rows of a project, a day at a time. */
const LOOK_EVERY_MS = 7 * dayMs;
/** A look that was ended early is repeated soon: no batch is on its way for as long as this. */
const APART_MS = dayMs / 2;
/** Rows that one statement changes. */
const BATCH = 2_000;
/** Rows of groups that one statement reads. */
const PAGE = 20_000;
const kinds = Object.keys(groupKinds) as GroupKind[];

type Numbers = Record<GroupKind, Set<number>>;

export interface IdleGroupsQuery {
  projectId: number;
  now: number;
  dropped: Pick<DroppedEvents, 'groupsNamed'>;
  signal?: AbortSignal | undefined;
}

/**
 * Does nothing within a week of the last look. Safe to run again, and to end at any point. Gives how many groups were deleted.
 * @throws AppError `unavailable` when it is not known what dropped events refer to
 */
export async function removeIdleGroups(
  client: Client,
  { projectId, now, dropped, signal }: IdleGroupsQuery,
): Promise<number> {
  const [last] = await query<{ at: number }>(
    client,
    sql`select looked_at as at from group_looks where project_id = ${projectId}`,
  );
  if (last !== undefined && now - last.at < LOOK_EVERY_MS) return 0;
  // Groups numbered from now on are in use, or will be.
  const stored = await storedGroups(client, projectId);
  const used = await usedGroups(client, projectId, signal);
  if (used === null) return 0;
  for (const kind of kinds)
    for (const number of await dropped.groupsNamed(projectId, kind, null, [])) used[kind].add(number);
  let removed = 0;
  for (const kind of kinds) {
    const idle = stored.filter((group) => group.kind === groupKinds[kind] && !used[kind].has(group.number));
    const apart = idle
      .filter(({ apartAt }) => apartAt !== null && apartAt <= now - APART_MS)
      .map(({ number }) => number);
    const found = idle.filter(({ apartAt }) => apartAt === null).map(({ number }) => number);
    for (let at = 0; at < apart.length && !signal?.aborted; at += BATCH) {
      removed += await removeSome(client, projectId, kind, apart.slice(at, at + BATCH));
    }
    for (let at = 0; at < found.length && !signal?.aborted; at += BATCH) {
      await setApart(client, projectId, kind, found.slice(at, at + BATCH), now);
    }
  }
  if (signal?.aborted) return removed;
  await query(
    client,
    sql`insert into group_looks (project_id, looked_at) values (${projectId}, ${sql.time(now)})
        on conflict (project_id) do update set looked_at = excluded.looked_at`,
  );
  return removed;
}

interface StoredGroup {
  kind: number;
  number: number;
  /** Since when it is not found by its content; null: it is. */
  apartAt: number | null;
}

/** All of a project, by pages. */
async function storedGroups(client: Client, projectId: number): Promise<StoredGroup[]> {
  const all: StoredGroup[] = [];
  for (const kind of Object.values(groupKinds)) {
    let page: StoredGroup[] = [];
    do {
      const after = page.at(-1)?.number ?? 0;
      page = await query<StoredGroup>(
        client,
        sql`select kind, number, apart_at as "apartAt" from property_groups
             where project_id = ${projectId} and kind = ${kind}::smallint and number > ${after}
             order by number limit ${PAGE}`,
      );
      all.push(...page);
    } while (page.length === PAGE);
  }
  return all;
}

/** Columns of events or visits that refer to groups, with their kind. */
interface Naming {
  table: string;
  time: string;
  columns: readonly { column: string; kind: GroupKind }[];
}

const naming: readonly Naming[] = [
  { table: 'events', time: 'ts', columns: kinds.map((kind) => ({ column: kind, kind })) },
  {
    table: 'sessions',
    time: 'first_ts',
    columns: [
      { column: 'device', kind: 'device' },
      { column: 'geo', kind: 'geo' },
      { column: 'source', kind: 'source' },
      { column: 'entry_page', kind: 'page' },
      { column: 'exit_page', kind: 'page' },
    ],
  },
];

/** Numbers of groups that events and visits name, day by day. Null: it was ended before. */
async function usedGroups(client: Client, projectId: number, signal: AbortSignal | undefined): Promise<Numbers | null> {
  const used = Object.fromEntries(kinds.map((kind) => [kind, new Set<number>()])) as Numbers;
  for (const { table, time, columns } of naming) {
    const [rows, at] = [sql.id(table), sql.id(time)];
    const numbers = columns.map(({ column }) => {
      const name = sql.id(column);
      return sql`array_agg(distinct ${name}) filter (where ${name} is not null) as ${name}`;
    });
    let from = Number.NEGATIVE_INFINITY;
    for (;;) {
      if (signal?.aborted) return null;
      const isLater = Number.isFinite(from) ? sql`and ${at} >= ${sql.time(from)}` : sql.empty;
      const [next] = await query<{ at: number }>(
        client,
        sql`select ${at} as at from ${rows} where project_id = ${projectId} ${isLater} order by ${at} limit 1`,
      );
      if (next === undefined) break;
      const day = Math.floor(next.at / dayMs) * dayMs;
      const [found] = await query<Record<string, number[] | null>>(
        client,
        sql`select ${sql.join(numbers)} from ${rows}
             where project_id = ${projectId} and ${at} >= ${sql.time(day)} and ${at} < ${sql.time(day + dayMs)}`,
      );
      for (const { column, kind } of columns) for (const number of found?.[column] ?? []) used[kind].add(number);
      from = day + dayMs;
    }
  }
  return used;
}

/** With the commit every process forgets the numbers of groups, and looks them up again. */
function setApart(
  client: Client,
  projectId: number,
  kind: GroupKind,
  numbers: readonly number[],
  now: number,
): Promise<void> {
  return inTransaction(client, async () => {
    await query(
      client,
      sql`update property_groups set hash = uuid_send(gen_random_uuid()), apart_at = ${sql.time(now)}
           where project_id = ${projectId} and kind = ${groupKinds[kind]} and number = any(${[...numbers]}::int[])`,
    );
    await query(client, sql`select pg_notify(${personsChannel}, ${forgetGroups})`);
  });
}

async function removeSome(
  client: Client,
  projectId: number,
  kind: GroupKind,
  numbers: readonly number[],
): Promise<number> {
  const gone = await query(
    client,
    sql`delete from property_groups
         where project_id = ${projectId} and kind = ${groupKinds[kind]} and number = any(${[...numbers]}::int[])
           and apart_at is not null
        returning number`,
  );
  return gone.length;
}
