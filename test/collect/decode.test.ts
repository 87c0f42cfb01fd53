import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import LzString from 'lz-string';
import { decode } from '#src/collect/decode.ts';
import { decompressLz64, TooLong } from '#src/collect/lz.ts';
import fc from '#test/kit/fast-check.ts';

const value = { api_key: 'lnt_a', batch: [{ event: 'pedido ☕', properties: { total: 1 } }] };
const json = JSON.stringify(value);
const bytes = Buffer.from(json);
const base64 = bytes.toString('base64');
const form = 'application/x-www-form-urlencoded';

describe('what clients send', () => {
  const cases: [string, Parameters<typeof decode>[0]][] = [
    ['JSON', { body: bytes, contentType: 'application/json' }],
    ['gzip as text/plain without any hint', { body: gzipSync(bytes), contentType: 'text/plain' }],
    ['gzip with compression=gzip-js', { body: gzipSync(bytes), contentType: 'text/plain', compression: 'gzip-js' }],
    ['gzip labelled as a form', { body: gzipSync(bytes), contentType: form }],
    ['JSON labelled as gzip by the query', { body: bytes, compression: 'gzip-js' }],
    ['true Content-Encoding: gzip', { body: gzipSync(bytes), contentEncoding: 'gzip' }],
    ['Content-Encoding: gzip over plain JSON', { body: bytes, contentEncoding: 'gzip' }],
    ['Content-Encoding: br over plain JSON', { body: bytes, contentEncoding: 'br' }],
    ['Content-Encoding: deflate over gzip', { body: gzipSync(bytes), contentEncoding: 'deflate' }],
    ['gzip in gzip', { body: gzipSync(gzipSync(bytes)), contentEncoding: 'gzip' }],
    ['Content-Encoding: deflate', { body: deflateSync(bytes), contentEncoding: 'deflate' }],
    ['Content-Encoding: deflate without header', { body: deflateRawSync(bytes), contentEncoding: 'deflate' }],
    ['Content-Encoding: br', { body: brotliCompressSync(bytes), contentEncoding: 'br' }],
    ['Content-Encoding: zstd', { body: zstdCompressSync(bytes), contentEncoding: 'ZSTD' }],
    ['form with base64', { body: Buffer.from(`data=${encodeURIComponent(base64)}`), contentType: form }],
    [
      'form with base64 and a hint',
      { body: Buffer.from(`data=${encodeURIComponent(base64)}`), contentType: form, compression: 'base64' },
    ],
    [
      'form with base64 not escaped, + as space',
      { body: Buffer.from(`data=${base64.replaceAll('+', ' ')}`), contentType: form },
    ],
    ['form with JSON', { body: Buffer.from(`data=${encodeURIComponent(json)}`), contentType: form }],
    ['form without a content type', { body: Buffer.from(`ip=1&_=1&data=${encodeURIComponent(base64)}`) }],
    [
      'form with gzip in base64',
      { body: Buffer.from(`data=${encodeURIComponent(gzipSync(bytes).toString('base64'))}`), contentType: form },
    ],
    [
      'form with lz64',
      {
        body: Buffer.from(`data=${encodeURIComponent(LzString.compressToBase64(json))}&compression=lz64`),
        contentType: form,
      },
    ],
    [
      'lz64 with a hint in the query',
      {
        body: Buffer.from(`data=${encodeURIComponent(LzString.compressToBase64(json))}`),
        contentType: form,
        compression: 'LZ64',
      },
    ],
    ['base64 body', { body: Buffer.from(base64), contentType: 'text/plain' }],
    ['base64 twice', { body: Buffer.from(Buffer.from(base64).toString('base64')) }],
    ['data in the query', { body: Buffer.alloc(0), data: base64 }],
    ['JSON in the query', { body: Buffer.alloc(0), data: json }],
    ['byte order mark', { body: Buffer.from(`\ufeff${json}`) }],
    ['UTF-16', { body: Buffer.from(`\ufeff${json}`, 'utf16le') }],
    ['white space around', { body: Buffer.from(`\r\n ${json}\n`) }],
  ];
  it.each(cases)('%s', async (_name, incoming) => {
    expect((await decode(incoming)).value).toEqual(value);
  });

  it('reads a gzip of several parts, whose end tells the length of the last one only', async () => {
    const long = JSON.stringify({ ...value, text: 'x'.repeat(100_000) });
    const body = Buffer.concat([gzipSync(long.slice(0, -1)), gzipSync(long.slice(-1))]);
    expect((await decode({ body })).value).toEqual(JSON.parse(long));
  });

  it.each([0, 1, 2 ** 32 - 1])('refuses a gzip that tells a wrong length: %i', async (length) => {
    const body = gzipSync(bytes);
    body.writeUInt32LE(length, body.length - 4);
    await expect(decode({ body })).rejects.toMatchObject({ code: 'invalid' });
  });

  it('takes NaN and Infinity for null, outside of strings only', async () => {
    const body = Buffer.from('{"a":NaN,"b":[-Infinity,Infinity],"c":"NaN \\" NaN","d":-1}');
    expect((await decode({ body })).value).toEqual({ a: null, b: [null, null], c: 'NaN " NaN', d: -1 });
  });

  it('keeps every digit of numeric ids, in every place', async () => {
    const long = '175928847299117063';
    const names = ['distinct_id', '$distinct_id'];
    const within = [...names, '$anon_distinct_id', 'alias'];
    const places = [...names.map((name) => `"${name}":ID`), ...within.map((name) => `"properties":{"${name}" :\nID}`)];
    for (const place of places) {
      for (const shape of ['EVENT', '[EVENT]', '{"batch":[1,EVENT]}', '{"batch":[EVENT,NaN]}']) {
        const text = (id: string) => shape.replace('EVENT', `{"event":"a",${place.replace('ID', id)}}`);
        const { value } = await decode({ body: Buffer.from(text(long)) });
        expect(value).toEqual(JSON.parse(text(`"${long}"`).replace('NaN', 'null')));
        const short = await decode({ body: Buffer.from(text('-9007199254740991').replace('NaN', 'null')) });
        expect(short.value).toEqual(JSON.parse(text('-9007199254740991').replace('NaN', 'null')));
      }
    }
    const text =
      '{"distinct_id":-175928847299117063,"properties":{"order":175928847299117063,"alias":1759288472991170.5}}';
    expect((await decode({ body: Buffer.from(text) })).value).toEqual({
      distinct_id: '-175928847299117063',
      properties: { order: Number(long), alias: 1759288472991170.5 },
    });
  });

  it('changes nothing else for the sake of such an id', async () => {
    const piece = fc.constantFrom(
      ...['"', '\\', 'distinct_id', 'alias', ':', '175928847299117063', ',', '}', ' ', 'x'],
    );
    const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
    // No backslash in names: after `{"a":1,"\\":2}`, the JSON.parse of V8 13.6 reads `{"a":1,"\"":2}` as the former (V8 11.3 does not).
    const name = text.map((each) => each.replaceAll('\\', ''));
    const properties = fc.dictionary(name, fc.oneof(text, fc.array(text), fc.dictionary(name, text)));
    await fc.assert(
      fc.asyncProperty(properties, async (sent) => {
        const body = Buffer.from(`{"properties":${JSON.stringify(sent)},"distinct_id":175928847299117063}`);
        expect((await decode({ body })).value).toEqual({ properties: sent, distinct_id: '175928847299117063' });
      }),
      { numRuns: 1_000 },
    );
  });

  it('says when strings have to be looked at', async () => {
    const of = async (text: string) => (await decode({ body: Buffer.from(text) })).unclean;
    expect(await of('{"a":"plain \\u00e9 ☕"}')).toBe(false);
    expect(await of('{"a":"\\u0000"}')).toBe(true);
    expect(await of('{"a":"\\ud800"}')).toBe(true);
    expect(await of('{"a":"\\uDBFF"}')).toBe(true);
    expect((await decode({ body: Buffer.from('\ufeff{"a":"\ud800"}', 'utf16le') })).unclean).toBe(true);
  });
});

