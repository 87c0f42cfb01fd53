/**
 * Deletes what persons did: events, their part in visits and counts, and the property groups that nothing else refers to. In steps so
 * short that intake never waits for one; each step leaves everything consistent, so the work may end anywhere and begin again.
 * Groups need two looks: what the first sets apart, a later one empties.
 *
 * The uuids stay in the ledger for their week or two: without them a client that sends an event again would bring it back.
 */
import { randomBytes } from 'node:crypto';
import type { Client } from 'pg';
import { quarterMs } from '#src/kit/zone.ts';
import { personsChannel } from '#src/persons/persons.ts';
import { query, type Sql, sql } from '#src/store/sql.ts';
import { eventsChannel } from './append.ts';
import { eventMarks, type GroupKind, groupKinds } from './contract.ts';

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
  /** Set apart so long ago that nobody takes them from memory any more: those that nobody's event names are emptied. */
  apart: GroupsApart;
  /** Notes on the same connection what is set apart, for a later look to empty: in the transaction that does it. */
  remember(groups: GroupsApart): Promise<void>;
  signal?: AbortSignal | undefined;
}

/** Rows by table. `sessions` are visits of which nothing is left. */
export type ErasedEvents = Record<'events' | 'sessions' | 'property_groups', number>;

interface Gone {
  ts: number;
  event: number;
  session_id: number | null;
  marks: number;
}

export async function eraseEvents(client: Client, asked: EraseEvents): Promise<ErasedEvents> {
  const { projectId, persons, apart, signal } = asked;
  const erased: ErasedEvents = { events: 0, sessions: 0, property_groups: 0 };
  // First, while the events still say which groups are theirs.
  await setApart(client, asked);
  for (;;) {
    signal?.throwIfAborted();
    const { gone, sessions } = await inTransaction(client, () => eraseSome(client, projectId, persons));
    erased.events += gone;
    erased.sessions += sessions;
    if (gone < BATCH) break;
  }
  for (const name of groupNames) {
    signal?.throwIfAborted();
    erased.property_groups += await emptyUnused(client, projectId, name, apart[name] ?? []);
  }
  await query(client, sql`select pg_notify(${eventsChannel}, ${String(projectId)})`);
  return erased;
}

async function eraseSome(
  client: Client,
  projectId: number,
  persons: readonly number[],
): Promise<{ gone: number; sessions: number }> {
  const [span] = await query<{ from: number; to: number; uuids: string[] }>(
    client,
    sql`select min(ts) as from, max(ts) as to, array_agg(uuid) as uuids
          from (select ts, uuid from events
                 where project_id = ${projectId} and person = any(${[...persons]}::int[])
                 order by ts limit ${BATCH}) as oldest
        having count(*) > 0`,
  );
  if (!span) return { gone: 0, sessions: 0 };
  const gone = await query<Gone>(
    client,
    sql`delete from events
         where project_id = ${projectId} and person = any(${[...persons]}::int[])
           and ts >= ${sql.time(span.from)} and ts <= ${sql.time(span.to)} and uuid = any(${span.uuids}::uuid[])
        returning ts, event, session_id, marks`,
  );
  const ids = [...new Set(gone.flatMap((row) => row.session_id ?? []))];
  const sessions = ids.length === 0 ? 0 : await settleSessions(client, projectId, ids);
  await subtractCounts(client, projectId, gone);
  return { gone: gone.length, sessions };
}

