/**
 * Requests with recordings, opened and made ready to be stored. In two steps, since the token is among the recorded events, and what a project wants
 * of them is only known with it. Runs in a thread. @see docs/wire.md
 */
import { constants, zstdCompressSync } from 'node:zlib';
import { AppError } from '#src/kit/errors.ts';
import { lowerUuid, uuidV5 } from '#src/kit/ids.ts';
import type { JsonObject, JsonValue } from '#src/kit/json.ts';
import {
  CONSOLE_PLUGIN,
  eventType,
  isObject,
  NETWORK_PLUGIN,
  opensBlock,
  pluginPayload,
  type RecordedEvent,
} from '#src/kit/recording/events.ts';
import { maskSecrets } from '#src/kit/recording/mask.ts';
import { createSummary } from '#src/kit/recording/summary.ts';
import { dayMs } from '#src/kit/zone.ts';
import { decode, type Incoming, MAX_DECODED_BYTES } from '../decode.ts';
import { openEnvelope, type RawBatch } from '../envelope.ts';
import { textIn } from '../http.ts';
import { distinctIdOf } from '../steps/names.ts';
import { strippedAddress } from '../steps/parameters.ts';
import { parseTime } from '../steps/time.ts';
import type { KnownFields, RecordedPart } from './contract.ts';
import { decodeItems, type InflateAllowance, MAX_REQUEST_BYTES } from './decode-items.ts';

export interface OpenTask {
  /** Of the request, for the steps after. */
  request: number;
  incoming: Omit<Incoming, 'body' | 'largeTurn' | 'checkToken' | 'parse'>;
  body: Uint8Array;
  /** The token given outside the body. */
  token: string | undefined;
}

export interface FinishTask {
  request: number;
  receivedAt: number;
  /** Of the project. */
  settings: { console: boolean; network: boolean; strippedParameters: readonly string[] };
  known: KnownFields;
}

export interface OpenedRecording {
  token: string;
  sessions: string[];
  /** Length of the JSON text. */
  length: number;
}

export interface FinishedRecording {
  parts: RecordedPart[];
  /** Events that could not be read, or were too large. */
  unread: number;
}

interface Element {
  /** Part of a migration of old data: its times are exact. */
  isHistorical: boolean;
  uuid: string | null;
  session: string;
  window: string;
  distinctId: string;
  sentAt: number | null;
  items: readonly JsonValue[];
}

/** A type, so that it can be asked for by message. */
export type RecordingOpener = {
  /** @throws AppError `invalid`, `too_large`, `unauthenticated` without a token */
  open(task: OpenTask): Promise<OpenedRecording>;
  finish(task: FinishTask): FinishedRecording;
  /** Gives back the memory of a request; after `finish`, or instead of it. */
  drop(request: number): void;
};

/** Elements of a request: a client sends a few. */
const MAX_ELEMENTS = 500;
const ID = /^[\w-]{1,70}$/;
/** Below this the client's clock is right: what is left is the way of the request. */
const MIN_SKEW_MS = 10_000;
/** The longest retention. */
const MAX_HISTORY_MS = 365 * dayMs;
const LEVEL = { params: { [constants.ZSTD_c_compressionLevel]: 3 } };

export function createRecordingOpener(): RecordingOpener {
  const opened = new Map<number, Element[]>();
  return {
    async open({ request, incoming, body, token }) {
      const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
      const decoded = await decode({ ...incoming, body: bytes, parse }, MAX_DECODED_BYTES);
      const batch = openEnvelope(decoded.value, { token });
      if (batch.events.length > MAX_ELEMENTS) throw new AppError('too_large', 'Too many recordings in one request.');
      const elements = batch.events.flatMap((event) => elementOf(event, batch) ?? []);
      opened.set(request, elements);
      return {
        token: batch.token,
        sessions: [...new Set(elements.map(({ session }) => session))],
        length: decoded.length,
      };
    },
    finish({ request, receivedAt, settings, known }) {
      const fields = structuredClone(known);
      const allowance: InflateAllowance = { left: MAX_REQUEST_BYTES };
      const finished: FinishedRecording = { parts: [], unread: 0 };
      for (const element of opened.get(request) ?? []) {
        const events = decodeItems(element.items, allowance);
        finished.unread += element.items.length - events.length;
        const { session, window } = element;
        const part = partOf(element, events, { receivedAt, settings, known: fields[session]?.[window] ?? [] });
        if (part === null) continue;
        fields[session] = { ...fields[session], [window]: part.secretFields };
        finished.parts.push(part);
      }
      return finished;
    },
    drop(request) {
      opened.delete(request);
    },
  };
}

function parse(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    throw new AppError('invalid', 'Invalid request body: can’t be parsed as recordings.');
  }
}

