/**
 * Splits a distinct id off a person into a person of its own. Its property changes move with it: its events are read again by the rules of
 * ingestion, and earlier values of other ids are restored. The person's row is locked as batches lock
 * it, so a batch that changes it waits, finds the id gone, and retries. With many events, most are read before
 * without the lock, and only later ones under it.
 */
import type { EventSpan, FinishedEvent } from '#src/events/contract.ts';
import { AppError, notFound } from '#src/kit/errors.ts';
import { type Queryable, query, type Sql, sql } from '#src/store/sql.ts';
import { changesSql } from './changes.ts';
import { personsChannel } from './persons.ts';
import { decodeProperties, encodeProperties, type PropertyState } from './properties.ts';
import type { PersonRow } from './queries.ts';
import { newPerson } from './slots.ts';
import { type Slot, settle, type WorkingPerson } from './working.ts';
import { furtherUuid, personUuid } from './write.ts';

export interface SplitQuery {
  projectId: number;
  /** The current number of the person. */
  person: number;
  distinctId: string;
  events: SplitEvents;
}

/** Access to these persons' events, implemented by the events room. */
export interface SplitEvents {
  /** Their events with person processing, in chronological order. */
  ofPersons(on: Queryable, persons: readonly number[], span: EventSpan): AsyncIterable<FinishedEvent>;
  /** Times of the first event of the id, and of the others. */
  firsts(on: Queryable, persons: readonly number[], idNumber: number, span: EventSpan): Promise<Firsts>;
  count(on: Queryable, persons: readonly number[], span: EventSpan & { most?: number }): Promise<number>;
}

interface Firsts {
  own: number | null;
  others: number | null;
}

/** Result of reading without the lock: all events before `until`. */
export interface SplitRead {
  until: number;
  /** How many events that were. */
  events: number;
  /** Identity of the person at the time of reading. */
  who: string;
  telling: Telling;
  firsts: Firsts;
}

export interface SplitDone {
  uuid: string;
  /** Number of the id. */
  idNumber: number;
  /** Persons that may have events of the id. */
  oldPersons: number[];
}

interface IdRow {
  distinct_id: string;
  number: number;
  joined_at: Date[] | null;
}

/**
 * Reads what someone did before `until`, who has more than `atOnce` events; null for others, who are read under the lock.
 * @param on a transaction in which everything is seen as of one moment
 * @throws AppError `not_found`, `conflict` when it is their only id
 */
export async function readForSplit(
  on: Queryable,
  asked: SplitQuery,
  { until, atOnce }: { until: number; atOnce: number },
): Promise<SplitRead | null> {
  const { events } = asked;
  const { who, oldPersons, ids, id } = await standing(on, asked, sql.empty);
  if ((await events.count(on, oldPersons, { most: atOnce + 1 })) <= atOnce) return null;
  const telling = beginTelling(ids, id);
  await tell(telling, events.ofPersons(on, oldPersons, { until }));
  const firsts = await events.firsts(on, oldPersons, id.number, { until });
  return { until, events: await events.count(on, oldPersons, { until }), who, telling, firsts };
}

/**
 * @param number reserved for the new person
 * @param read what was read before; it cannot be used again
 * @returns null when that does not hold any more: someone was merged meanwhile, or events came for times long past
 * @throws AppError `not_found`, `conflict` when it is their only id
 */
export async function splitPerson(
  on: Queryable,
  asked: SplitQuery,
  { number, read }: { number: number; read: SplitRead | null },
): Promise<SplitDone | null> {
  const { projectId, person, distinctId, events } = asked;
  const { row, who, oldPersons, ids, id } = await standing(on, asked, sql`for update`);
  if (read !== null) {
    const holds = who === read.who && (await events.count(on, oldPersons, { until: read.until })) === read.events;
    if (!holds) return null;
  }
  const telling = read?.telling ?? beginTelling(ids, id);
  const span = { from: read?.until };
  await tell(telling, events.ofPersons(on, oldPersons, span));
  const result = { ...telling, rest: restOf(row, telling) };
  const lately = await events.firsts(on, oldPersons, id.number, span);
  const own = earliest(read?.firsts.own, lately.own);
  const others = earliest(read?.firsts.others, lately.others);
  const uuid = await uuidFor(on, { projectId, distinctId, number, person }, oldPersons);
  const split = encodeProperties(result.split.state as PropertyState);
  await query(
    on,
    sql`insert into persons (project_id, number, uuid, properties, property_stamps, identified, has_profile, created_at)
        values (${projectId}, ${number}, ${uuid}::uuid, ${sql.json(split.properties)}, ${sql.json(split.stamps)},
                ${result.split.identified}, ${result.split.hasProfile}, ${new Date(own ?? row.created_at)})`,
  );
  const rest = encodeProperties(result.rest);
  // Expired events cannot be read again: the person keeps values that the id alone does not explain.
  const keeps = (still: boolean, before: boolean, went: boolean) => still || (before && !went);
  const isFirst = own !== null && others !== null && own <= row.created_at;
  await query(
    on,
    sql`update persons
           set properties = ${sql.json(rest.properties)}, property_stamps = ${sql.json(rest.stamps)}, splits = splits + 1,
               identified = ${keeps(result.still.identified, row.identified, result.split.identified)},
               has_profile = ${keeps(result.still.hasProfile, row.has_profile, result.split.hasProfile)},
               created_at = ${new Date(isFirst ? others : row.created_at)}
         where project_id = ${projectId} and number = ${person}`,
  );
  await query(
    on,
    sql`update distinct_ids set person = ${number}, joined_at = null
         where project_id = ${projectId} and distinct_id = ${distinctId}`,
  );
  await query(on, changesSql(projectId, [number, person]));
  await query(on, sql`select pg_notify(${personsChannel}, ${`${projectId}:${person}`})`);
  return { uuid, idNumber: id.number, oldPersons };
}

