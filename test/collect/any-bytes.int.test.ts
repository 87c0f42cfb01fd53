/**
 * Whatever is sent to `/ingest` is answered, with a status under 500, and the process goes on taking events: any bytes on any path in
 * any encoding, and a collection of bodies made to break things.
 */
import { connect } from 'node:net';
import {
  brotliCompressSync,
  deflateRawSync,
  deflateSync,
  gzipSync,
  constants as zlib,
  zstdCompressSync,
} from 'node:zlib';
import LZString from 'lz-string';
import { useDatabase } from '#test/kit/database.ts';
import fc from '#test/kit/fast-check.ts';
import { startCollector, type TestCollector } from '#test/kit/wire/collector.ts';
import type { Answer } from '#test/kit/wire/compare.ts';
import { send } from '#test/kit/wire/replay.ts';
import { readStored } from '#test/kit/wire/stored.ts';

const TOKEN = 'phc_any_bytes';
const runs = Number(process.env['RUNS'] ?? 400);

const database = useDatabase({ between: 'nothing' });
let collector: TestCollector;
let projectId: number;
beforeAll(async () => {
  collector = await startCollector(database.url, { config: { TRUST_PROXY: 1 } });
  const project = await collector.projects.create({ name: 'bytes', timeZone: 'UTC', extraToken: TOKEN });
  projectId = project.id;
});
afterAll(() => collector.stop());

interface Sending {
  method?: string;
  path?: string;
  headers?: Record<string, string>;
  body: Buffer;
}

function post({ method = 'POST', path = '/e/', headers = {}, body }: Sending): Promise<Answer> {
  return send(collector.url, { method, path, headers, body: body.toString('base64') });
}

let sound = 0;

/** Sends a sound event and sees that it is stored. */
async function expectToWork(): Promise<void> {
  const event = `sound ${++sound}`;
  const answer = await post({ body: Buffer.from(JSON.stringify({ token: TOKEN, event, distinct_id: 'u1' })) });
  expect(answer).toMatchObject({ status: 200, text: '{"status":1}' });
  const rows = await database.query(
    'select from events e join event_names n on n.project_id = e.project_id and n.number = e.event where n.name = $1',
    [event],
  );
  expect(rows).toHaveLength(1);
}

