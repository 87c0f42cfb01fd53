/**
 * An id is taken out of a person and becomes one. What it said of the person goes along: its events are read again, by the rules by which they
 * were read when they came, and where another id had said something before it, that holds again. The person's row is locked as batches lock
 * it, so a batch that changes it waits, finds that an id is gone, and begins again.
 */
import type { FinishedEvent } from '#src/events/contract.ts';
import { AppError, notFound } from '#src/kit/errors.ts';
import { type Queryable, query, sql } from '#src/store/sql.ts';
import { personsChannel } from './persons.ts';
import { decodeProperties, encodeProperties, type PropertyState } from './properties.ts';
import type { PersonRow } from './queries.ts';
import { newPerson } from './slots.ts';
import { type Slot, settle, type WorkingPerson } from './working.ts';
import { furtherUuid, personUuid } from './write.ts';

export interface SplitAsked {
  projectId: number;
  /** As they are now, by number. */
  person: number;
  distinctId: string;
  /** Reserved for the new person. */
  number: number;
  /** What these persons did with a profile, in the order of time; read once their row is locked. */
  told(persons: readonly number[]): AsyncIterable<FinishedEvent>;
  /** Times of the first event of the id, and of the others. */
  firsts(persons: readonly number[], idNumber: number): Promise<{ own: number | null; others: number | null }>;
}

export interface SplitDone {
  uuid: string;
  /** Number of the id. */
  idNumber: number;
  /** Of whom events of the id may be. */
  oldPersons: number[];
}

interface IdRow {
  distinct_id: string;
  number: number;
  joined_at: Date[] | null;
}

export async function splitPerson(on: Queryable, asked: SplitAsked): Promise<SplitDone> {
  const { projectId, person, distinctId, number } = asked;
  const [row] = await query<PersonRow>(
    on,
    sql`select number, properties, property_stamps, merged, identified, has_profile, created_at, splits
          from persons where project_id = ${projectId} and number = ${person} and not merged
           for update`,
  );
  const ids = await query<IdRow>(
    on,
    sql`select distinct_id, number, joined_at from distinct_ids
         where project_id = ${projectId} and person = ${person} order by number`,
  );
  const id = ids.find((each) => each.distinct_id === distinctId);
  if (row === undefined || id === undefined) throw notFound('distinct id');
  if (ids.length < 2) throw new AppError('conflict', 'This is the only id of this person.');
  const oldPersons = await numbersOf(on, projectId, person);

  const told = await tellAgain(asked, oldPersons, row, ids, id);
  const { own, others } = await asked.firsts(oldPersons, id.number);
  const uuid = await uuidFor(on, asked, oldPersons);
  const split = encodeProperties(told.split.state as PropertyState);
  await query(
    on,
    sql`insert into persons (project_id, number, uuid, properties, property_stamps, identified, has_profile, created_at)
        values (${projectId}, ${number}, ${uuid}::uuid, ${sql.json(split.properties)}, ${sql.json(split.stamps)},
                ${told.split.identified}, ${told.split.hasProfile}, ${new Date(own ?? row.created_at)})`,
  );
  const rest = encodeProperties(told.rest);
  // What is not stored any more cannot be told again: the person keeps what the id alone does not explain.
  const keeps = (still: boolean, before: boolean, went: boolean) => still || (before && !went);
  const isFirst = own !== null && others !== null && own <= row.created_at;
  await query(
    on,
    sql`update persons
           set properties = ${sql.json(rest.properties)}, property_stamps = ${sql.json(rest.stamps)}, splits = splits + 1,
               identified = ${keeps(told.still.identified, row.identified, told.split.identified)},
               has_profile = ${keeps(told.still.hasProfile, row.has_profile, told.split.hasProfile)},
               created_at = ${new Date(isFirst ? others : row.created_at)}
         where project_id = ${projectId} and number = ${person}`,
  );
  await query(
    on,
    sql`update distinct_ids set person = ${number}, joined_at = null
         where project_id = ${projectId} and distinct_id = ${distinctId}`,
  );
  await query(on, sql`select pg_notify(${personsChannel}, ${`${projectId}:${person}`})`);
  return { uuid, idNumber: id.number, oldPersons };
}

async function numbersOf(on: Queryable, projectId: number, person: number): Promise<number[]> {
  const rows = await query<{ old_person: number }>(
    on,
    sql`select old_person from person_overrides where project_id = ${projectId} and new_person = ${person} order by 1`,
  );
  return [person, ...rows.map(({ old_person }) => old_person)];
}

interface Told {
  /** What the id's own events say. */
  split: WorkingPerson;
  /** What those of the other ids say. */
  still: WorkingPerson;
  /** The person's properties from now on. */
  rest: PropertyState;
}

async function tellAgain(
  { distinctId, told }: SplitAsked,
  oldPersons: readonly number[],
  row: PersonRow,
  ids: readonly IdRow[],
  id: IdRow,
): Promise<Told> {
  const split = newPerson(0, distinctId);
  const still = newPerson(0, '');
  const slots = new Map<string, Slot>();
  for (const { distinct_id, number, joined_at } of ids) {
    const isOwn = number === id.number;
    const joinedAt = isOwn ? [] : (joined_at ?? []).map(Number);
    slots.set(distinct_id, { distinctId: distinct_id, number, person: isOwn ? split : still, joinedAt, claim: null });
  }
  const theirs = new Set<string>();
  for await (const event of told(oldPersons)) {
    const slot = slots.get(event.distinctId);
    if (slot === undefined) continue;
    if (slot.person === split) theirs.add(event.uuid);
    settle({ event, slot, other: null });
  }
  const rest = decodeProperties(row.properties, row.property_stamps);
  const before = still.state as PropertyState;
  for (const [name, { stamp }] of rest) {
    if (!theirs.has(stamp.uuid)) continue;
    const held = before.get(name);
    if (held === undefined) rest.delete(name);
    else rest.set(name, held);
  }
  return { split, still, rest };
}

/** The one that the id gives, so that a link to whoever had it leads to whoever has it; another where that is the person's own. */
async function uuidFor(on: Queryable, asked: SplitAsked, oldPersons: readonly number[]): Promise<string> {
  const { projectId, distinctId, number, person } = asked;
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
