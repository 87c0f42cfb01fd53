/** Recordings as the client sends them. */
import { gzipSync } from 'node:zlib';
import { uuidV7 } from '#src/kit/ids.ts';
import type { JsonObject, JsonValue } from '#src/kit/json.ts';

/** Text of one code unit per byte of a gzip, as the client compresses parts of events. */
const packed = (value: JsonValue) => gzipSync(JSON.stringify(value)).toString('latin1');

/** An event as the client compresses it. */
export function compressed(event: JsonObject): JsonObject {
  const data = event['data'] as JsonObject;
  if (event['type'] === 2) return { ...event, data: packed(data), cv: '2024-10' };
  if (event['type'] !== 3 || data['source'] !== 0) return event;
  const parts = ['texts', 'attributes', 'removes', 'adds'].map((name) => [
    name,
    packed((data[name] as JsonValue) ?? []),
  ]);
  return { ...event, data: { ...data, ...Object.fromEntries(parts) }, cv: '2024-10' };
}

export interface ElementOptions {
  token: string;
  session: string;
  window?: string;
  distinctId?: string;
  uuid?: string;
  sentAt?: number;
}

/** An element of a request. */
export function element(events: readonly JsonObject[], options: ElementOptions): JsonObject {
  const { token, session, window = session, distinctId = 'ana', sentAt } = options;
  const last = Number(events.at(-1)?.['timestamp'] ?? 0);
  return {
    uuid: options.uuid ?? uuidV7(last),
    event: '$snapshot',
    properties: {
      $snapshot_bytes: 1,
      $snapshot_data: events.map(compressed),
      $session_id: session,
      $window_id: window,
      $lib: 'web',
      token,
      distinct_id: distinctId,
    },
    timestamp: new Date(last).toISOString(),
    ...(sentAt !== undefined && { sent_at: sentAt }),
  };
}

export const meta = (timestamp: number, href = 'https://shop.example/') => ({
  type: 4,
  data: { href, width: 1280, height: 720 },
  timestamp,
});

const node = (id: number, tagName: string, attributes: JsonObject, childNodes: JsonObject[] = []): JsonObject => ({
  type: 2,
  id,
  tagName,
  attributes,
  childNodes,
});

/** A page with fields of a form. */
export const full = (timestamp: number, fields: JsonObject[] = [], text = 'Café Serrana') => ({
  type: 2,
  data: {
    node: {
      type: 0,
      id: 1,
      childNodes: [
        node(2, 'html', {}, [
          node(3, 'body', {}, [
            { type: 3, id: 4, textContent: text },
            ...fields.map((attributes, at) => node(10 + at, 'input', attributes)),
          ]),
        ]),
      ],
    },
    initialOffset: { top: 0, left: 0 },
  },
  timestamp,
});

export const mutation = (timestamp: number, more: JsonObject = {}) => ({
  type: 3,
  data: { source: 0, texts: [{ id: 4, value: `now ${timestamp}` }], attributes: [], removes: [], adds: [], ...more },
  timestamp,
});

export const input = (timestamp: number, id: number, text: string) => ({
  type: 3,
  data: { source: 5, id, text, isChecked: false },
  timestamp,
});

export const click = (timestamp: number, x = 10, y = 10) => ({
  type: 3,
  data: { source: 2, type: 2, id: 4, x, y },
  timestamp,
});

export const consoleError = (timestamp: number) => ({
  type: 6,
  data: { plugin: 'rrweb/console@1', payload: { level: 'error', trace: [], payload: ['"broken"'] } },
  timestamp,
});

export const request = (timestamp: number, name: string, more: JsonObject = {}) => ({
  type: 6,
  data: { plugin: 'rrweb/network@1', payload: { requests: [{ name, responseStatus: 500, ...more }] } },
  timestamp,
});
