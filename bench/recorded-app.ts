/** A generated session of a single-page app as the recorder sends it: a dashboard whose lists, numbers and classes change all the time. Pure. */
import { gzipSync } from 'node:zlib';
import { createRandom } from '#src/demo/random.ts';
import type { JsonObject, JsonValue } from '#src/kit/json.ts';

export interface AppSession {
  /** Bodies of requests, gzip, in the order of time. */
  bodies: Buffer[];
  /** JSON of the events before the client compresses them, bytes. */
  rawBytes: number;
  minutes: number;
}

const FLUSH_MS = 2_000;
const ROWS = 120;
const FULL_EVERY_MS = 5 * 60_000;
const WORDS = [
  'pedido',
  'cliente',
  'entrega',
  'café',
  'moedor',
  'pago',
  'enviado',
  'Bourbon',
  'Geisha',
  'assinatura',
  'total',
  'frete',
];

const packed = (value: JsonValue) => gzipSync(JSON.stringify(value)).toString('latin1');

/** @param mutationsPerMinute changed nodes, as an app with live data has them */
export function appSession({
  token,
  session,
  from,
  minutes,
  mutationsPerMinute,
  seed,
}: {
  token: string;
  session: string;
  from: number;
  minutes: number;
  mutationsPerMinute: number;
  seed: number;
}): AppSession {
  const random = createRandom(seed);
  const words = (count: number) => Array.from({ length: count }, () => random.pick(WORDS)).join(' ');
  let nextId = 1_000;
  const row = (): JsonObject => {
    nextId += 8;
    const id = nextId;
    const cell = (at: number, text: string): JsonObject => ({
      type: 2,
      tagName: 'td',
      attributes: { class: `cell c${at}` },
      id: id + at,
      childNodes: [{ type: 3, textContent: text, id: id + at + 4 }],
    });
    return {
      type: 2,
      tagName: 'tr',
      attributes: { class: 'row', 'data-key': String(id) },
      id,
      childNodes: [cell(1, words(3)), cell(2, `R$ ${random.int(10, 900)},90`), cell(3, words(2))],
    };
  };
  let rows = Array.from({ length: ROWS }, row);
  const page = (): JsonObject => ({
    node: {
      type: 0,
      id: 1,
      childNodes: [
        {
          type: 2,
          tagName: 'html',
          attributes: { lang: 'pt-BR' },
          id: 2,
          childNodes: [
            {
              type: 2,
              tagName: 'head',
              attributes: {},
              id: 3,
              childNodes: [{ type: 2, tagName: 'style', attributes: { _cssText: sheet }, id: 4, childNodes: [] }],
            },
            {
              type: 2,
              tagName: 'body',
              attributes: {},
              id: 5,
              childNodes: [{ type: 2, tagName: 'tbody', attributes: {}, id: 6, childNodes: rows }],
            },
          ],
        },
      ],
    },
    initialOffset: { top: 0, left: 0 },
  });
  const sheet = Array.from(
    { length: 1_200 },
    (_, at) => `.c${at}{color:#${(at * 997).toString(16).padStart(6, '0').slice(-6)};padding:${at % 17}px}`,
  ).join('');

  const bodies: Buffer[] = [];
  let rawBytes = 0;
  const perFlush = Math.round((mutationsPerMinute * FLUSH_MS) / 60_000);
  for (let at = 0; at < minutes * 60_000; at += FLUSH_MS) {
    const events: JsonObject[] = [];
    const add = (type: number, ms: number, data: JsonObject) => events.push({ type, data, timestamp: from + at + ms });
    if (at % FULL_EVERY_MS === 0) {
      add(4, 0, { href: 'https://app.example/orders', width: 1440, height: 900 });
      add(2, 1, page());
    }
    // One event for each frame in which something changes, some nodes in each.
    for (let done = 0; done < perFlush; done += 5) {
      const ms = 10 + (done * FLUSH_MS) / perFlush;
      const target = random.pick(rows);
      const added = random.chance(0.15) ? row() : null;
      if (added !== null) rows = [...rows.slice(1), added];
      add(3, ms, {
        source: 0,
        texts: Array.from({ length: 3 }, () => ({
          id: Number(random.pick(rows)['id']) + random.int(5, 7),
          value: words(2),
        })),
        attributes: [{ id: target['id'] as number, attributes: { class: random.chance(0.5) ? 'row changed' : 'row' } }],
        removes: added === null ? [] : [{ parentId: 6, id: (nextId - 8 * ROWS) as number }],
        adds: added === null ? [] : [{ parentId: 6, nextId: null, node: added }],
      });
    }
    for (let ms = 100; ms < FLUSH_MS; ms += 500) {
      const positions = Array.from({ length: 10 }, (_, step) => ({
        x: random.int(0, 1440),
        y: random.int(0, 900),
        id: 6,
        timeOffset: -50 * step,
      }));
      add(3, ms, { source: 1, positions });
    }
    if (random.chance(0.3)) add(3, 900, { source: 2, type: 2, id: 6, x: random.int(0, 1440), y: random.int(0, 900) });
    events.sort((one, other) => Number(one['timestamp']) - Number(other['timestamp']));
    rawBytes += events.reduce((sum, event) => sum + JSON.stringify(event).length + 1, 0);
    bodies.push(
      bodyOf(events.map(compressed), { token, session, uuid: random.uuid(from + at), at: from + at + FLUSH_MS }),
    );
  }
  return { bodies, rawBytes, minutes };
}

function bodyOf(
  data: JsonObject[],
  { token, session, uuid, at }: { token: string; session: string; uuid: string; at: number },
): Buffer {
  const properties = {
    $snapshot_data: data,
    $session_id: session,
    $window_id: session,
    $lib: 'web',
    token,
    distinct_id: session,
  };
  return gzipSync(JSON.stringify([{ uuid, event: '$snapshot', properties, timestamp: new Date(at).toISOString() }]));
}

/** As posthog-js compresses an event. */
function compressed(event: JsonObject): JsonObject {
  const data = event['data'] as JsonObject;
  if (event['type'] === 2) return { ...event, data: packed(data), cv: '2024-10' };
  if (data['source'] !== 0) return event;
  const parts = ['texts', 'attributes', 'removes', 'adds'].map((name) => [name, packed(data[name] as JsonValue)]);
  return { ...event, data: { ...data, ...Object.fromEntries(parts) }, cv: '2024-10' };
}
