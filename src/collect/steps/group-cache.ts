/**
 * Finished property groups, remembered so that the next event with the same properties gets the same object: comparing a
 * few values is much cheaper than building, writing out and hashing a group, and whoever stores groups can tell by the object alone
 * that it has seen one. Groups are never changed once they are made.
 */

import type { JsonObject, JsonValue } from '#src/kit/json.ts';
import { createRecent, type Recent } from '#src/kit/recent.ts';

/** A group as it came in, and what it became. */
export interface CachedGroup {
  names: string[];
  values: JsonValue[];
  /** Other things that the result depends on. */
  extra: string;
  group: JsonObject;
}

export type CachedKind = 'page' | 'device' | 'source' | 'flags' | 'elements';

/** Of the latest event of one visit: its groups, and the texts that the next one says again. */
export interface Latest extends Record<CachedKind, CachedGroup | null> {
  session: string | null;
  distinctId: string;
  windowId: JsonValue | undefined;
}

/** What is remembered of one project. Keys are the strings of the events themselves: joining others to them costs more than the look-up. */
export interface GroupCache {
  visits: Recent<string, Latest>;
  /** Names of events. */
  names: Recent<string, string>;
  /** Groups that came with this telling value (a page's address, a user agent ...). */
  near: Record<CachedKind, Recent<string, CachedGroup>>;
  /** Geo groups by address, for each way of handling addresses. */
  geo: Map<string, Recent<string, { group: JsonObject | null }>>;
}

/** About 20 MB when full. */
const SIZES = {
  visits: 20_000,
  names: 500,
  page: 4_000,
  device: 4_000,
  source: 2_000,
  flags: 200,
  elements: 1_000,
  geo: 20_000,
};

export function createGroupCache(): GroupCache {
  return {
    visits: createRecent(SIZES.visits),
    names: createRecent(SIZES.names),
    near: {
      page: createRecent(SIZES.page),
      device: createRecent(SIZES.device),
      source: createRecent(SIZES.source),
      flags: createRecent(SIZES.flags),
      elements: createRecent(SIZES.elements),
    },
    geo: new Map(),
  };
}

/** What the visit's latest event was; made empty when the visit is new. */
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
