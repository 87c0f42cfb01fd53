/**
 * The persons of one batch while it is being decided what becomes of them: merges, properties, flags. Everything that is
 * changed here was locked before, or is new and unseen by others. Pure; the database is written from the outcome.
 */
import { effectiveMergeTime, effectiveTime, type FinishedEvent } from '#src/events/contract.ts';
import { type JsonObject, type JsonValue, putProperty } from '#src/kit/json.ts';
import { autoPropertiesOf, overwritesPerson } from './auto-properties.ts';
import type { PersonEntry } from './cache.ts';
import type { PersonWarningReason } from './contract.ts';
import { isIllegalId } from './illegal-ids.ts';
import {
  type ChangeKind,
  growthBy,
  MAX_PROPERTIES,
  mergeProperties,
  type PropertyState,
  type Stamp,
  sizeOfProperties,
  sizeOfProperty,
  sizeOfState,
  viaMerges,
  weighChange,
} from './properties.ts';

/** A person as this batch sees it. */
export interface WorkingPerson {
  /** Number of the row that survives. */
  number: number;
  /** Its row does not exist yet. */
  isNew: boolean;
  /** The distinct id that a new person gets its uuid from. */
  firstId: string;
  createdAt: number;
  identified: boolean;
  hasProfile: boolean;
  /** Ids that had been taken out of it, as far as is known. */
  splits: number;
  /** Null until its row is locked and read. */
  state: PropertyState | null;
  /** Cached state; null for a new person. */
  entry: PersonEntry | null;
  /** Its row has to be written. */
  isChanged: boolean;
  /** Something was removed: other processes may think it is still there. */
  hasRemoval: boolean;
  slots: Slot[];
  /** So many characters of properties can be added at least; more when it is old. */
  room: number;
  isRoomOld: boolean;
  /** Stored rows that became this person, with the merges of this batch that brought their ids; null: none but its own. */
  origins: Map<number, readonly number[]> | null;
}

/** A distinct id as this batch sees it. */
export interface Slot {
  distinctId: string;
  number: number;
  person: WorkingPerson;
  /** Times of the merges that brought it to its person, in their order. */
  joinedAt: readonly number[];
  /** State of its row when this batch claimed it. */
  claim: { person: number; joinedAt: readonly number[] } | null;
}

/** An event and the ids it is about. */
export interface Concern {
  event: FinishedEvent;
  slot: Slot;
  /** The id to merge into `slot`; null without a legal merge. */
  other: Slot | null;
}

/** Result of an event's statements about its person. */
export interface Verdict {
  /** What the event really changed, to be kept with it: `$set`, `$set_once`, `$unset`. Null: nothing. */
  history: JsonObject | null;
  /** Statements that were refused. */
  refused: readonly PersonWarningReason[];
}

/** True when the merge asked for may take place at all, as far as the two ids tell. */
export function isMergeLegal({ distinctId, person: { merge } }: FinishedEvent): boolean {
  return merge !== null && !isIllegalId(merge.otherDistinctId) && !isIllegalId(distinctId);
}

/** True when the event identifies or merges an id that stands for nobody. */
export function usesIllegalId(event: FinishedEvent): boolean {
  const { merge, identify, process } = event.person;
  return merge !== null ? !isMergeLegal(event) : identify && process && isIllegalId(event.distinctId);
}

/** True when the event may change its person: then the person's row has to be locked. Errs on the side of true. */
export function needsChange({ event, slot, other }: Concern): boolean {
  const { person } = slot;
  const wish = event.person;
  if (event.ts < person.createdAt || (wish.process && !person.hasProfile)) return true;
  if (!wish.process) return false;
  if (other !== null || wish.merge !== null || (wish.identify && !person.identified)) return true;
  if (overwritesPerson(event)) return true;
  const settled = person.entry?.settled ?? null;
  if (settled === null || effectiveTime(event) < (person.entry as PersonEntry).settledAt) return true;
  for (const name in wish.setOnce) if (!settled.has(name)) return true;
  for (const list of autoPropertiesOf(event)) {
    for (const { name, initialName } of list) if (!settled.has(name) || !settled.has(initialName)) return true;
  }
  return false;
}

/** Lets one event act on its person. Events of a batch come in the order of their time. */
export function settle({ event, slot, other }: Concern): Verdict {
  const wish = event.person;
  if (event.ts < slot.person.createdAt) touch(slot.person).createdAt = event.ts;
  if (!wish.process) return NOTHING;
  if (!slot.person.hasProfile) touch(slot.person).hasProfile = true;
  const refused = other === null ? null : merge(slot, other, event);
  const identifies = wish.identify && !isIllegalId(event.distinctId);
  if ((identifies || refused === 'merge_refused') && !slot.person.identified) touch(slot.person).identified = true;
  const isTaken = makesRoom(slot.person, event);
  const history = changeProperties(slot, event, isTaken);
  const reasons: PersonWarningReason[] = [];
  if (refused !== null) reasons.push(refused);
  if (!isTaken && refused !== TOO_LARGE) reasons.push(TOO_LARGE);
  return { history, refused: reasons };
}

const TOO_LARGE = 'properties_too_large';
const NOTHING: Verdict = { history: null, refused: [] };

function touch(person: WorkingPerson): WorkingPerson {
  person.isChanged = true;
  return person;
}

/**
 * Merges the person of `other` into that of `slot`, unless it is identified already: two people who share a device must
 * not become one. `$merge_dangerously` may.
 */
