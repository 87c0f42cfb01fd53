/**
 * Person properties, and who wins. Events arrive in any order (retries, offline devices, the spool, imports), yet a
 * person must come out the same. So each property remembers by which event it was set, and every change is weighed
 * against that instead of being applied in order of arrival. Pure.
 *
 * The rules, as if all events had come in order of their time (ties: by uuid):
 * - `$set`: the latest wins. `$set_once`: the earliest wins, and only where nothing was set. `$unset` removes what is older.
 * - A merge at time T fills the gaps of the surviving person with what the other one had at T. So what was said under a merged
 *   distinct id before T counts like a `$set_once` at T (`via`), and among itself by the same rules.
 *
 * Only what holds now is remembered, not what lost. So a `$set_once` that lost is not found again when a late `$unset` removes
 * what it lost to: a property that is both removed and set once wants its events in order. All else is exact.
 */
import { type JsonObject, type JsonValue, putProperty } from '#src/kit/json.ts';

export type ChangeKind = 'set' | 'once' | 'unset';

/** When and how something was said about a property. */
export interface Stamp {
  kind: ChangeKind;
  /** When the event counts (`effectiveTime`), ms with microseconds. */
  ts: number;
  /** Of the event: decides between equal times. */
  uuid: string;
  /** Times of the merges that brought it, whole ms, in their order; empty when it was said under an id of the person itself. */
  via: readonly number[];
}

/** A property with what set it; a removed one keeps its stamp, without a value. Belongs to one state. */
export interface Held {
  value: JsonValue | undefined;
  stamp: Stamp;
}

export type PropertyState = Map<string, Held>;

/** What came of a change: it lost, only the stamp moved on, or the value is another one now. */
export type Effect = 'lost' | 'stamped' | 'changed';

/** Applies one change if it wins. */
export function weighChange(state: PropertyState, name: string, value: JsonValue | undefined, stamp: Stamp): Effect {
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

/** The same, for whom only another value matters: true when there is one now. */
export function applyChange(state: PropertyState, name: string, value: JsonValue | undefined, stamp: Stamp): boolean {
  return weighChange(state, name, value, stamp) === 'changed';
}

/** True when the person does not look as if the change had been made: the change is worth a lock on the person's row. */
export function changesState(state: PropertyState, name: string, stamp: Stamp): boolean {
  const held = state.get(name);
  return held === undefined || wins(stamp, held.stamp);
}

/**
 * What a person or group holds at most, in characters: each change writes the whole row. What goes beyond depends on the order in which
 * events arrive, as nothing else does.
 */
export const MAX_PROPERTIES = 512 * 1024;
/** What a property costs besides its name, which is written twice, and its value. */
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

/** By how much a state grows when these are set; below 0: it becomes smaller. */
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
 * The `via` of something said at `ts`, once its distinct id was brought by merges at `joins`: what was said after a merge belongs to
 * the surviving person directly, and merges that came before the one that brought it have nothing to do with it.
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
  // A gap is not filled by a removal; else what was there first stays; a merge comes before what its own event says.
  if (nextVia !== undefined && next.kind === 'unset') return false;
  if (heldVia !== undefined && held.kind === 'unset') return true;
  const [nextAt, heldAt] = [effective(next), effective(held)];
  return nextAt < heldAt || (nextAt === heldAt && nextVia !== undefined);
}

function beforeLastMerge(stamp: Stamp): Stamp {
  return { ...stamp, via: stamp.via.slice(0, -1) };
}

/** Said about the person directly, and not only for want of a value. */
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

/** As stored: the values, and the stamps by groups of names, of which the largest need not be spelled out. */
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
    for (const name of names ?? []) state.set(name, { value: kind === 'unset' ? undefined : properties[name], stamp });
  }
  for (const name of Object.keys(properties)) {
    if (!state.has(name)) state.set(name, { value: properties[name], stamp: rest ?? UNKNOWN });
  }
  return state;
}

/** Equal states give equal stamps and properties, whatever the order of changes (jsonb has an order of its own for names). */
export function encodeProperties(state: PropertyState): StoredProperties {
  const properties: JsonObject = {};
  const groups = new Map<string, StampGroup>();
  /** Most names share a few stamps, as one object. */
  const byStamp = new Map<Stamp, StampGroup>();
  state.forEach(({ value, stamp }, name) => {
    if (value !== undefined) putProperty(properties, name, value);
    let group = byStamp.get(stamp);
    if (group === undefined) {
      group = groupOf(stamp, groups);
      byStamp.set(stamp, group);
    }
    group[4]?.push(name);
  });
  const stamps = [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group);
  const largest = stamps
    .filter(([kind]) => kind !== 'unset')
    .reduce<StampGroup | null>((best, each) => (sizeOf(each) > sizeOf(best) ? each : best), null);
  if (largest !== null) largest[4] = null;
  for (const group of stamps) group[4]?.sort();
  return { properties, stamps };
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

/** Of properties without a stamp (there are none unless the row was written by hand): older than anything. */
const UNKNOWN: Stamp = { kind: 'set', ts: 0, uuid: '', via: [] };

function sizeOf(group: StampGroup | null): number {
  return group?.[4]?.reduce((sum, name) => sum + name.length + 3, 0) ?? 0;
}
