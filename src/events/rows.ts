/** Event rows, written down for COPY. */
import { lowerUuid } from '#src/kit/ids.ts';
import { type JsonObject, type JsonValue, putProperty } from '#src/kit/json.ts';
import { CopyRows } from '#src/store/copy.ts';
import type { CodedEvent } from './coding.ts';

/** Columns in the order in which rows are written. */
const columns = [
  'ts',
  'received_at',
  'session_id',
  'uuid',
  'window_id',
  'device_id',
  'project_id',
  'person',
  'distinct_id',
  'event',
  'page',
  'device',
  'source',
  'geo',
  'flags',
  'elements',
  'epoch',
  'marks',
  'properties',
];

export const copyStatement = `copy events (${columns.join(', ')}) from stdin (format binary)`;

/** Fixed columns, and some properties. */
const USUAL_BYTES = 320;

/**
 * @param additions what is stored among the properties besides those that were sent, one per event
 * @throws UnstorableError when a time or uuid is none
 */
export function writeRows(
  events: readonly CodedEvent[],
  additions: readonly (JsonObject | null)[],
  epoch: number,
): CopyRows {
  const rows = new CopyRows(events.length * USUAL_BYTES);
  events.forEach((coded, index) => {
    const { event, groups } = coded;
    const windowId = uuidIn(event.properties, '$window_id');
    const deviceId = uuidIn(event.properties, '$device_id');
    rows.row(columns.length);
    rows.time(event.ts);
    rows.time(event.receivedAt);
    rows.bigint(coded.sessionId);
    rows.uuid(event.uuid);
    rows.uuid(windowId);
    rows.uuid(deviceId);
    rows.int(event.projectId);
    rows.int(coded.person);
    rows.int(coded.distinctId);
    rows.int(coded.name);
    rows.int(groups.page);
    rows.int(groups.device);
    rows.int(groups.source);
    rows.int(groups.geo);
    rows.int(groups.flags);
    rows.int(groups.elements);
    rows.int(epoch);
    rows.smallint(event.marks);
    rows.json(restOf(coded, additions[index] ?? null, windowId, deviceId));
  });
  return rows;
}

/** Value of a property with its own column, when the column's type fits. */
function uuidIn(properties: JsonObject, name: '$window_id' | '$device_id'): string | null {
  const value = properties[name];
  // Upper case would come back in lower case.
  return typeof value === 'string' && lowerUuid(value) === value ? value : null;
}

/** Properties outside of groups and columns, as JSON; null without any. */
function restOf(
  { event, spilled }: CodedEvent,
  added: JsonObject | null,
  windowId: string | null,
  deviceId: string | null,
): string | null {
  let rest: JsonObject | null = null;
  for (const part of [spilled, event.properties, added]) {
    for (const name in part) {
      if ((name === '$window_id' && windowId !== null) || (name === '$device_id' && deviceId !== null)) continue;
      rest ??= {};
      putProperty(rest, name, part[name] as JsonValue);
    }
  }
  return rest === null ? null : JSON.stringify(rest);
}
