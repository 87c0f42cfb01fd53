/**
 * Person properties and their conflict resolution. Events arrive in any order (retries, offline devices, the spool, imports), yet the
 * result must be the same. So each property keeps the stamp of the event that set it, and every change is compared
 * with it instead of being applied in order of arrival. Pure.
 *
 * The rules, as if all events had arrived in chronological order (ties: by uuid):
 * - `$set`: the latest wins. `$set_once`: the earliest wins, and only where nothing was set. `$unset` removes what is older.
 * - A merge at time T fills missing properties of the surviving person with those of the other at T. So changes under a merged
 *   distinct id before T count as a `$set_once` at T (`via`), and among each other by the same rules.
 *
 * Null is no value, but it is set all the same: a `$set` to null clears what is older, and after a `$set_once` to null later ones
 * change nothing (the first visit had no campaign).
 *
 * Only the winner is kept. So a `$set_once` that lost is not restored when a late `$unset` removes
 * the winner: a property with both needs its events in order. Everything else is exact.
 */
import { type JsonObject, type JsonValue, putProperty } from '#src/kit/json.ts';

export type ChangeKind = 'set' | 'once' | 'unset';

/** Time and kind of the change that set a property. */
export interface Stamp {
  kind: ChangeKind;
  /** When the event counts (`effectiveTime`), ms with microseconds. */
  ts: number;
  /** The event's uuid: decides between equal times. */
  uuid: string;
  /** Times of the merges that brought it, whole ms, in order; empty when it was set under the person's own id. */
  via: readonly number[];
}

/** A property with what set it; one that was removed or set to null keeps its stamp, without a value. Belongs to one state. */
export interface Held {
  value: JsonValue | undefined;
  stamp: Stamp;
}

export type PropertyState = Map<string, Held>;

/** Effect of a change: lost, only a newer stamp, or a new value. */
export type Effect = 'lost' | 'stamped' | 'changed';

/** Applies one change if it wins. */
export function weighChange(state: PropertyState, name: string, given: JsonValue | undefined, stamp: Stamp): Effect {
  const value = given ?? undefined;
  const held = state.get(name);
  if (held === undefined) {
    state.set(name, { value, stamp });
    return value === undefined ? 'stamped' : 'changed';
  }
  if (!wins(stamp, held.stamp)) return 'lost';
  const isSame = isSameValue(value, held.value);
  // In place: a state has its own, and most changes say what is known.
  held.value = value;
  held.stamp = stamp;
  return isSame ? 'stamped' : 'changed';
}

/** Applies a change; true when the value changed. */
export function applyChange(state: PropertyState, name: string, value: JsonValue | undefined, stamp: Stamp): boolean {
  return weighChange(state, name, value, stamp) === 'changed';
}

/** True when the person does not look as if the change had been made: the change is worth a lock on the person's row. */
export function changesState(state: PropertyState, name: string, stamp: Stamp): boolean {
  const held = state.get(name);
  return held === undefined || wins(stamp, held.stamp);
}

/**
 * Maximum size of a person's or group's properties, in characters: each change writes the whole row. Which properties exceed it depends
 * on the order of arrival, as nothing else does.
 */
export const MAX_PROPERTIES = 512 * 1024;
/** Overhead of a property besides its name, which is stored twice, and its value. */
const STAMP_CHARACTERS = 40;

/** About how many characters are written for it. */
export function sizeOfState(state: PropertyState): number {
  let size = 0;
  for (const [name, { value }] of state) size += sizeOfProperty(name, value);
  return size;
}

export function sizeOfProperties(properties: JsonObject): number {
  let size = 0;
  for (const name in properties) size += sizeOfProperty(name, properties[name]);
  return size;
}

/** Growth of the state when these are set, in characters; negative when it shrinks. */
export function growthBy(state: PropertyState, properties: JsonObject): number {
  let growth = 0;
  for (const name in properties) {
    const held = state.get(name);
    growth += sizeOfProperty(name, properties[name]) - (held === undefined ? 0 : sizeOfProperty(name, held.value));
  }
  return growth;
}

export function sizeOfProperty(name: string, value: JsonValue | undefined): number {
  const own = typeof value === 'string' ? value.length : typeof value === 'object' ? JSON.stringify(value).length : 8;
  return STAMP_CHARACTERS + 2 * name.length + own;
}

/**
 * Fills the gaps of `target` with the properties of a person that is merged into it.
 * @param joins time of the merge, and of the later ones that brought the id which it was merged into
 */
export function mergeProperties(target: PropertyState, other: PropertyState, joins: readonly number[]): void {
  for (const [name, { value, stamp }] of other) {
    applyChange(target, name, value, { ...stamp, via: viaMerges(stamp.ts, stamp.via, joins) });
  }
}

/**
 * The `via` of a change at `ts` after its distinct id went through merges at `joins`: a change after a merge belongs to
 * the surviving person directly, and earlier merges do not affect it.
 */
export function viaMerges(ts: number, via: readonly number[], joins: readonly number[]): readonly number[] {
  const last = via.at(-1);
  // Clients use the old id and then merge it within one millisecond.
  const later = joins.filter((join) => (last === undefined ? join >= Math.floor(ts) : join > last));
  return later.length === 0 ? via : [...via, ...later];
}