/** Visits of which nothing is left go; the others say what is left of them. Gives how many went. */
async function settleSessions(client: Client, projectId: number, ids: readonly number[]): Promise<number> {
  const locked = await query<{ id: number }>(
    client,
    sql`select id from sessions where project_id = ${projectId} and id = any(${[...ids]}::bigint[]) order by uuid for update`,
  );
  const mine = sql`s.project_id = ${projectId} and s.id = any(${locked.map(({ id }) => id)}::bigint[])`;
  const left = sql`events e where e.project_id = s.project_id and e.session_id = s.id
                   and e.ts >= s.first_ts and e.ts <= s.last_ts`;
  const ended = await query(
    client,
    sql`delete from sessions s where ${mine} and not exists (select from ${left}) returning s.id`,
  );
  if (ended.length === locked.length) return ended.length;
  const named = (name: string) =>
    sql`(select number from event_names n where n.project_id = s.project_id and n.name = ${name})`;
  const isView = sql`(e.event = ${named('$pageview')} or e.event = ${named('$screen')})`;
  const first = (value: Sql) => sql`(select ${value} from ${left} order by e.ts, e.uuid limit 1)`;
  const view = (value: Sql, order: Sql) =>
    sql`(select ${value} from ${left} and coalesce(${isView}, false) order by e.ts ${order}, e.uuid ${order} limit 1)`;
  const count = (name: string) => sql`(select count(*) from ${left} and e.event = ${named(name)})`;
  const columns: [string, Sql][] = [
    ...['person', 'distinct_id', 'device', 'geo', 'source'].map((name): [string, Sql] => [
      name,
      first(sql`e.${sql.id(name)}`),
    ]),
    ['first_ts', first(sql`e.ts`)],
    ['first_uuid', first(sql`e.uuid`)],
    ['last_ts', sql`(select max(e.ts) from ${left})`],
    ['entry_ts', view(sql`e.ts`, sql`asc`)],
    ['entry_uuid', view(sql`e.uuid`, sql`asc`)],
    ['entry_page', view(sql`e.page`, sql`asc`)],
    ['exit_ts', view(sql`e.ts`, sql`desc`)],
    ['exit_uuid', view(sql`e.uuid`, sql`desc`)],
    ['exit_page', view(sql`e.page`, sql`desc`)],
    ['views', count('$pageview')],
    ['screens', count('$screen')],
    ['autocaptures', count('$autocapture')],
    ['events', sql`(select count(*) from ${left})`],
    ['bot', sql`(select bool_or(e.marks & ${eventMarks.bot} <> 0) from ${left})`],
  ];
  await query(
    client,
    sql`update sessions s
           set ${sql.join(columns.map(([name, value]) => sql`${sql.id(name)} = ${value}`))}
         where ${mine}`,
  );
  return ended.length;
}

async function subtractCounts(client: Client, projectId: number, gone: readonly Gone[]): Promise<void> {
  const counts = new Map<string, { event: number; quarter: string; events: number; bots: number }>();
  for (const { ts, event, marks } of gone) {
    const quarter = new Date(Math.floor(ts / quarterMs) * quarterMs).toISOString();
    const key = `${event} ${quarter}`;
    const count = counts.get(key) ?? { event, quarter, events: 0, bots: 0 };
    if (marks & eventMarks.bot) count.bots++;
    else count.events++;
    counts.set(key, count);
  }
  // In the order in which every writer takes them.
  const rows = [...counts.values()].sort(
    (one, other) => one.event - other.event || (one.quarter < other.quarter ? -1 : 1),
  );
  for (const { event, quarter, events, bots } of rows) {
    await query(
      client,
      sql`update event_counts set events = events - ${events}, bots = bots - ${bots}
           where project_id = ${projectId} and event = ${event} and quarter = ${quarter}::timestamptz`,
    );
  }
  await query(
    client,
    sql`delete from event_counts
         where project_id = ${projectId} and events <= 0 and bots <= 0
           and event = any(${rows.map(({ event }) => event)}::int[])
           and quarter = any(${rows.map(({ quarter }) => quarter)}::timestamptz[])`,
  );
}

/**
 * Property groups are shared: those that nobody else's event names are not found by their content any more. They keep it for now, since a
 * batch that is being stored may just have been given one of the numbers.
 */
async function setApart(client: Client, { projectId, persons, apart, remember, signal }: EraseEvents): Promise<void> {
  let isAny = false;
  for (const name of groupNames) {
    signal?.throwIfAborted();
    const known = new Set(apart[name]);
    const alone = (await groupsOfNobodyElse(client, projectId, name, persons)).filter((number) => !known.has(number));
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
  // Before the events go, which may take long: they must not be taken from memory for anybody else either.
  if (isAny) await query(client, sql`select pg_notify(${personsChannel}, ${forgetGroups})`);
}

async function groupsOfNobodyElse(
  client: Client,
  projectId: number,
  name: GroupKind,
  persons: readonly number[],
): Promise<number[]> {
  const column = sql.id(name);
  const [found] = await query<{ theirs: number[] }>(
    client,
    sql`select coalesce(array_agg(distinct ${column}), '{}') as theirs
          from events
         where project_id = ${projectId} and person = any(${[...persons]}::int[]) and ${column} is not null`,
  );
  const used = await usedGroups(client, projectId, name, found?.theirs ?? [], persons);
  return (found?.theirs ?? []).filter((number) => !used.has(number));
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

/** Of groups that were set apart: whoever's event named one meanwhile keeps it, the others are emptied. Gives how many were. */
async function emptyUnused(
  client: Client,
  projectId: number,
  name: GroupKind,
  apart: readonly number[],
): Promise<number> {
  const used = await usedGroups(client, projectId, name, apart, []);
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

async function inTransaction<Result>(client: Client, work: () => Promise<Result>): Promise<Result> {
  await client.query('begin');
  try {
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}
