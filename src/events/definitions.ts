/**
 * Definitions of events and properties: first and last seen (by receipt), inferred type. Updated on write, at
 * most once an hour per name, to keep the cost low. Counts are in `event_counts`.
 */
import type { Pool } from 'pg';
import type { JsonObject, JsonValue } from '#src/kit/json.ts';
import { createRecent, type Recent } from '#src/kit/recent.ts';
import type { FinishedEvent } from './contract.ts';
import * as queries from './queries.ts';

const EVERY_MS = 3_600_000;
/** Names remembered of a project. */
const REMEMBERED = 5_000;
/** Maximum new names per batch; the rest waits for the next. Limits projects that use ids as names. */
const MAX_NAMES = 500;
/** Longer names could not be indexed; such properties are stored, but not listed. */
const MAX_NAME_LENGTH = 400;

export type ValueType = 'string' | 'number' | 'boolean' | 'datetime' | 'list' | 'object';

export interface Definitions {
  /** Notes the names of the batch. Outside the transaction: a name may be noted although its batch failed. */
  note(batch: readonly FinishedEvent[]): Promise<void>;
}

/** Cached names of a project, with the time of the last update. */
interface Known {
  events: Recent<string, number>;
  properties: Recent<string, number>;
  /** Groups are shared by many events: one look is enough for an hour. */
  groups: WeakMap<JsonObject, number>;
}

/** A batch's updates for a project. */
interface News {
  events: Map<string, number>;
  properties: Map<string, { type: ValueType; at: number }>;
  groups: Map<JsonObject, number>;
}

export function createDefinitions(pool: Pool): Definitions {
  const projects = new Map<number, Known>();

  return {
    async note(batch) {
      const news = new Map<number, News>();
      for (const event of batch) {
        const known = projects.get(event.projectId) ?? newKnown();
        projects.set(event.projectId, known);
        look(event, known, news);
      }
      for (const [projectId, { events, properties, groups }] of news) {
        const known = projects.get(projectId) as Known;
        const seen = [...events].map(([name, at]) => ({ name, at }));
        if (seen.length > 0) await queries.noteEvents(pool, projectId, seen);
        for (const { name, at } of seen) known.events.set(name, at);
        const named = [...properties].map(([name, { type, at }]) => ({ name, type, at }));
        if (named.length > 0) await queries.noteProperties(pool, projectId, named);
        for (const { name, at } of named) known.properties.set(name, at);
        for (const [group, at] of groups) known.groups.set(group, at);
      }
    },
  };
}

/** Gathers what has not been noted for an hour. */
function look(event: FinishedEvent, known: Known, news: Map<number, News>): void {
  const { projectId, groups, receivedAt: at } = event;
  if (isDue(known.events.get(event.event), at)) put(newsOf(news, projectId).events, event.event, at);
  lookInto(event.properties, event, known, news);
  for (const kind in groups) {
    const group = groups[kind as keyof typeof groups];
    if (group === undefined || !isDue(known.groups.get(group), at)) continue;
    newsOf(news, projectId).groups.set(group, at);
    lookInto(group, event, known, news);
  }
}

function lookInto(
  part: JsonObject,
  { projectId, receivedAt: at }: FinishedEvent,
  known: Known,
  news: Map<number, News>,
): void {
  for (const name in part) {
    if (!isDue(known.properties.get(name), at)) continue;
    const type = typeOf(part[name] as JsonValue);
    if (type !== null && name.length <= MAX_NAME_LENGTH) put(newsOf(news, projectId).properties, name, { type, at });
  }
}

function isDue(last: number | undefined, at: number): boolean {
  return last === undefined || at - last >= EVERY_MS;
}

function put<Value>(into: Map<string, Value>, name: string, value: Value): void {
  if (into.size < MAX_NAMES) into.set(name, value);
}

function newKnown(): Known {
  return { events: createRecent(REMEMBERED), properties: createRecent(REMEMBERED), groups: new WeakMap() };
}

function newsOf(news: Map<number, News>, projectId: number): News {
  const own = news.get(projectId) ?? { events: new Map(), properties: new Map(), groups: new Map() };
  news.set(projectId, own);
  return own;
}

const DATE = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

/** The type of a value, null for none. */
export function typeOf(value: JsonValue): ValueType | null {
  if (value === null) return null;
  if (Array.isArray(value)) return 'list';
  switch (typeof value) {
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'object':
      return 'object';
    default:
      return DATE.test(value) ? 'datetime' : 'string';
  }
}