/** Null for what is no recording. */
function elementOf(event: JsonValue, { sentAt, historical }: Pick<RawBatch, 'sentAt' | 'historical'>): Element | null {
  if (!isObject(event) || event['event'] !== '$snapshot' || !isObject(event['properties'])) return null;
  const { properties } = event;
  const session = textIn(properties, '$session_id') ?? '';
  const window = textIn(properties, '$window_id') ?? session;
  const distinctId = distinctIdOf(event['distinct_id'] ?? properties['distinct_id']);
  if (!ID.test(session) || !ID.test(window) || distinctId === null) return null;
  const data = properties['$snapshot_data'];
  return {
    isHistorical: historical,
    uuid: lowerUuid(textIn(event, 'uuid') ?? ''),
    // Visits have uuids only, so another id belongs to none.
    session: lowerUuid(session) ?? uuidV5(`session ${session}`),
    window,
    distinctId: distinctId.toWellFormed().replaceAll('\0', '\ufffd'),
    sentAt: timeOf(event['sent_at']) ?? sentAt,
    items: Array.isArray(data) ? data : data === undefined ? [] : [data],
  };
}

function timeOf(value: JsonValue | undefined): number | null {
  if (value === undefined || value === null) return null;
  const ms = parseTime(value);
  return ms === null ? null : Math.floor(ms);
}

interface PartContext {
  receivedAt: number;
  settings: FinishTask['settings'];
  known: readonly number[];
}

/** Null when no event is left. */
function partOf(
  { isHistorical, uuid, session, window, distinctId, sentAt }: Element,
  decoded: readonly RecordedEvent[],
  { receivedAt, settings, known }: PartContext,
): RecordedPart | null {
  const events = decoded
    .filter((event) => isWanted(event, settings))
    .sort((one, other) => one.timestamp - other.timestamp);
  const [first] = events;
  const last = events.at(-1);
  if (first === undefined || last === undefined) return null;
  for (const event of events) reduce(event, settings.strippedParameters);
  const { fields } = maskSecrets(events, known);
  const summary = createSummary();
  for (const event of events) summary.add(event);
  const lines = Buffer.from(events.map((event) => `${JSON.stringify(event)}\n`).join(''));
  const fromMs = Math.floor(first.timestamp);
  const toMs = Math.floor(last.timestamp);
  const isOld = isHistorical && fromMs > receivedAt - MAX_HISTORY_MS && toMs <= receivedAt;
  return {
    uuid: uuid ?? uuidV5(`recording ${session} ${window} ${lines.toString('latin1')}`),
    session,
    window,
    distinctId,
    fromMs,
    toMs,
    receivedAt: isOld ? toMs : receivedAt,
    skewMs: isOld ? 0 : skewOf(toMs, sentAt, receivedAt),
    hasFull: opensBlock(first, events[1]),
    rawLength: lines.length,
    body: zstdCompressSync(lines, LEVEL),
    summary: summary.result(),
    secretFields: fields,
  };
}

/** How far the client's clock is behind ours; 0 when it is right. Without a time of sending, only what cannot be is corrected. */
function skewOf(toMs: number, sentAt: number | null, receivedAt: number): number {
  const measured = sentAt === null ? 0 : receivedAt - sentAt;
  const skew = Math.abs(measured) < MIN_SKEW_MS ? 0 : measured;
  const isPossible = Math.abs(receivedAt - (toMs + skew)) <= dayMs;
  return isPossible ? skew : receivedAt - toMs;
}

/** False for what the project does not want, and for the client's whole configuration, which nobody plays. */
function isWanted(event: RecordedEvent, settings: FinishTask['settings']): boolean {
  if (event.type === eventType.custom) return !isObject(event.data) || event.data['tag'] !== '$posthog_config';
  if (event.type !== eventType.plugin || !isObject(event.data)) return true;
  const { plugin } = event.data;
  return (plugin !== CONSOLE_PLUGIN || settings.console) && (plugin !== NETWORK_PLUGIN || settings.network);
}

const BODIES = ['requestHeaders', 'responseHeaders', 'requestBody', 'responseBody'];

/** Takes secrets out of addresses, and headers and bodies out of requests. */
function reduce(event: RecordedEvent, strippedParameters: readonly string[]): void {
  const strip = (of: JsonObject, name: string) => {
    const address = of[name];
    if (typeof address === 'string') of[name] = strippedAddress(address, strippedParameters);
  };
  if (event.type === eventType.meta && isObject(event.data)) strip(event.data, 'href');
  if (event.type === eventType.custom && isObject(event.data) && isObject(event.data['payload'])) {
    strip(event.data['payload'], 'href');
  }
  const requests = pluginPayload(event, NETWORK_PLUGIN)?.['requests'];
  if (!Array.isArray(requests)) return;
  for (const request of requests) {
    if (!isObject(request)) continue;
    strip(request, 'name');
    for (const name of BODIES) delete request[name];
  }
}