function merge(slot: Slot, other: Slot, event: FinishedEvent): 'merge_refused' | typeof TOO_LARGE | null {
  const target = slot.person;
  const source = other.person;
  if (target === source) return null;
  if (source.identified && event.person.merge?.kind !== 'dangerously') return 'merge_refused';

  const at = effectiveMergeTime(event);
  const joins = viaMerges(at, [at], slot.joinedAt);
  const origins = originsOf(target);
  const isTooLarge = sizeOfState(stateOf(target)) + sizeOfState(stateOf(source)) > MAX_PROPERTIES;
  if (!isTooLarge) mergeProperties(stateOf(target), stateOf(source), joins);
  target.room = 0;
  target.isRoomOld = true;
  for (const moved of source.slots) {
    moved.person = target;
    moved.joinedAt = viaMerges(Number.NEGATIVE_INFINITY, moved.joinedAt, joins);
    target.slots.push(moved);
  }
  for (const [number, before] of originsOf(source)) {
    origins.set(number, viaMerges(Number.NEGATIVE_INFINITY, before, joins));
  }
  if (target.isNew && !source.isNew) {
    // A new id is attached to the person that exists: past events need no mapping.
    target.number = source.number;
    target.splits = source.splits;
    target.isNew = false;
    target.entry = source.entry;
  }
  target.createdAt = Math.min(target.createdAt, source.createdAt);
  target.identified = true;
  target.hasProfile = true;
  target.hasRemoval ||= source.hasRemoval;
  touch(target);
  return isTooLarge ? TOO_LARGE : null;
}

/** Whether all properties that an event sets fit into the person's limit. */
function makesRoom(person: WorkingPerson, event: FinishedEvent): boolean {
  const state = stateOf(person);
  const { set, setOnce, unset } = event.person;
  let more = sizeOfProperties(setOnce);
  for (const list of autoPropertiesOf(event)) {
    for (const { name, initialName, value } of list) {
      more += sizeOfProperty(name, value) + sizeOfProperty(initialName, value);
    }
  }
  // That something was removed is remembered as well.
  for (const name of unset) if (!state.has(name)) more += sizeOfProperty(name, undefined);
  // Replacing a value needs less space.
  const growth = more + growthBy(state, set);
  if (growth > Math.max(person.room, 0) && person.isRoomOld) {
    person.room = MAX_PROPERTIES - sizeOfState(state);
    person.isRoomOld = false;
  }
  if (growth > Math.max(person.room, 0)) return false;
  person.room -= growth;
  person.isRoomOld ||= growth > 0;
  return true;
}

function originsOf(person: WorkingPerson): Map<number, readonly number[]> {
  person.origins ??= new Map(person.isNew ? [] : [[person.number, []]]);
  return person.origins;
}

/**
 * Once, then set, then unset; what the event says explicitly before what follows from it.
 * @param isTaken otherwise only what it takes away is done
 */
function changeProperties(slot: Slot, event: FinishedEvent, isTaken: boolean): JsonObject | null {
  const { unset } = event.person;
  const { set, setOnce } = isTaken ? event.person : NOTHING_SAID;
  const stamps = stampsOf(slot, event);
  const state = stateOf(slot.person);
  const before = { set: {} as JsonObject, once: {} as JsonObject };
  const cleared: string[] = [];
  for (const name in setOnce) change(slot.person, state, name, setOnce[name], stamps.once, before.once);
  for (const name in set) {
    const isOther = change(slot.person, state, name, set[name], stamps.set, before.set);
    if (isOther && set[name] === null) cleared.push(name);
  }
  const auto = overwritesPerson(event) ? stamps.set : stamps.once;
  const lists = isTaken ? autoPropertiesOf(event) : [];
  for (const list of lists) {
    for (const { name, initialName, value } of list) {
      change(slot.person, state, name, value, auto, null);
      change(slot.person, state, initialName, value, stamps.once, null);
    }
  }
  if (lists.length > 0) change(slot.person, state, '$creator_event_uuid', event.uuid, stamps.once, null);
  const gone = isTaken ? unset : unset.filter((name) => state.has(name));
  const removed = gone.filter((name) => change(slot.person, state, name, undefined, stamps.unset, null));
  if (removed.length > 0) {
    slot.person.hasRemoval = true;
    slot.person.isRoomOld = true;
  }
  if (cleared.length > 0) slot.person.isRoomOld = true;
  return historyOf(before.set, before.once, cleared.length > 0 ? [...new Set([...cleared, ...removed])] : removed);
}

const NOTHING_SAID: { set: JsonObject; setOnce: JsonObject } = { set: {}, setOnce: {} };

function stampsOf(slot: Slot, event: FinishedEvent): Record<ChangeKind, Stamp> {
  const { uuid } = event;
  const ts = effectiveTime(event);
  const via = viaMerges(ts, [], slot.joinedAt);
  return {
    set: { kind: 'set', ts, uuid, via },
    once: { kind: 'once', ts, uuid, via },
    unset: { kind: 'unset', ts, uuid, via },
  };
}

/** Applies a change and notes it in `history` when the value is another one now. */
function change(
  person: WorkingPerson,
  state: PropertyState,
  name: string,
  value: JsonValue | undefined,
  stamp: Stamp,
  history: JsonObject | null,
): boolean {
  const effect = weighChange(state, name, value, stamp);
  if (effect !== 'lost') person.isChanged = true;
  const isOther = effect === 'changed';
  if (isOther && history !== null && value !== undefined && value !== null) {
    putProperty(history, name, value);
  }
  return isOther;
}

function historyOf(set: JsonObject, once: JsonObject, unset: string[]): JsonObject | null {
  const history: JsonObject = {};
  if (Object.keys(set).length > 0) history['$set'] = set;
  if (Object.keys(once).length > 0) history['$set_once'] = once;
  if (unset.length > 0) history['$unset'] = unset;
  return Object.keys(history).length > 0 ? history : null;
}

function stateOf(person: WorkingPerson): PropertyState {
  if (person.state === null) throw new Error(`person ${person.number} changed without a lock`);
  return person.state;
}
