/**
 * Events of a recording as they were before the client compressed them. With `cv: "2024-10"` parts of an event are texts of one code unit per byte of a
 * gzip; an event without it is as it was. Every inflation has a limit, and all of a request together have one. Pure.
 */
import { gunzipSync } from 'node:zlib';
import type { JsonObject, JsonValue } from '#src/kit/json.ts';
import { eventType, isObject, type RecordedEvent, source } from '#src/kit/recording/events.ts';

/** One compressed part of an event, inflated. */
export const MAX_ITEM_BYTES = 8 * 1024 * 1024;
/** All of a request. */
export const MAX_REQUEST_BYTES = 32 * 1024 * 1024;

const COMPRESSED = '2024-10';

/** What is left to inflate of a request, bytes. */
export interface InflateAllowance {
  left: number;
}

/** The event, or null for what is none, cannot be read or is too large. */
export function decodeItem(item: JsonValue, allowance: InflateAllowance): RecordedEvent | null {
  if (!isObject(item)) return null;
  const { type, timestamp } = item;
  if (typeof type !== 'number' || typeof timestamp !== 'number' || !Number.isFinite(timestamp)) return null;
  if (item['cv'] === undefined) return item as RecordedEvent;
  if (item['cv'] !== COMPRESSED) return null;
  const { cv: _, ...event } = item;
  try {
    return { ...event, data: decodeData(type, item['data'], allowance) } as RecordedEvent;
  } catch {
    return null;
  }
}

function decodeData(type: number, data: JsonValue | undefined, allowance: InflateAllowance): JsonValue {
  if (type === eventType.fullSnapshot && typeof data === 'string') return inflate(data, allowance);
  if (type !== eventType.incremental || !isObject(data)) return data ?? null;
  const names = compressedOf(data['source']);
  const decoded: JsonObject = { ...data };
  for (const name of names) {
    const value = data[name];
    if (typeof value === 'string') decoded[name] = inflate(value, allowance);
  }
  return decoded;
}

function compressedOf(from: JsonValue | undefined): readonly string[] {
  if (from === source.mutation) return ['texts', 'attributes', 'removes', 'adds'];
  return from === source.styleSheet ? ['adds', 'removes'] : [];
}

/** Most lists are empty, and a client compresses the empty list once: known by its text, since inflating costs more than all else here. */
const EMPTY_LENGTH = 40;
let emptyList: string | null = null;

function inflate(text: string, allowance: InflateAllowance): JsonValue {
  if (text === emptyList) return [];
  const limit = Math.max(1, Math.min(MAX_ITEM_BYTES, allowance.left));
  const packed = Buffer.from(text, 'latin1');
  const bytes = gunzipSync(packed, { maxOutputLength: limit, chunkSize: chunkSizeFor(packed) });
  if (text.length <= EMPTY_LENGTH && bytes.length === 2 && bytes.toString() === '[]') emptyList = text;
  allowance.left -= bytes.length;
  return JSON.parse(bytes.toString('utf8')) as JsonValue;
}

/** One chunk holds what the end of the gzip says; if that is wrong, there are more of them. */
function chunkSizeFor(packed: Buffer): number {
  const stated = packed.length < 18 ? 0 : packed.readUInt32LE(packed.length - 4) + 1;
  return Math.min(256 * 1024, Math.max(256, stated));
}
