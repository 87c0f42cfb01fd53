/**
 * Locks the persons that a batch changes, and writes what became of them. Rows are locked in the order of their numbers; who finds one
 * merged meanwhile begins the transaction again.
 */
import type { ClientBase } from 'pg';
import { uuidV5 } from '#src/kit/ids.ts';
import { dayMs } from '#src/kit/zone.ts';
import { MIN_RETENTION } from '#src/projects/contract.ts';
import { BeginAgainError } from '#src/store/db.ts';
import { together } from '#src/store/message.ts';
import type { PersonCache } from './cache.ts';
import { decodeProperties, encodeProperties, type PropertyState } from './properties.ts';
import * as queries from './queries.ts';
import { type Concern, needsChange, type Slot, type WorkingPerson } from './working.ts';

/** Locks and reads the persons that events may change; gives those that may be changed now, new ones included. */
export async function lockChanging(
  { client, cache, projectId }: { client: ClientBase; cache: PersonCache; projectId: number },
  concerns: Concern[],
): Promise<Set<WorkingPerson>> {
  const open = new Set<WorkingPerson>();
  for (const concern of concerns) {
    const { slot, other } = concern;
    if (other !== null) {
      open.add(slot.person);
      open.add(other.person);
    } else if (!open.has(slot.person) && needsChange(concern)) open.add(slot.person);
  }
  const stored = [...open].filter((person) => !person.isNew);
  if (stored.length === 0) return open;

  const rows = await queries.lockPersons(
    client,
    projectId,
    stored.map((person) => person.number),
  );
  const byNumber = new Map(rows.map((row) => [row.number, row]));
  const gone = stored.filter(({ number, splits }) => {
    const row = byNumber.get(number);
    return row?.merged !== false || row.splits !== splits;
  });
  if (gone.length > 0) {
    for (const { number } of gone) cache.forget(projectId, number);
    throw new BeginAgainError('a person was merged or split concurrently');
  }
  for (const person of stored) {
    const row = byNumber.get(person.number) as queries.PersonRow;
    person.state = decodeProperties(row.properties, row.property_stamps);
    person.createdAt = row.created_at;
    person.identified = row.identified;
    person.hasProfile = row.has_profile;
  }
  return open;
}

/** Of whom something was heard later than this ago is left: no project keeps less. A day is for clocks that differ. */
const SURELY_KEPT_MS = (MIN_RETENTION - 1) * dayMs;

/**
 * Persons without a profile are deleted once nothing is left of them (src/events/idle-persons.ts): those that may be are kept until this
 * batch has ended. Those that it changes are locked already.
 * @throws BeginAgainError when one is gone
 */
export async function keepIdle(
  { client, cache, projectId, nowMs }: { client: ClientBase; cache: PersonCache; projectId: number; nowMs: number },
  persons: Iterable<WorkingPerson>,
  locked: ReadonlySet<WorkingPerson>,
): Promise<void> {
  const idle = [...persons].filter(
    (person) => !person.isNew && !person.hasProfile && person.createdAt < nowMs - SURELY_KEPT_MS && !locked.has(person),
  );
  if (idle.length === 0) return;
  const numbers = idle.map(({ number }) => number);
  const there = new Set(await queries.keepPersons(client, projectId, numbers));
  const gone = idle.filter(({ number }) => !there.has(number));
  if (gone.length === 0) return;
  for (const { number, entry } of gone) {
    cache.forget(projectId, number);
    if (entry !== null) entry.stale = true;
  }
  throw new BeginAgainError('a person was deleted concurrently');
}

/** Writes what became of the persons; gives the numbers of which others should forget what they know. */
export async function writePersons(
  { client, projectId }: { client: ClientBase; projectId: number },
  slots: Map<string, Slot>,
  persons: Set<WorkingPerson>,
): Promise<number[]> {
  const moves: queries.Move[] = [];
  const inserts: (queries.WrittenPerson & { uuid: string })[] = [];
  const updates: queries.WrittenPerson[] = [];
  const changed: number[] = [];
  for (const person of persons) {
    for (const [number, joins] of person.origins ?? []) {
      if (joins.length === 0) continue;
      moves.push({ person: number, to: person.number, joins });
      changed.push(number);
    }
    if (person.isNew) inserts.push({ ...asRow(person), uuid: personUuid(projectId, person.firstId) });
    else if (person.isChanged) updates.push(asRow(person));
    if (person.hasRemoval) changed.push(person.number);
  }
  if (moves.length > 0) await queries.moveIds(client, projectId, moves);
  const settled = [...slots.values()].filter(isSettledElsewhere).map(
    (slot): queries.Settlement => ({
      distinctId: slot.distinctId,
      person: slot.person.number,
      joinedAt: slot.joinedAt,
    }),
  );
  if (settled.length > 0) await queries.settleIds(client, projectId, settled);
  const merged = moves.filter((move) => move.person !== move.to);
  if (merged.length > 0) await queries.overridePersons(client, projectId, merged);
  const written = [...merged.map((move) => move.person), ...[...inserts, ...updates].map(({ number }) => number)];
  await together([
    inserts.length > 0 && queries.insertPersons(client, projectId, inserts),
    updates.length > 0 && queries.updatePersons(client, projectId, updates),
    written.length > 0 && queries.noteChanges(client, projectId, written),
  ]);
  return changed;
}

/** A claimed id whose row has to say something else than what it was claimed with. */
function isSettledElsewhere({ claim, person, joinedAt }: Slot): boolean {
  return claim !== null && (claim.person !== person.number || String(claim.joinedAt) !== String(joinedAt));
}

function asRow(person: WorkingPerson): queries.WrittenPerson {
  const { properties, stamps } = encodeProperties(person.state as PropertyState);
  return {
    number: person.number,
    properties,
    property_stamps: stamps,
    identified: person.identified,
    has_profile: person.hasProfile,
    created_at: person.createdAt,
  };
}

/** The uuid of the person that a distinct id makes: the same in every process, and whenever it is made again. */
export function personUuid(projectId: number, distinctId: string): string {
  return uuidV5(`${projectId}:${distinctId}`);
}

/** Another one, for a person when that one is taken. */
export function furtherUuid(projectId: number, distinctId: string, person: number): string {
  return uuidV5(`${projectId}:${distinctId}#${person}`);
}