function wins(next: Stamp, held: Stamp): boolean {
  if (isFirm(next)) {
    if (isFirm(held)) return isLater(next, held);
    return next.kind === 'set' || effective(held) <= next.ts;
  }
  if (isFirm(held)) return held.kind === 'unset' && effective(next) > held.ts;
  const [nextVia, heldVia] = [next.via.at(-1), held.via.at(-1)];
  if (nextVia === heldVia) {
    return nextVia === undefined ? isLater(held, next) : wins(beforeLastMerge(next), beforeLastMerge(held));
  }
  // A removal does not fill a gap; otherwise the first value stays; a merge precedes its own event's changes.
  if (nextVia !== undefined && next.kind === 'unset') return false;
  if (heldVia !== undefined && held.kind === 'unset') return true;
  const [nextAt, heldAt] = [effective(next), effective(held)];
  return nextAt < heldAt || (nextAt === heldAt && nextVia !== undefined);
}

function beforeLastMerge(stamp: Stamp): Stamp {
  return { ...stamp, via: stamp.via.slice(0, -1) };
}

/** True for a `$set` or `$unset` under the person's own id. */
function isFirm(stamp: Stamp): boolean {
  return stamp.via.length === 0 && stamp.kind !== 'once';
}

/** From when on it counts for the surviving person. */
function effective(stamp: Stamp): number {
  return stamp.via.at(-1) ?? stamp.ts;
}

/** Within one event `$unset` comes last. */
function isLater(one: Stamp, other: Stamp): boolean {
  if (one.ts !== other.ts) return one.ts > other.ts;
  if (one.uuid !== other.uuid) return one.uuid > other.uuid;
  return one.kind === 'unset' && other.kind !== 'unset';
}

function isSameValue(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  return JSON.stringify(one) === JSON.stringify(other);
}

/** One stamp and the names it holds for; null names: all that are in no other group. */
type StampGroup = [kind: ChangeKind, ts: number, uuid: string, via: readonly number[], names: string[] | null];

/** Stored form: the values, and the stamps by groups of names, with the largest group's names implied. */
export interface StoredProperties {
  properties: JsonObject;
  stamps: StampGroup[];
}

/** @param stamps as `encodeProperties` made them */
export function decodeProperties(properties: JsonObject, stamps: unknown): PropertyState {
  const state: PropertyState = new Map();
  let rest: Stamp | null = null;
  for (const [kind, ts, uuid, via, names] of stamps as StampGroup[]) {
    const stamp = { kind, ts, uuid, via };
    if (names === null) rest = stamp;
    for (const name of names ?? []) {
      const hasValue = kind !== 'unset' && Object.hasOwn(properties, name);
      state.set(name, { value: hasValue ? (properties[name] ?? undefined) : undefined, stamp });
    }
  }
  for (const name of Object.keys(properties)) {
    if (!state.has(name)) state.set(name, { value: properties[name] ?? undefined, stamp: rest ?? UNKNOWN });
  }
  return state;
}

/** Equal states give equal stamps and properties, regardless of the order of changes (jsonb sorts names itself). */
export function encodeProperties(state: PropertyState): StoredProperties {
  const properties: JsonObject = {};
  const withValues = createStampGroups();
  const withoutValues = createStampGroups();
  state.forEach(({ value, stamp }, name) => {
    if (value !== undefined) putProperty(properties, name, value);
    (value === undefined ? withoutValues : withValues).add(name, stamp);
  });
  const largest = [...withValues.byKey]
    .sort(byKey)
    .reduce<StampGroup | null>((best, [, each]) => (sizeOf(each) > sizeOf(best) ? each : best), null);
  if (largest !== null) largest[4] = null;
  const stamps = [...withValues.byKey, ...withoutValues.byKey].sort(byKey).map(([, group]) => group);
  for (const group of stamps) group[4]?.sort();
  return { properties, stamps };
}

interface StampGroups {
  byKey: Map<string, StampGroup>;
  add(name: string, stamp: Stamp): void;
}

function createStampGroups(): StampGroups {
  const byKey = new Map<string, StampGroup>();
  /** Most names share a few stamps, as one object. */
  const byStamp = new Map<Stamp, StampGroup>();
  return {
    byKey,
    add(name, stamp) {
      let group = byStamp.get(stamp);
      if (group === undefined) {
        group = groupOf(stamp, byKey);
        byStamp.set(stamp, group);
      }
      group[4]?.push(name);
    },
  };
}

function byKey([one]: [string, StampGroup], [other]: [string, StampGroup]): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** The group of an equal stamp, made when there is none. */
function groupOf(stamp: Stamp, groups: Map<string, StampGroup>): StampGroup {
  const key = `${stamp.ts} ${stamp.uuid} ${stamp.kind} ${stamp.via}`;
  let group = groups.get(key);
  if (group === undefined) {
    group = [stamp.kind, stamp.ts, stamp.uuid, stamp.via, []];
    groups.set(key, group);
  }
  return group;
}

/** Stamp of properties without one (rows edited by hand): older than any. */
const UNKNOWN: Stamp = { kind: 'set', ts: 0, uuid: '', via: [] };

function sizeOf(group: StampGroup | null): number {
  return group?.[4]?.reduce((sum, name) => sum + name.length + 3, 0) ?? 0;
}
