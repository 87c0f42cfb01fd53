/**
 * Groups such as companies and workspaces that events belong to besides persons. At most five types per project, numbered in
 * order of appearance. Group properties follow the rules of person properties. @see docs/wire.md
 */
import type { ClientBase, Pool } from 'pg';
import { effectiveTime, type FinishedEvent, type IngestWarning } from '#src/events/contract.ts';
import type { JsonObject, JsonValue } from '#src/kit/json.ts';
import { createRecent } from '#src/kit/recent.ts';
import type { PersonWarningReason } from './contract.ts';
import {
  applyChange,
  decodeProperties,
  encodeProperties,
  growthBy,
  MAX_PROPERTIES,
  sizeOfState,
} from './properties.ts';
import * as queries from './queries.ts';

/** PostHog's limit; `$group_0` to `$group_4` are its names. */
const MAX_TYPES = 5;
const MAX_KEY = 400;
const MAX_NAME = 200;
const MAX_PROJECTS = 1_000;

export interface Groups {
  /** Learns the types that these events name, and numbers new ones. Outside the transaction. */
  prepare(projectId: number, events: readonly FinishedEvent[]): Promise<void>;
  /** `$group_0…`: the keys of the event's groups by number of the type; null when it has none. */
  keysOf(projectId: number, event: FinishedEvent): JsonObject | null;
  /** Makes the groups that events describe, and sets their properties. Inside the transaction. */
  write(client: ClientBase, projectId: number, events: readonly FinishedEvent[]): Promise<IngestWarning[]>;
}

export function createGroups(pool: Pool): Groups {
  const types = createRecent<number, ReadonlyMap<string, number>>(MAX_PROJECTS);

  async function load(projectId: number): Promise<ReadonlyMap<string, number>> {
    const rows = await queries.loadGroupTypes(pool, projectId);
    const found = new Map(rows.map((row) => [row.name, row.type_index]));
    types.set(projectId, found);
    return found;
  }

  async function prepare(projectId: number, events: readonly FinishedEvent[]): Promise<void> {
    const named = new Set(events.flatMap(typesOf));
    if (named.size === 0) return;
    let known = types.get(projectId) ?? (await load(projectId));
    for (const name of named) {
      // Other processes may claim a number meanwhile.
      for (let tries = 0; tries <= MAX_TYPES && !known.has(name) && known.size < MAX_TYPES; tries++) {
        await queries.addGroupType(pool, projectId, name, MAX_TYPES);
        known = await load(projectId);
      }
    }
  }

  function keysOf(projectId: number, event: FinishedEvent): JsonObject | null {
    let keys: JsonObject | null = null;
    for (const [name, key] of groupsOn(event)) {
      const index = types.get(projectId)?.get(name);
      if (index === undefined) continue;
      keys ??= {};
      keys[`$group_${index}`] = key;
    }
    return keys;
  }

  async function write(
    client: ClientBase,
    projectId: number,
    events: readonly FinishedEvent[],
  ): Promise<IngestWarning[]> {
    const described = new Map<string, { type_index: number; key: string; events: FinishedEvent[] }>();
    const warnings: IngestWarning[] = [];
    for (const event of events) {
      for (const name of typesOf(event)) {
        if (types.get(projectId)?.has(name)) continue;
        warnings.push(warning('too_many_group_types', event, name));
      }
      const type_index = types.get(projectId)?.get(cut(event.groupIdentify?.type ?? '', MAX_NAME));
      if (event.groupIdentify === undefined || type_index === undefined) continue;
      const key = asKey(event.groupIdentify.key);
      const place = `${type_index} ${key}`;
      const found = described.get(place);
      if (found) found.events.push(event);
      else described.set(place, { type_index, key, events: [event] });
    }
    if (described.size > 0) warnings.push(...(await change(client, projectId, described)));
    return warnings;
  }

  return { prepare, keysOf, write };
}

async function change(
  client: ClientBase,
  projectId: number,
  described: Map<string, { type_index: number; key: string; events: FinishedEvent[] }>,
): Promise<IngestWarning[]> {
  const warnings: IngestWarning[] = [];
  const wanted = [...described.values()].map(({ type_index, key, events }) => ({
    type_index,
    key,
    created_at: iso(Math.min(...events.map((event) => event.ts))),
  }));
  const rows = await queries.lockGroups(client, projectId, wanted);
  await queries.updateGroups(
    client,
    projectId,
    rows.map(({ type_index, key, properties, property_stamps, created_at }) => {
      const state = decodeProperties(properties, property_stamps);
      const events = described.get(`${type_index} ${key}`)?.events ?? [];
      // Properties that lose against newer events are counted, too, although they take no room.
      let room = MAX_PROPERTIES - sizeOfState(state);
      for (const event of events) {
        const { uuid, groupIdentify } = event;
        const ts = effectiveTime(event);
        const set = groupIdentify?.set ?? {};
        const growth = growthBy(state, set);
        if (growth > Math.max(room, 0)) {
          warnings.push(warning('properties_too_large', event, `${groupIdentify?.type}: ${key}`));
          continue;
        }
        room -= growth;
        for (const name in set) applyChange(state, name, set[name], { kind: 'set', ts, uuid, via: [] });
      }
      const stored = encodeProperties(state);
      const first = Math.min(created_at, ...events.map((event) => event.ts));
      return { type_index, key, properties: stored.properties, property_stamps: stored.stamps, created_at: iso(first) };
    }),
  );
  return warnings;
}

const NONE: readonly never[] = [];

/** Types of groups that the event names; events without person processing name none. */
function typesOf(event: FinishedEvent): readonly string[] {
  if (event.groupIdentify === undefined && event.properties['$groups'] === undefined) return NONE;
  const names = groupsOn(event).map(([name]) => name);
  if (event.groupIdentify !== undefined && event.person.process) names.push(cut(event.groupIdentify.type, MAX_NAME));
  return names;
}

function groupsOn({ properties, person }: FinishedEvent): readonly (readonly [name: string, key: string])[] {
  const groups = properties['$groups'];
  if (typeof groups !== 'object' || groups === null || Array.isArray(groups) || !person.process) return NONE;
  return Object.entries(groups)
    .filter(([name, key]) => name.trim() !== '' && key !== null && asKey(key).trim() !== '')
    .map(([name, key]) => [cut(name, MAX_NAME), asKey(key)] as const);
}

function asKey(key: JsonValue): string {
  return cut(typeof key === 'string' ? key : JSON.stringify(key), MAX_KEY);
}

/** Cuts without leaving half a character, which PostgreSQL would refuse. */
function cut(text: string, length: number): string {
  return (text.length <= length ? text : text.slice(0, length)).toWellFormed();
}

function warning(reason: PersonWarningReason, event: FinishedEvent, detail: string): IngestWarning {
  const sample = { event: event.event, distinct_id: event.distinctId, uuid: event.uuid, detail };
  return { projectId: event.projectId, reason, at: event.receivedAt, sample };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