const knownPaths = [
  ...['/e/', '/i/v0/e/', '/batch/', '/capture/', '/track/', '/engage/', '/s/', '/flags/', '/decide/', '/i/v1/logs'],
  ...['/i/v1/metrics', '/i/v1/analytics/events', '/i/v0/ai/batch/', '/static/array.js', '/static/1.2.3/x.js'],
  ...[`/array/${TOKEN}/config`, `/array/${TOKEN}/config.js`, '/api/surveys/', '/flags/definitions'],
  ...[`/va/${TOKEN}/view`, `/va/${TOKEN}/event`, `/va/${TOKEN}/script.js`, '/va/view', '/'],
];
const path = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...knownPaths) },
  { weight: 1, arbitrary: fc.stringMatching(/^(?:\/[\w.%~!$&'()*+,;=:@-]{0,12}){1,4}$/) },
);
const query = fc.oneof(
  { weight: 3, arbitrary: fc.constant('') },
  {
    weight: 2,
    arbitrary: fc
      .array(
        fc.tuple(
          fc.constantFrom('data', 'compression', '_', 'v', 'token', 'config', 'beacon', 'ip', 'sent_at', 'x'),
          fc.oneof(
            fc.constantFrom('gzip', 'gzip-js', 'base64', 'lz64', '2', '1', 'true', TOKEN),
            fc.stringMatching(/^[\w%+=.-]{0,30}$/),
          ),
        ),
        { maxLength: 4 },
      )
      .map((pairs) => `?${pairs.map((pair) => pair.join('=')).join('&')}`),
  },
);
const headers = fc.record(
  {
    'content-type': fc.constantFrom(
      ...[
        'application/json',
        'text/plain',
        'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=x',
        '',
        ';;;',
      ],
    ),
    'content-encoding': fc.constantFrom('gzip', 'deflate', 'br', 'zstd', 'identity', 'gzip, gzip', 'nonsense'),
    origin: fc.constantFrom('https://shop.example', 'null', ''),
    'x-forwarded-for': fc.constantFrom('200.147.3.157', '::1', 'nonsense', '1.1.1.1,,', `${'9'.repeat(300)}`),
    'user-agent': fc.stringMatching(/^[ -~]{0,60}$/),
    authorization: fc.constantFrom('Bearer x', `Bearer ${TOKEN}`, 'Basic x', ''),
  },
  { requiredKeys: [] },
);

/** Text that a database or a parser may stumble over. */
const awkward = fc.constantFrom(
  ...[
    '',
    ' ',
    '\0',
    '\ud800',
    '\udc00x',
    '\u2028',
    '__proto__',
    'constructor',
    '$set',
    'a\'"; drop table events; --',
    '🚀',
    '\ufffd',
  ],
  ...['2026-11-19T15:00:00Z', '0', '-1', 'null', 'NaN', '%00', '\u202e', 'x'.repeat(70_000), 'é'.repeat(300)],
);
const value = fc.oneof(
  fc.jsonValue({ maxDepth: 4 }),
  awkward,
  fc.constantFrom(1e308, -0, 5e-324, 2 ** 53, Number.MAX_VALUE),
  // No text can be made of these.
  fc.constantFrom({ toString: 1 }, [{ toString: 1 }]),
);
const eventLike = fc.record(
  {
    event: fc.oneof(
      fc.constantFrom(
        '$pageview',
        '$identify',
        '$create_alias',
        '$merge_dangerously',
        '$groupidentify',
        '$set',
        '$autocapture',
        '$exception',
        '$$heatmap',
      ),
      value,
    ),
    distinct_id: fc.oneof(fc.constantFrom('u1', 'u2', '$posthog_cookieless'), value),
    token: fc.oneof(
      { weight: 5, arbitrary: fc.constant(TOKEN as unknown) },
      { weight: 1, arbitrary: value as fc.Arbitrary<unknown> },
    ),
    uuid: fc.oneof(fc.uuid(), value),
    timestamp: fc.oneof(
      fc.constantFrom('2026-11-19T14:00:00Z', '+275760-09-13T00:00:00Z', '-000001-01-01T00:00:00Z', '0000-00-00'),
      value,
    ),
    offset: fc.oneof(fc.integer(), fc.double(), value),
    $set: value,
    $set_once: value,
    $unset: value,
    properties: fc.oneof(
      value,
      fc.dictionary(
        fc.oneof(
          fc.constantFrom(
            '$set',
            '$unset',
            '$groups',
            '$group_type',
            '$group_key',
            '$group_set',
            '$anon_distinct_id',
            'alias',
            '$session_id',
          ),
          fc.constantFrom(
            '$current_url',
            '$host',
            '$pathname',
            '$referrer',
            'utm_source',
            '$elements',
            '$elements_chain',
            '$raw_user_agent',
            '$ip',
          ),
          fc.constantFrom(
            '$process_person_profile',
            '$cookieless_mode',
            '$insert_id',
            '$lib',
            '$ignore_sent_at',
            '$geoip_disable',
            '$screen_width',
          ),
          awkward,
          fc.string(),
        ),
        value,
        { maxKeys: 8 },
      ),
    ),
  },
  { requiredKeys: ['event'] },
);
const payload = fc.oneof(
  fc.array(eventLike, { maxLength: 5 }),
  eventLike,
  fc.record({
    api_key: fc.constant(TOKEN),
    batch: fc.oneof(fc.array(fc.oneof(eventLike, value), { maxLength: 5 }), value),
    sent_at: value,
    historical_migration: value,
  }),
  value,
);
const encoders = {
  json: (text: string) => Buffer.from(text),
  gzip: (text: string) => gzipSync(text),
  deflate: (text: string) => deflateSync(text),
  raw: (text: string) => deflateRawSync(text),
  brotli: (text: string) => brotliCompressSync(text, { params: { [zlib.BROTLI_PARAM_QUALITY]: 1 } }),
  zstd: (text: string) => zstdCompressSync(text),
  base64: (text: string) => Buffer.from(Buffer.from(text).toString('base64')),
  form: (text: string) => Buffer.from(`data=${encodeURIComponent(Buffer.from(text).toString('base64'))}`),
  'form, json': (text: string) => Buffer.from(`data=${encodeURIComponent(text.toWellFormed())}`),
  lz64: (text: string) => Buffer.from(`data=${encodeURIComponent(LZString.compressToBase64(text))}&compression=lz64`),
  utf16: (text: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]),
};
const encoded = fc
  .tuple(payload, fc.constantFrom(...Object.values(encoders)))
  .map(([content, encode]) => encode(JSON.stringify(content)) as Buffer);
/** A little of it changed, cut off, doubled or put in. */
const mutated = fc
  .tuple(
    encoded,
    fc.constantFrom('flip', 'cut', 'double', 'insert'),
    fc.nat(),
    fc.uint8Array({ minLength: 1, maxLength: 8 }),
  )
  .map(([bytes, how, where, extra]) => {
    const at = where % (bytes.length + 1);
    if (how === 'cut') return bytes.subarray(0, at);
    if (how === 'double') return Buffer.concat([bytes, bytes.subarray(at)]);
    if (how === 'insert') return Buffer.concat([bytes.subarray(0, at), extra, bytes.subarray(at)]);
    const copy = Buffer.from(bytes);
    if (at < copy.length) copy[at] = (copy[at] as number) ^ (1 << (where % 8));
    return copy;
  });
const body = fc.oneof(
  { weight: 3, arbitrary: encoded },
  { weight: 2, arbitrary: mutated },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)) },
);

