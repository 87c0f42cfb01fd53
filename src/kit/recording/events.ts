/** Events of a recording, as rrweb makes them. Pure. */
import type { JsonObject, JsonValue } from '../json.ts';

export interface RecordedEvent extends JsonObject {
  type: number;
  timestamp: number;
  data: JsonValue;
}

export const eventType = { fullSnapshot: 2, incremental: 3, meta: 4, custom: 5, plugin: 6 } as const;

/** Sources of incremental events. */
export const source = {
  mutation: 0,
  mouseMove: 1,
  interaction: 2,
  scroll: 3,
  input: 5,
  touchMove: 6,
  mediaInteraction: 7,
  styleSheet: 8,
  drag: 12,
} as const;

/** Interactions of a visitor with the mouse or a finger. */
export const CLICK = 2;

export const CONSOLE_PLUGIN = 'rrweb/console@1';
export const NETWORK_PLUGIN = 'rrweb/network@1';

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The data of an incremental event from this source; null for other events. */
export function incrementalOf({ type, data }: RecordedEvent): JsonObject | null {
  return type === eventType.incremental && isObject(data) ? data : null;
}

/** The payload of a plugin's event; null for other events. */
export function pluginPayload({ type, data }: RecordedEvent, plugin: string): JsonObject | null {
  if (type !== eventType.plugin || !isObject(data) || data['plugin'] !== plugin) return null;
  return isObject(data['payload']) ? data['payload'] : null;
}

/** True when playing can start here: a full snapshot, or the size of the page right before one. */
export function opensBlock({ type }: RecordedEvent, next: RecordedEvent | undefined): boolean {
  return type === eventType.fullSnapshot || (type === eventType.meta && next?.type === eventType.fullSnapshot);
}
