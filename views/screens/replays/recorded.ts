/** What recorders send: events of rrweb, as far as the player looks into them. Pure. */

export interface RecordedEvent {
  type: number;
  // Written by strangers: what is read of it is checked.
  data: unknown;
  /** ms by our clock. */
  timestamp: number;
}

export const FULL_SNAPSHOT = 2;
export const INCREMENTAL = 3;
export const META = 4;
export const CUSTOM = 5;
export const PLUGIN = 6;

/** Sources of incremental events that come from the visitor: pointer, touch, scroll, window, input, media, drag. */
const byVisitor = new Set([1, 2, 3, 4, 5, 6, 7, 12]);
const MUTATION = 0;

export function isByVisitor({ type, data }: RecordedEvent): boolean {
  return type === INCREMENTAL && byVisitor.has(Number(fieldOf(data, 'source')));
}

export function isMutation({ type, data }: RecordedEvent): boolean {
  return type === INCREMENTAL && fieldOf(data, 'source') === MUTATION;
}

export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