it('any bytes on any path are answered with a status under 500', async () => {
  const method = fc.constantFrom('POST', 'POST', 'POST', 'GET', 'OPTIONS', 'PUT', 'DELETE');
  const statuses: Record<number, number> = {};
  const property = fc.asyncProperty(method, path, query, headers, body, async (verb, where, asked, given, bytes) => {
    const answer = await post({ method: verb, path: where + asked, headers: given, body: bytes });
    statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
    if (answer.status >= 500) {
      const log = collector.deps.logged.filter(({ level }) => level >= 40).slice(-2);
      throw new Error(`${answer.status} ${answer.text} ${JSON.stringify(log).slice(0, 2000)}`);
    }
  });
  await fc.assert(property, { numRuns: runs, endOnFailure: true });
  await expectToWork();
  expect(statuses[200] ?? 0).toBeGreaterThan(runs / 10);
});

it('any bytes on the socket leave the server standing', async () => {
  const { hostname, port } = new URL(collector.url);
  const line = fc.constantFrom(
    ...[
      'POST /ingest/e/ HTTP/1.1\r\n',
      'GET /ingest/e/?data=%%% HTTP/1.0\r\n',
      'POST /ingest/batch/ HTTP/9.9\r\n',
      '\r\n',
      '',
    ],
    ...[
      'Content-Length: 99999\r\n\r\n{',
      'Content-Length: -1\r\n\r\n',
      'Transfer-Encoding: chunked\r\n\r\nZZ\r\n',
      'Host: a\r\nHost: b\r\n',
    ],
  );
  const pieces = fc.array(fc.oneof(line, fc.string(), fc.constant('x'.repeat(70_000))), { minLength: 1, maxLength: 5 });
  const property = fc.asyncProperty(pieces, async (texts) => {
    const socket = connect(Number(port), hostname);
    const closed = new Promise((resolve) => socket.on('close', resolve));
    socket.on('error', () => socket.destroy());
    socket.end(texts.join(''));
    socket.resume();
    await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, 200))]);
    socket.destroy();
  });
  await fc.assert(property, { numRuns: Math.min(runs, 60) });
  await expectToWork();
});

/** An lz64 text in which each code is the one before and a letter more: `steps` of them make steps² / 2 letters. */
function lz64Bomb(steps: number): Buffer {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  const bits: number[] = [];
  const put = (code: number, width: number) => {
    for (let bit = 0; bit < width; bit++) bits.push((code >> bit) & 1);
  };
  put(0, 2);
  put('a'.charCodeAt(0), 8);
  let [size, room, width] = [4, 4, 3];
  for (let step = 0; step < steps; step++) {
    put(size, width);
    size += 1;
    room -= 1;
    if (room === 0) [room, width] = [2 ** width, width + 1];
  }
  put(2, width);
  let text = '';
  for (let at = 0; at < bits.length; at += 6) {
    text += alphabet[bits.slice(at, at + 6).reduce((sum, bit, place) => sum | (bit << (5 - place)), 0)];
  }
  return Buffer.from(`data=${encodeURIComponent(text)}&compression=lz64`);
}

