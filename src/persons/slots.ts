/**
 * Distinct ids of a batch: those that are known, those that are claimed, and what may be remembered of them after the commit.
 * An id is claimed by inserting it, in the order of the ids, so that two batches with the same new visitor agree on one person.
 */
import type { ClientBase } from 'pg';
import { effectiveMergeTime, type FinishedEvent } from '#src/events/contract.ts';
import { BeginAgainError } from '#src/store/db.ts';
import type { Supply } from '#src/store/numbers.ts';
import type { IdEntry, PersonCache, PersonEntry } from './cache.ts';
import type { PropertyState } from './properties.ts';
import * as queries from './queries.ts';
import { isMergeLegal, type Slot, type WorkingPerson } from './working.ts';

export interface PreparedProject {
  /** Ids of the batch; null: not stored yet. */
  ids: Map<string, IdEntry | null>;
  idNumbers: Supply;
  personNumbers: Supply;
}

/** One slot for each id of the batch: known, or claimed just now. */
export async function findSlots(
  { client, cache, projectId }: { client: ClientBase; cache: PersonCache; projectId: number },
  events: readonly FinishedEvent[],
  prepared: PreparedProject,
): Promise<Map<string, Slot>> {
  const slots = new Map<string, Slot>();
  const persons = new Map<number, WorkingPerson>();
  const put = (distinctId: string, { number, person: entry, joinedAt }: IdEntry) => {
    let person = persons.get(entry.number);
    if (person === undefined) {
      person = workingPerson(entry);
      persons.set(entry.number, person);
    }
    putSlot(slots, { distinctId, number, person, joinedAt, claim: null });
  };
  const unknown: string[] = [];
  for (const distinctId of idsOf(events)) {
    const entry = prepared.ids.get(distinctId);
    if (entry) put(distinctId, entry);
    else unknown.push(distinctId);
  }
  if (unknown.length === 0) return slots;
  const claims = makeClaims(events, unknown, prepared);

  const claimed = new Set(await queries.claimIds(client, projectId, claims));
  const taken = new Set<number>();
  for (const claim of claims) {
    const { distinctId, number, person } = claim;
    if (!claimed.has(distinctId)) continue;
    // A person that is expected to be merged gets a number only when the merge does not happen.
    const own = newPerson(taken.has(person) ? NOT_NUMBERED : person, distinctId);
    taken.add(person);
    putSlot(slots, { distinctId, number, person: own, joinedAt: [], claim });
  }
  if (claimed.size === claims.length) return slots;

  const lost = claims.map((claim) => claim.distinctId).filter((distinctId) => !claimed.has(distinctId));
  for (const row of await queries.loadIds(client, projectId, lost)) {
    put(row.distinct_id, remember(cache, projectId, row));
  }
  if (lost.some((distinctId) => !slots.has(distinctId))) throw new BeginAgainError('an ID was added and removed again');
  return slots;
}

/** The number of a person that is expected not to need one. */
export const NOT_NUMBERED = 0;

/**
 * Claims for all new ids. When a new id is merged into another in the same batch (an anonymous visitor signs up), both are claimed for one
 * person; when the merge does not happen, the rows are corrected.
 */
function makeClaims(
  events: readonly FinishedEvent[],
  unknown: readonly string[],
  prepared: PreparedProject,
): queries.Claim[] {
  const claims = new Map<string, queries.Claim>();
  const isNew = (distinctId: string) => prepared.ids.get(distinctId) === null;
  const claim = (distinctId: string, person: number | null, joinedAt: number[]) => {
    const found = claims.get(distinctId);
    if (found !== undefined || !isNew(distinctId)) return found;
    const number = prepared.idNumbers.next();
    const made = { distinctId, number, person: person ?? prepared.personNumbers.next(), joinedAt };
    claims.set(distinctId, made);
    return made;
  };
  for (const event of events) {
    const { distinctId, person } = event;
    if (!isMergeLegal(event) || !person.process || !isNew(person.merge?.otherDistinctId as string)) continue;
    const target = claim(distinctId, null, []);
    if (target !== undefined)
      claim(person.merge?.otherDistinctId as string, target.person, [effectiveMergeTime(event)]);
  }
  for (const distinctId of unknown) claim(distinctId, null, []);
  return [...claims.values()];
}

function putSlot(slots: Map<string, Slot>, slot: Slot): void {
  slots.set(slot.distinctId, slot);
  slot.person.slots.push(slot);
}

