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
/** A gzip without content has so many bytes. */
const MIN_GZIP = 18;
/** The end of a gzip states its inflated length. */
const LENGTH_BYTES = 4;

/** What is left to inflate of a request, bytes. */
export interface InflateAllowance {
  left: number;
}

/** Gives the value of a compressed text. @throws for what is damaged or too large */
type Inflate = (text: string) => JsonValue;

/** The events of a list, without those that cannot be read or are too large. */
export function decodeItems(items: readonly JsonValue[], allowance: InflateAllowance): RecordedEvent[] {
  const inflate = inflaterOf(items, allowance);
  return items.flatMap((item) => decodeItem(item, inflate) ?? []);
}

function decodeItem(item: JsonValue, inflate: Inflate): RecordedEvent | null {
  if (!isObject(item)) return null;
  const { type, timestamp } = item;
  if (typeof type !== 'number' || typeof timestamp !== 'number' || !Number.isFinite(timestamp)) return null;
  if (item['cv'] === undefined) return item as RecordedEvent;
  if (item['cv'] !== COMPRESSED) return null;
  const { cv: _, ...event } = item;
  try {
    return { ...event, data: decodeData(type, item['data'], inflate) } as RecordedEvent;
  } catch {
    return null;
  }
}

function decodeData(type: number, data: JsonValue | undefined, inflate: Inflate): JsonValue {
  if (type === eventType.fullSnapshot && typeof data === 'string') return inflate(data);
  if (type !== eventType.incremental || !isObject(data)) return data ?? null;
  const decoded: JsonObject = { ...data };
  for (const name of compressedOf(data['source'])) {
    const value = data[name];
    if (typeof value === 'string') decoded[name] = inflate(value);
  }
  return decoded;
}

function compressedOf(from: JsonValue | undefined): readonly string[] {
  if (from === source.mutation) return ['texts', 'attributes', 'removes', 'adds'];
  return from === source.styleSheet ? ['adds', 'removes'] : [];
}

/** An event has up to four tiny texts, and each inflation costs more than its content: they are inflated together. */
function inflaterOf(items: readonly JsonValue[], allowance: InflateAllowance): Inflate {
  const known = inflateTogether(new Set(items.flatMap(compressedTexts)), allowance.left);
  return (text) => {
    const limit = Math.max(1, Math.min(MAX_ITEM_BYTES, allowance.left));
    const bytes = known.get(text) ?? gunzipSync(Buffer.from(text, 'latin1'), { maxOutputLength: limit });
    if (bytes.length > limit) throw new RangeError('recording too large');
    allowance.left -= bytes.length;
    return JSON.parse(bytes.toString('utf8')) as JsonValue;
  };
}

function compressedTexts(item: JsonValue): string[] {
  if (!isObject(item) || item['cv'] !== COMPRESSED || item['type'] !== eventType.incremental) return [];
  const { data } = item;
  if (!isObject(data)) return [];
  return compressedOf(data['source']).flatMap((name) => (typeof data[name] === 'string' ? data[name] : []));
}

/** One gzip may have several members. When something is wrong with one of them, none is known. @param left most bytes of all of them */
function inflateTogether(texts: ReadonlySet<string>, left: number): Map<string, Buffer> {
  const known = new Map<string, Buffer>();
  const members = [...texts].filter(isGzip).map((text) => ({ text, length: statedLength(text) }));
  const small = members.filter(({ length }) => length <= MAX_ITEM_BYTES);
  const total = small.reduce((sum, { length }) => sum + length, 0);
  if (small.length < 2 || total > left) return known;
  try {
    const packed = Buffer.from(small.map(({ text }) => text).join(''), 'latin1');
    const bytes = gunzipSync(packed, { maxOutputLength: total, chunkSize: Math.max(MIN_CHUNK, total) });
    if (bytes.length !== total) return known;
    let from = 0;
    for (const { text, length } of small) {
      known.set(text, bytes.subarray(from, from + length));
      from += length;
    }
  } catch {
    // Each for itself, so that the others are read.
    known.clear();
  }
  return known;
}

/** What zlib takes at least. */
const MIN_CHUNK = 64;

function isGzip(text: string): boolean {
  return text.length >= MIN_GZIP && text.charCodeAt(0) === 0x1f && text.charCodeAt(1) === 0x8b;
}

/** What the gzip says; checked when it is inflated. */
function statedLength(text: string): number {
  let length = 0;
  for (let at = LENGTH_BYTES; at > 0; at--) {
    length += (text.charCodeAt(text.length - at) & 0xff) * 2 ** (8 * (LENGTH_BYTES - at));
  }
  return length;
}