describe('what cannot be read', () => {
  const rejects = (incoming: Parameters<typeof decode>[0]) => expect(decode(incoming)).rejects;
  it.each([
    ['nothing', ''],
    ['half of JSON', '{"a":'],
    ['a word', 'hello'],
    ['a form without data', 'ip=1&_=2'],
    ['base64 of rubbish', 'AAAA'],
    ['brackets that do not close', '['.repeat(1000)],
    ['NaN that does not help', '{"a":NaN'],
  ])('%s is invalid', async (_name, text) => {
    await rejects({ body: Buffer.from(text) }).toMatchObject({ code: 'invalid' });
  });

  it('refuses a damaged gzip', async () => {
    await rejects({ body: gzipSync(bytes).subarray(0, 30) }).toMatchObject({ code: 'invalid' });
  });

  it('takes deep nesting without running out of stack', async () => {
    await expect(decode({ body: Buffer.from('['.repeat(200_000) + ']'.repeat(200_000)) })).resolves.toBeDefined();
  });
});

describe('bombs', () => {
  const zeros = Buffer.alloc(64 * 1024 * 1024);
  it.each([
    ['gzip', { body: gzipSync(zeros) }],
    ['deflate', { body: deflateSync(zeros), contentEncoding: 'deflate' }],
    ['br', { body: brotliCompressSync(zeros), contentEncoding: 'br' }],
    ['zstd', { body: zstdCompressSync(zeros), contentEncoding: 'zstd' }],
    ['gzip in gzip', { body: gzipSync(gzipSync(zeros)), contentEncoding: 'gzip' }],
    ['gzip in a form', { body: Buffer.from(`data=${gzipSync(zeros).toString('base64')}`) }],
  ])('%s is too large', async (_name, incoming) => {
    await expect(decode(incoming)).rejects.toMatchObject({ code: 'too_large' });
  });

  it('stops an lz-string, which grows quadratically', async () => {
    const packed = LzString.compressToBase64('a'.repeat(400_000));
    expect(packed.length).toBeLessThan(4_000);
    const body = Buffer.from(`data=${encodeURIComponent(packed)}&compression=lz64`);
    await expect(decode({ body, contentType: form }, 100_000)).rejects.toMatchObject({ code: 'too_large' });
  });
});

describe('lz64', () => {
  it('reads back everything that the library packs', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        expect(decompressLz64(LzString.compressToBase64(text), 1_000)).toBe(text);
      }),
    );
  });

  it('answers null to anything else, or is stopped, and never hangs', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        try {
          const read = decompressLz64(text, 10_000);
          expect(read === null || typeof read === 'string').toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(TooLong);
        }
      }),
    );
  });
});