interface Standing {
  row: PersonRow;
  ids: IdRow[];
  id: IdRow;
  oldPersons: number[];
  /** Digest of everything that a reading depends on. */
  who: string;
}

async function standing(on: Queryable, asked: SplitQuery, lock: Sql): Promise<Standing> {
  const { projectId, person, distinctId } = asked;
  const [row] = await query<PersonRow>(
    on,
    sql`select number, properties, property_stamps, merged, identified, has_profile, created_at, splits
          from persons where project_id = ${projectId} and number = ${person} and not merged
         ${lock}`,
  );
  const ids = await query<IdRow>(
    on,
    sql`select distinct_id, number, joined_at from distinct_ids
         where project_id = ${projectId} and person = ${person} order by number`,
  );
  const id = ids.find((each) => each.distinct_id === distinctId);
  if (row === undefined || id === undefined) throw notFound('distinct id');
  if (ids.length < 2) throw new AppError('conflict', 'This is the person’s only ID, so it can’t be split.');
  const oldPersons = await numbersOf(on, projectId, person);
  return { row, ids, id, oldPersons, who: JSON.stringify([row.splits, oldPersons, ids]) };
}

async function numbersOf(on: Queryable, projectId: number, person: number): Promise<number[]> {
  const rows = await query<{ old_person: number }>(
    on,
    sql`select old_person from person_overrides where project_id = ${projectId} and new_person = ${person} order by 1`,
  );
  return [person, ...rows.map(({ old_person }) => old_person)];
}

interface Telling {
  /** Result of the id's own events. */
  split: WorkingPerson;
  /** Result of the other ids' events. */
  still: WorkingPerson;
  slots: Map<string, Slot>;
  /** Events of the id. */
  theirs: Set<string>;
}

function beginTelling(ids: readonly IdRow[], id: IdRow): Telling {
  const split = newPerson(0, id.distinct_id);
  const still = newPerson(0, '');
  const slots = new Map<string, Slot>();
  for (const { distinct_id, number, joined_at } of ids) {
    const isOwn = number === id.number;
    const joinedAt = isOwn ? [] : (joined_at ?? []).map(Number);
    slots.set(distinct_id, { distinctId: distinct_id, number, person: isOwn ? split : still, joinedAt, claim: null });
  }
  return { split, still, slots, theirs: new Set() };
}

async function tell({ split, slots, theirs }: Telling, events: AsyncIterable<FinishedEvent>): Promise<void> {
  for await (const event of events) {
    const slot = slots.get(event.distinctId);
    if (slot === undefined) continue;
    if (slot.person === split) theirs.add(event.uuid);
    settle({ event, slot, other: null });
  }
}

/** The person's properties after the split: the other ids' values where the id had set one. */
function restOf(row: PersonRow, { still, theirs }: Telling): PropertyState {
  const rest = decodeProperties(row.properties, row.property_stamps);
  const before = still.state as PropertyState;
  for (const [name, { stamp }] of rest) {
    if (!theirs.has(stamp.uuid)) continue;
    const held = before.get(name);
    if (held === undefined) rest.delete(name);
    else rest.set(name, held);
  }
  return rest;
}

function earliest(one: number | null | undefined, other: number | null): number | null {
  if (one == null || other === null) return one ?? other;
  return Math.min(one, other);
}

/** The one that the id gives, so that a link to the person who had it leads to the one who has it; another where that is the person's own. */
async function uuidFor(
  on: Queryable,
  {
    projectId,
    distinctId,
    number,
    person,
  }: Pick<SplitQuery, 'projectId' | 'distinctId' | 'person'> & { number: number },
  oldPersons: readonly number[],
): Promise<string> {
  const uuid = personUuid(projectId, distinctId);
  const [holder] = await query<{ number: number }>(
    on,
    sql`select number from persons where project_id = ${projectId} and uuid = ${uuid}::uuid`,
  );
  if (holder === undefined) return uuid;
  if (holder.number === person || !oldPersons.includes(holder.number))
    return furtherUuid(projectId, distinctId, number);
  const other = furtherUuid(projectId, distinctId, holder.number);
  await query(
    on,
    sql`update persons set uuid = ${other}::uuid where project_id = ${projectId} and number = ${holder.number}`,
  );
  return uuid;
}
