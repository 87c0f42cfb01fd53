/**
 * Format of a record in a spool file: length (4 bytes, little endian), CRC-32C of the payload (4 bytes), payload (JSON).
 * The payload begins with its event count and oldest receipt time, so that a file can be surveyed without parsing it.
 * Pure.
 */
import type { FinishedEvent } from '#src/events/contract.ts';
import type { JsonValue } from '#src/kit/json.ts';
import type { ForwardRequest } from '#src/relay/contract.ts';
import type { Note } from './notes.ts';

/**
 * Raw events with an unknown token, because the database was unavailable: they are processed at replay.
 * Data that the strictest project setting excludes must already be removed.
 */
export interface UnroutedRecord {
  token: string;
  /** Receipt, ms since 1970. */
  receivedAt: number;
  /** One per event, assigned before the spool, so that a replay is idempotent. */
  uuids: string[];
  /** Opaque state for the collector to process the events. */
  raw: JsonValue;
}

export type SpoolRecord =
  | { kind: 'events'; events: FinishedEvent[] }
  | { kind: 'unrouted'; record: UnroutedRecord }
  | { kind: 'forward'; request: ForwardRequest }
  /** Results of events that are not in this record. `id`: a record that is read again counts once. */
  | { kind: 'notes'; id: string; notes: readonly Note[] };

/** Version of a payload's format. Records of unknown versions are kept and never guessed at. The first payloads have no version: it is 1. */
const RECORD_VERSION = 2;
const FIRST_VERSION = 1;
const KINDS: ReadonlySet<string> = new Set<SpoolRecord['kind']>(['events', 'unrouted', 'forward', 'notes']);

const HEADER_BYTES = 8;
/** No record is longer: a length beyond it is damage. The endpoint's own limit on a decoded body is lower. */
const MAX_PAYLOAD_BYTES = 128 * 1024 * 1024;

/** The bytes of one record. */
export function encodeRecord(record: SpoolRecord): Buffer {
  const { count, oldestAt } = summary(record);
  const payload = Buffer.from(
    `{"n":${count},"at":${Math.floor(oldestAt)},"v":${RECORD_VERSION},"record":${JSON.stringify(plain(record))}}`,
    'utf8',
  );
  const bytes = Buffer.allocUnsafe(HEADER_BYTES + payload.length);
  bytes.writeUInt32LE(payload.length, 0);
  bytes.writeUInt32LE(crc32c(payload), 4);
  payload.copy(bytes, HEADER_BYTES);
  return bytes;
}

/** A complete record and the offset of the next, or damage and the expected end of the record. */
export type Scanned = { next: number; payload: Buffer } | { next: number; payload: null };

/** Reads the record at `offset` and checks it; null at the end of the bytes. */
export function scanRecord(bytes: Buffer, offset: number): Scanned | null {
  if (offset >= bytes.length) return null;
  if (offset + HEADER_BYTES > bytes.length) return { next: bytes.length, payload: null };
  const length = bytes.readUInt32LE(offset);
  const next = offset + HEADER_BYTES + length;
  if (length === 0 || length > MAX_PAYLOAD_BYTES || next > bytes.length) return { next: bytes.length, payload: null };
  const payload = bytes.subarray(offset + HEADER_BYTES, next);
  return { next, payload: crc32c(payload) === bytes.readUInt32LE(offset + 4) ? payload : null };
}

/** The record in a checked payload; null when it is of a version or kind that is not known here. */
export function decodePayload(payload: Buffer): SpoolRecord | null {
  const { v = FIRST_VERSION, record } = JSON.parse(payload.toString('utf8')) as { v?: number; record: SpoolRecord };
  if ((v !== FIRST_VERSION && v !== RECORD_VERSION) || !KINDS.has(record?.kind)) return null;
  if (record.kind === 'forward') {
    const body = Buffer.from(record.request.body as unknown as string, 'base64');
    return { kind: 'forward', request: { ...record.request, body } };
  }
  if (record.kind === 'events' && v === FIRST_VERSION) return { kind: 'events', events: record.events.map(upcast) };
  return record;
}

/** An event of version 1, where `orderedAt` had another name. */
function upcast({ toldAt, ...event }: FinishedEvent & { toldAt?: number }): FinishedEvent {
  return toldAt === undefined ? event : { ...event, orderedAt: toldAt };
}

/** Number of events and oldest receipt time of a file, from its headers. Stops at damage. */
export function surveyRecords(bytes: Buffer): { events: number; oldestAt: number | null } {
  let events = 0;
  let oldestAt: number | null = null;
  let offset = 0;
  while (offset + HEADER_BYTES < bytes.length) {
    const start = offset + HEADER_BYTES;
    const head = /^\{"n":(\d+),"at":(\d+),/.exec(bytes.toString('latin1', start, start + 48));
    if (!head) break;
    events += Number(head[1]);
    oldestAt = Math.min(oldestAt ?? Number.POSITIVE_INFINITY, Number(head[2]));
    offset = start + bytes.readUInt32LE(offset);
  }
  return { events, oldestAt };
}

/** How many events a record stands for, and the earliest receipt among them. */
export function summary(record: SpoolRecord): { count: number; oldestAt: number } {
  if (record.kind === 'unrouted') return { count: record.record.uuids.length, oldestAt: record.record.receivedAt };
  if (record.kind === 'forward') return { count: 0, oldestAt: record.request.receivedAt };
  if (record.kind === 'notes') return { count: 0, oldestAt: Math.min(...record.notes.map(({ at }) => at)) };
  let oldestAt = record.events[0]?.receivedAt ?? 0;
  for (const { receivedAt } of record.events) if (receivedAt < oldestAt) oldestAt = receivedAt;
  return { count: record.events.length, oldestAt };
}

/** JSON has no bytes: bodies travel as base64. */
function plain(record: SpoolRecord): unknown {
  if (record.kind !== 'forward') return record;
  const { request } = record;
  return { kind: 'forward', request: { ...request, body: Buffer.from(request.body).toString('base64') } };
}

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0x82f63b78 : value >>> 1;
  return value;
});

/** CRC-32C (Castagnoli). `node:zlib` has only the other CRC-32. @see RFC 3720 appendix B.4 for test values */
export function crc32c(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (let i = 0; i < bytes.length; i++) crc = (TABLE[(crc ^ (bytes[i] as number)) & 0xff] as number) ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}
