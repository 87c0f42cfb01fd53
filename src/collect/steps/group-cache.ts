/**
 * Finished property groups, remembered so that the next event with the same properties gets the same object: comparing a
 * few values is much cheaper than building, writing out and hashing a group, and the storing step can tell by the object alone
 * that it has seen one. Groups are never changed once they are made.
 */

import type { JsonObject, JsonValue } from '#src/kit/json.ts';
import { createRecent, type Recent } from '#src/kit/recent.ts';
import type { DeviceClocks } from './device-clock.ts';

/** A group as it came in, and what it became. */
export interface CachedGroup {
  names: string[];
  values: JsonValue[];
  /** Other things that the result depends on. */
  extra: string;
  group: JsonObject;
  /** Approximate size. */
  bytes: number;
}

export type CachedKind = 'page' | 'device' | 'source' | 'flags' | 'elements';

/** A visit's latest event: its groups, and texts to share with the next one. */
export interface Latest extends Record<CachedKind, CachedGroup | null> {
  session: string | null;
  distinctId: string;
  windowId: JsonValue | undefined;
}

/** The cache of one project. Keys are strings of the events: concatenation would cost more than the look-up. */
export interface GroupCache {
  visits: Recent<string, Latest>;
  /** Names of events. */
  names: Recent<string, string>;
  clocks: DeviceClocks;
  /** Groups that came with this telling value (a page's address, a user agent ...). */
  near: Record<CachedKind, Recent<string, CachedGroup>>;
  /** Geo groups by address, for each way of handling addresses. */
  geo: Map<string, Recent<string, { group: JsonObject | null }>>;
}

/** About 20 MB when full. */
const SIZES = {
  visits: 20_000,
  names: 500,
  clocks: 20_000,
  page: 4_000,
  device: 4_000,
  source: 2_000,
  flags: 200,
  elements: 1_000,
  geo: 20_000,
};

const MEGABYTE = 1024 * 1024;
/** Senders decide how long the properties of a page are, and with how many visits they come. */
const MAX_VISITS_BYTES = 24 * MEGABYTE;
const MAX_NEAR_BYTES = 4 * MEGABYTE;
const MAX_CLOCKS_BYTES = 4 * MEGABYTE;
/** Larger groups are not remembered. */
const MAX_GROUP_BYTES = 65_536;
/** Overhead of an entry. */
const ENTRY_BYTES = 200;
const VALUE_BYTES = 32;

/** @param usage total of all caches, without geo groups and event names, which are short */
export function createGroupCache(usage: { bytes: number } = { bytes: 0 }): GroupCache {
  const near = (size: number) =>
    createRecent<string, CachedGroup>(size, {
      maxBytes: MAX_NEAR_BYTES,
      bytesOf: (anchor, { bytes }) => 2 * anchor.length + bytes,
      usage,
    });
  return {
    visits: createRecent<string, Latest>(SIZES.visits, {
      maxBytes: MAX_VISITS_BYTES,
      bytesOf: bytesOfLatest,
      usage,
    }),
    names: createRecent(SIZES.names),
    clocks: createRecent(SIZES.clocks, {
      maxBytes: MAX_CLOCKS_BYTES,
      bytesOf: (device) => ENTRY_BYTES + 2 * device.length,
      usage,
    }),
    near: {
      page: near(SIZES.page),
      device: near(SIZES.device),
      source: near(SIZES.source),
      flags: near(SIZES.flags),
      elements: near(SIZES.elements),
    },
    geo: new Map(),
  };
}

/** Groups that came more than once are counted more than once. */
function bytesOfLatest(visit: string, latest: Latest): number {
  const groups = [latest.page, latest.device, latest.source, latest.flags, latest.elements];
  return groups.reduce((sum, group) => sum + (group?.bytes ?? 0), ENTRY_BYTES + 2 * visit.length);
}

/** @returns bytes of a group by its names and values, roughly; infinity: too large to be remembered */
export function bytesOfGroup(names: readonly string[], values: readonly JsonValue[], extra: string): number {
  let bytes = ENTRY_BYTES + 2 * extra.length;
  const add = (value: JsonValue): void => {
    bytes += VALUE_BYTES;
    if (bytes > MAX_GROUP_BYTES) return;
    if (typeof value === 'string') bytes += 2 * value.length;
    else if (Array.isArray(value)) for (const each of value) add(each);
    else if (value !== null && typeof value === 'object') {
      for (const name in value) {
        bytes += 2 * name.length;
        add(value[name] as JsonValue);
      }
    }
  };
  for (const name of names) bytes += 2 * name.length;
  for (const value of values) add(value);
  return bytes > MAX_GROUP_BYTES ? Number.POSITIVE_INFINITY : bytes;
}

/** The visit's latest event; created empty for a new visit. */
export function latestOf(cache: GroupCache, visit: string): Latest {
  let latest = cache.visits.get(visit);
  if (latest === undefined) {
    const noGroups = { page: null, device: null, source: null, flags: null, elements: null };
    latest = { ...noGroups, session: null, distinctId: '', windowId: undefined };
    cache.visits.set(visit, latest);
  }
  return latest;
}

/** The one text for equal names. */
export function sameName(cache: GroupCache, name: string): string {
  const known = cache.names.get(name);
  if (known !== undefined) return known;
  cache.names.set(name, name);
  return name;
}

/** The geo groups of one way of handling addresses. */
export function geoGroupsOf(cache: GroupCache, handling: string): Recent<string, { group: JsonObject | null }> {
  let groups = cache.geo.get(handling);
  if (groups === undefined) {
    groups = createRecent(SIZES.geo);
    cache.geo.set(handling, groups);
  }
  return groups;
}
