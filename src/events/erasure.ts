/**
 * Deletes what persons did: events, their part in visits and counts, and the property groups that nothing else refers to. In steps so
 * short that intake never waits for one; each step leaves everything consistent, so the work may end anywhere and begin again.
 * Groups need two looks: what the first sets apart, a later one empties.
 *
 * The uuids stay in the ledger for their week or two: without them a client that sends an event again would bring it back.
 */
import { randomBytes } from 'node:crypto';
import type { Client } from 'pg';
import { personsChannel } from '#src/persons/persons.ts';
import { query, sql } from '#src/store/sql.ts';
import { eventsChannel } from './append.ts';
import { type GroupKind, groupKinds } from './contract.ts';
import { deleteSome, inTransaction } from './delete-events.ts';
import type { DroppedEvents } from './dropped.ts';

/** Rows per step: some ten milliseconds. */
const BATCH = 2_000;
const HASH_BYTES = 16;
const groupNames = Object.keys(groupKinds) as GroupKind[];

/** On the channel of persons: groups that are remembered may not be there any more. */
export const forgetGroups = 'groups';

/** Numbers of property groups. */
export type GroupsApart = Partial<Record<GroupKind, number[]>>;

export interface EraseEvents {
  projectId: number;
  /** All numbers that the persons ever had. */
  persons: readonly number[];
  /** Groups marked so long ago that no cache has them any more: those without references are emptied. */
  apart: GroupsApart;
  /** Stores the marked groups in the same transaction, for a later pass to empty. */
  remember(groups: GroupsApart): Promise<void>;
  signal?: AbortSignal | undefined;
}

type NamedGroups = Pick<DroppedEvents, 'groupsOf' | 'groupsNamed'>;

/** Dropped events: what they refer to, and their end. */
export type ErasedElsewhere = Pick<DroppedEvents, 'groupsOf' | 'groupsNamed' | 'erase'>;

/** Rows by table. `sessions` are visits of which nothing is left. */
export type ErasedEvents = Record<'events' | 'sessions' | 'property_groups', number>;

/** Where nothing was dropped. */
export const noneDropped: ErasedElsewhere = {
  groupsOf: async () => [],
  groupsNamed: async () => [],
  erase: async () => ({ events: 0, sessions: 0 }),
};

/** @throws AppError `unavailable` when dropped events cannot be asked about; safe to run again */
export async function eraseEvents(
  client: Client,
  asked: EraseEvents,
  dropped: ErasedElsewhere = noneDropped,
): Promise<ErasedEvents> {
  const { projectId, persons, signal } = asked;
  const erased: ErasedEvents = { events: 0, sessions: 0, property_groups: 0 };
  // First, while the events still say which groups are theirs.
  await setApart(client, asked, dropped);
  // Before those that are here: visits may have events on both sides.
  for (const [table, rows] of Object.entries(await dropped.erase({ projectId, persons }))) {
    erased[table as keyof ErasedEvents] += rows;
  }
  for (;;) {
    signal?.throwIfAborted();
    const { gone, sessions } = await deleteSome(client, projectId, sql`person = any(${[...persons]}::int[])`, BATCH);
    erased.events += gone;
    erased.sessions += sessions;
    if (gone < BATCH) break;
  }
  for (const name of groupNames) {
    signal?.throwIfAborted();
    erased.property_groups += await emptyUnused(client, asked, name, dropped);
  }
  await query(client, sql`select pg_notify(${eventsChannel}, ${String(projectId)})`);
  return erased;
}

/**
 * Property groups are shared. Those that only erased events refer to can no longer be found by content. They are emptied later, since a
 * running batch may already refer to one of them.
 */
async function setApart(
  client: Client,
  { projectId, persons, apart, remember, signal }: EraseEvents,
  dropped: NamedGroups,
): Promise<void> {
  let isAny = false;
  for (const name of groupNames) {
    signal?.throwIfAborted();
    const known = new Set(apart[name]);
    const theirs = await groupsOfNobodyElse(client, { projectId, name, persons }, dropped);
    const alone = theirs.filter((number) => !known.has(number));
    for (let at = 0; at < alone.length; at += BATCH) {
      const some = alone.slice(at, at + BATCH);
      await inTransaction(client, async () => {
        await remember({ [name]: some });
        await query(
          client,
          sql`update property_groups g set hash = other.hash
                from unnest(${some}::int[], ${some.map(() => randomBytes(HASH_BYTES))}::bytea[]) as other (number, hash)
               where g.project_id = ${projectId} and g.kind = ${groupKinds[name]} and g.number = other.number`,
        );
      });
      isAny = true;
    }
  }
  // Before the events are deleted, which may take long: other events must not use the groups from caches either.
  if (isAny) await query(client, sql`select pg_notify(${personsChannel}, ${forgetGroups})`);
}

async function groupsOfNobodyElse(
  client: Client,
  { projectId, name, persons }: { projectId: number; name: GroupKind; persons: readonly number[] },
  dropped: NamedGroups,
): Promise<number[]> {
  const column = sql.id(name);
  const [found] = await query<{ theirs: number[] }>(
    client,
    sql`select coalesce(array_agg(distinct ${column}), '{}') as theirs
          from events
         where project_id = ${projectId} and person = any(${[...persons]}::int[]) and ${column} is not null`,
  );
  const theirs = [...new Set([...(found?.theirs ?? []), ...(await dropped.groupsOf(projectId, name, persons))])];
  const used = await usedGroups(client, projectId, name, theirs, persons);
  for (const number of await dropped.groupsNamed(projectId, name, theirs, persons)) used.add(number);
  return theirs.filter((number) => !used.has(number));
}

/** Groups that events name, of whomever but these persons. */
async function usedGroups(
  client: Client,
  projectId: number,
  name: GroupKind,
  numbers: readonly number[],
  persons: readonly number[],
): Promise<Set<number>> {
  if (numbers.length === 0) return new Set();
  const column = sql.id(name);
  const [others] = await query<{ used: number[] }>(
    client,
    sql`select coalesce(array_agg(distinct ${column}), '{}') as used
          from events
         where project_id = ${projectId} and ${column} = any(${[...numbers]}::int[]) and person <> all(${[...persons]}::int[])`,
  );
  return new Set(others?.used);
}

/** Empties marked groups, except those referred to meanwhile. Returns their number. */
async function emptyUnused(
  client: Client,
  { projectId, persons, apart: all }: EraseEvents,
  name: GroupKind,
  dropped: NamedGroups,
): Promise<number> {
  const apart = all[name] ?? [];
  const used = await usedGroups(client, projectId, name, apart, []);
  // Theirs may not be deleted there yet.
  for (const number of await dropped.groupsNamed(projectId, name, apart, persons)) used.add(number);
  const left = apart.filter((number) => !used.has(number));
  let emptied = 0;
  for (let at = 0; at < left.length; at += BATCH) {
    const rows = await query(
      client,
      sql`update property_groups set properties = '{}'
           where project_id = ${projectId} and kind = ${groupKinds[name]}
             and number = any(${left.slice(at, at + BATCH)}::int[]) and properties <> '{}'
          returning number`,
    );
    emptied += rows.length;
  }
  return emptied;
}