describe('a body made to break things', () => {
  const json = (rest: string) => Buffer.from(`{"token":"${TOKEN}","event":"odd","distinct_id":"u9",${rest}}`);
  const zeros = Buffer.alloc(64 * 1024 * 1024, '0');
  const bomb = () => Buffer.concat([Buffer.from(`{"token":"${TOKEN}","a":"`), zeros]);
  const nest = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth);
  const wide = `"properties":{${Array.from({ length: 50_000 }, (_, at) => `"k${at}":${at}`).join()}}`;

  type Case = [name: string, status: number, body: () => Buffer, headers?: Record<string, string>];
  const cases: Case[] = [
    ['gzip that inflates to 64 MiB', 413, () => gzipSync(bomb())],
    ['the same as Content-Encoding', 413, () => gzipSync(bomb()), { 'content-encoding': 'gzip' }],
    ['deflate that inflates to 64 MiB', 413, () => deflateSync(bomb()), { 'content-encoding': 'deflate' }],
    [
      'brotli that inflates to 64 MiB',
      413,
      () => encoders.brotli(bomb().toString('latin1')) as Buffer,
      { 'content-encoding': 'br' },
    ],
    ['zstd that inflates to 64 MiB', 413, () => zstdCompressSync(bomb()), { 'content-encoding': 'zstd' }],
    [
      'gzip in base64 in a form',
      413,
      () => Buffer.from(`data=${encodeURIComponent(gzipSync(bomb()).toString('base64'))}`),
    ],
    ['lz64 that inflates to 32 MiB', 413, () => lz64Bomb(8_192)],
    ['gzip within gzip', 400, () => gzipSync(gzipSync(json('"x":1')))],
    ['lists 100,000 deep', 200, () => json(`"properties":{"a":${nest('[', ']', 100_000)}}`)],
    ['objects 100,000 deep', 200, () => json(`"properties":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`)],
    ['a batch 100,000 deep, without a token', 401, () => Buffer.from(nest('[', ']', 100_000))],
    ['lists 100,000 deep that do not end', 400, () => Buffer.from('['.repeat(100_000))],
    [
      'form in base64 in form',
      400,
      () => Buffer.from(`data=${Buffer.from(`data=${Buffer.from('data=x').toString('base64')}`).toString('base64')}`),
    ],
    ['50,000 properties', 200, () => json(wide)],
    ['a string of 2 MiB', 200, () => json(`"properties":{"a":"${'x'.repeat(2 * 1024 * 1024)}"}`)],
    ['a number of 100,000 digits', 200, () => json(`"properties":{"a":${'9'.repeat(100_000)}}`)],
    ['26 MiB as they are', 413, () => Buffer.alloc(26 * 1024 * 1024, 'x')],
    ['UTF-16 with its mark', 200, () => encoders.utf16(json('"x":1').toString())],
    ['UTF-16, the other way round', 400, () => (encoders.utf16(json('"x":1').toString()) as Buffer).swap16()],
    ['UTF-8 with its mark', 200, () => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), json('"x":1')])],
    [
      'no UTF-8 at all',
      200,
      () =>
        Buffer.concat([
          json('"properties":{"a":"').subarray(0, -1),
          Buffer.from([0xff, 0xfe, 0x80, 0xc0, 0xaf]),
          Buffer.from('"}}'),
        ]),
    ],
    ['a key twice', 200, () => json('"event":"twice","properties":{"a":1,"a":2}')],
    [
      'prototype names',
      200,
      () =>
        json('"__proto__":{"x":1},"properties":{"__proto__":{"y":1},"constructor":{"prototype":{"z":1}},"toString":1}'),
    ],
    ...[
      '$current_url',
      '$screen_name',
      '$host',
      '$raw_user_agent',
      '$viewport_width',
      '$referrer',
      'utm_source',
      '$session_entry_utm_source',
    ].map(
      (name): Case => [
        `${name} of which no text can be made`,
        200,
        () => json(`"properties":{"$lib":"web","${name}":{"toString":1,"valueOf":[]}}`),
      ],
    ),
    [
      'a type of group that is cut within a character',
      200,
      () =>
        json(
          `"event":"$groupidentify","properties":{"$group_type":"${'g'.repeat(199)}🚀","$group_key":"k","$group_set":{"a":1}}`,
        ),
    ],
    ['properties that are no object', 200, () => json('"properties":[1,2]')],
    [
      '$set that is no object',
      200,
      () => json('"$set":"x","$unset":7,"properties":{"$set":[1],"$set_once":true,"$groups":3}'),
    ],
    ['numbers beyond numbers', 200, () => json('"properties":{"a":1e999,"b":-1e999,"c":-0,"$screen_width":1e300}')],
    ['NUL bytes around it', 400, () => Buffer.concat([Buffer.alloc(3), json('"x":1')])],
    ['nothing but spaces', 400, () => Buffer.from('   \n ')],
    ['null', 400, () => Buffer.from('null')],
    ['no one who did it', 200, () => Buffer.from(`{"api_key":"${TOKEN}","batch":[{"event":"odd"}]}`)],
    ['no name for it', 200, () => Buffer.from(`{"api_key":"${TOKEN}","batch":[{"distinct_id":"u9"}]}`)],
    ['a batch that is no list', 200, () => Buffer.from(`{"api_key":"${TOKEN}","batch":{"length":9}}`)],
  ];

  it.each(cases)('%s: %i', async (_, status, make, headers = {}) => {
    const sent = make();
    const before = process.memoryUsage().rss;
    const answer = await post({ body: sent, headers: { 'content-type': 'text/plain', ...headers } });
    expect({ status: answer.status, text: answer.text }).toMatchObject({ status });
    expect((process.memoryUsage().rss - before) / 1024 / 1024).toBeLessThan(300);
    await expectToWork();
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });

  it('leaves the tables in agreement', async () => {
    const { events, counted } = await readStored(database, projectId);
    expect(counted).toBe(events.length);
    const rows = await database.query<{ outcome: string }>('select distinct outcome from ingestion_minutes');
    const outcomes = rows.map(({ outcome }) => outcome);
    expect(outcomes).toEqual(expect.arrayContaining(['too_deep', 'too_large', 'no_name', 'no_distinct_id']));
    expect(outcomes).not.toContain('unstorable'); // every event is cleaned before it reaches PostgreSQL
  });
});