/** After the commit: what the batch found out is remembered. */
export function rememberAll(
  { cache, projectId }: { cache: PersonCache; projectId: number },
  slots: Map<string, Slot>,
  persons: Set<WorkingPerson>,
  changed: number[],
): void {
  for (const number of changed) cache.forget(projectId, number);
  const entries = new Map<WorkingPerson, PersonEntry>();
  for (const person of persons) entries.set(person, entryOf(cache, person));
  for (const { distinctId, number, person, joinedAt, claim } of slots.values()) {
    const entry = entries.get(person) as PersonEntry;
    const isKnown = claim === null && entry === person.entry && (person.origins === null || person.origins.size === 1);
    if (!isKnown) cache.putId(projectId, distinctId, { number, person: entry, joinedAt });
  }
}

/** The cache's entry of a person, brought up to date when this batch read or wrote its row. */
function entryOf(cache: PersonCache, person: WorkingPerson): PersonEntry {
  const entry: PersonEntry =
    person.entry !== null && !person.entry.stale
      ? person.entry
      : { ...freshEntry, number: person.number, createdAt: person.createdAt, splits: person.splits };
  entry.createdAt = Math.min(entry.createdAt, person.createdAt);
  entry.identified ||= person.identified;
  entry.hasProfile ||= person.hasProfile;
  if (person.state !== null) settleEntry(cache, entry, person.state);
  return entry;
}

function settleEntry(cache: PersonCache, entry: PersonEntry, state: PropertyState): void {
  const before = entry.settled;
  let names = 0;
  let known = 0;
  let settledAt = 0;
  state.forEach(({ stamp }, name) => {
    if (stamp.kind === 'unset') return;
    names++;
    if (before?.has(name)) known++;
    const isFirm = stamp.via.length === 0 && stamp.kind === 'set';
    if (!isFirm) settledAt = Math.max(settledAt, stamp.via.at(-1) ?? stamp.ts);
  });
  entry.settledAt = settledAt;
  // Mostly a person has what they had: the names need not be put in order to see it.
  if (before?.size !== names || known !== names) entry.settled = cache.shape(namesIn(state));
}

function namesIn(state: PropertyState): string[] {
  return [...state].filter(([, { stamp }]) => stamp.kind !== 'unset').map(([name]) => name);
}

const freshEntry = { identified: false, hasProfile: false, settled: null, settledAt: 0, splits: 0, stale: false };

function workingPerson(entry: PersonEntry): WorkingPerson {
  return {
    number: entry.number,
    isNew: false,
    firstId: '',
    createdAt: entry.createdAt,
    identified: entry.identified,
    hasProfile: entry.hasProfile,
    splits: entry.splits,
    state: null,
    entry,
    isChanged: false,
    hasRemoval: false,
    room: 0,
    isRoomOld: true,
    slots: [],
    origins: null,
  };
}

/** A new person without data. */
export function newPerson(number: number, firstId: string): WorkingPerson {
  return {
    number,
    isNew: true,
    firstId,
    createdAt: Number.POSITIVE_INFINITY,
    identified: false,
    hasProfile: false,
    splits: 0,
    state: new Map(),
    entry: null,
    isChanged: true,
    hasRemoval: false,
    room: 0,
    isRoomOld: true,
    slots: [],
    origins: null,
  };
}

const NEVER: readonly number[] = [];

/** Caches an id's row; the entry of its person is shared with the person's other ids. */
export function remember(cache: PersonCache, projectId: number, row: queries.IdRow): IdEntry {
  const known = cache.person(projectId, row.person);
  const isKnown = known !== undefined && known.splits === row.splits;
  if (!isKnown) cache.forget(projectId, row.person);
  const person: PersonEntry = isKnown
    ? known
    : {
        ...freshEntry,
        number: row.person,
        createdAt: row.created_at,
        identified: row.identified,
        hasProfile: row.has_profile,
        splits: row.splits,
      };
  const entry = { number: row.number, person, joinedAt: row.joined_at?.map(Number) ?? NEVER };
  cache.putId(projectId, row.distinct_id, entry);
  return entry;
}

/** All ids that these events are about, each once. */
export function idsOf(events: readonly FinishedEvent[]): Set<string> {
  const ids = new Set<string>();
  for (const event of events) {
    ids.add(event.distinctId);
    if (event.person.process && isMergeLegal(event)) ids.add(event.person.merge?.otherDistinctId as string);
  }
  return ids;
}
