/**
 * From the bytes of a request to the JSON value inside. What the bytes are decides, not what headers and parameters claim:
 * current browsers send gzip as `text/plain` without any hint, older ones base64 in forms with or without one, servers a true
 * `Content-Encoding`. Every inflation has a cap. Pure. @see docs/wire.md
 */
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { AppError } from '#src/kit/errors.ts';
import type { JsonValue } from '#src/kit/json.ts';
import { BEGINNING_LENGTH, type CheckToken } from './body-beginning.ts';
import { readFormFields } from './form.ts';
import { checkBeginning, readJson } from './json.ts';
import { decompressLz64, TooLong } from './lz.ts';

export interface Incoming {
  body: Buffer;
  /** `compression` and `data` of the query string, when given. */
  compression?: string | undefined;
  data?: string | undefined;
  contentType?: string | undefined;
  contentEncoding?: string | undefined;
  /** Awaited before what may be larger than a megabyte is inflated or parsed, perhaps several times. */
  largeTurn?: (() => Promise<void>) | undefined;
  /** Refuses a large body by its token before it is inflated or parsed as a whole. */
  checkToken?: CheckToken | undefined;
  /** Instead of our own reading, whose limits are made for events. */
  parse?: ((text: string) => JsonValue) | undefined;
}

export interface Decoded {
  value: JsonValue;
  /** Length of the JSON text. */
  length: number;
  /** The text may hold NUL or unpaired surrogates, which PostgreSQL refuses: its strings have to be looked at. */
  unclean: boolean;
}

/** Maximum size of a decoded body, regardless of its encoding. */
export const MAX_DECODED_BYTES = 20 * 1024 * 1024;
/** One event's JSON may be this long. */
export const MAX_EVENT_LENGTH = 1024 * 1024;
/** Above this the inflating is left to the thread pool, so that others are not kept waiting. */
const INFLATE_ASIDE_BYTES = 64 * 1024;
/** Inflated synchronously up to this size, in a few milliseconds. Larger bodies go to the thread pool, few at a time. */
const LARGE_BYTES = 1024 * 1024;
/** Compressed bytes of a large gzip that are inflated to find its token: at most 2 MB, in two milliseconds. */
const BEGINNING_BYTES = 2 * 1024;
/** Maximum white space before the first significant character. */
const MAX_LEADING_BLANKS = 1024;
/** lz-string is read bit by bit. Only browser clients of years ago send it, a few events at a time. */
const MAX_LZ64_LENGTH = 512 * 1024;
const MAX_LZ64_DECODED_LENGTH = 4 * 1024 * 1024;
/** base64 in a form in base64 ...: real clients nest once. */
const MAX_NESTING = 3;

/**
 * The JSON value that a request carries, in its query string (`data`) or its body.
 *
 * @throws invalid when there is none or it cannot be read, too_large beyond `maxBytes`
 */
export async function decode(incoming: Incoming, maxBytes = MAX_DECODED_BYTES): Promise<Decoded> {
  const { largeTurn, checkToken, parse } = incoming;
  const bounds: Bounds = { maxBytes, largeTurn, checkToken, parse };
  if (incoming.data !== undefined && incoming.data !== '') {
    return fromText(incoming.data, { compression: incoming.compression, isForm: false, depth: 0, ...bounds });
  }
  let body = incoming.body;
  if (body.length === 0) throw new AppError('invalid', 'Empty request body.');
  // Waiting for what is there costs more than looking whether it is.
  const content = decodeContent(body, incoming.contentEncoding, bounds);
  body = content instanceof Promise ? await content : content;
  if (isGzip(body)) {
    const inflated = inflate('gunzip', body, bounds);
    body = inflated instanceof Promise ? await inflated : inflated;
  }
  if (body.length > maxBytes) throw tooLarge();
  return fromText(textOf(body), {
    compression: incoming.compression,
    isForm: incoming.contentType?.includes('x-www-form-urlencoded') ?? false,
    depth: 0,
    ...bounds,
  });
}

interface Bounds {
  maxBytes: number;
  largeTurn: (() => Promise<void>) | undefined;
  checkToken: CheckToken | undefined;
  parse: Incoming['parse'];
}

interface Hints extends Bounds {
  compression: string | undefined;
  isForm: boolean;
  depth: number;
}

function fromText(text: string, hints: Hints): Decoded | Promise<Decoded> {
  const first = firstVisible(text);
  if (first === OPEN_BRACE || first === OPEN_BRACKET) return fromJson(text, hints);
  if (hints.depth >= MAX_NESTING) throw unreadable();
  if (first === NOTHING) throw unreadable();
  if (hints.isForm || looksLikeForm(text)) {
    const { data, compression: stated } = readFormFields(text, ['data', 'compression']);
    if (data === null || data === '') throw unreadable();
    const compression = stated ?? hints.compression;
    return fromText(data, { ...hints, compression, isForm: false, depth: hints.depth + 1 });
  }
  if (!BASE64.test(text.slice(0, 128))) throw unreadable();
  const packed = withPluses(text);
  if (/^lz/i.test(hints.compression ?? '')) return fromLz64(packed, hints);
  const bytes = Buffer.from(packed, 'base64');
  return isGzip(bytes) ? fromGzip(bytes, hints) : fromBytes(bytes, hints);
}

async function fromGzip(bytes: Buffer, hints: Hints): Promise<Decoded> {
  return fromBytes(await inflate('gunzip', bytes, hints), hints);
}

function fromBytes(bytes: Buffer, hints: Hints): Decoded | Promise<Decoded> {
  return fromText(textOf(bytes), { ...hints, compression: undefined, depth: hints.depth + 1 });
}

function fromLz64(packed: string, hints: Hints): Promise<Decoded> | Decoded {
  let text: string | null;
  try {
    if (packed.length > MAX_LZ64_LENGTH) throw tooLarge();
    text = decompressLz64(packed, Math.min(hints.maxBytes, MAX_LZ64_DECODED_LENGTH));
  } catch (error) {
    if (error instanceof TooLong) throw tooLarge();
    throw error;
  }
  if (text === null) return fromText(packed, { ...hints, compression: undefined, depth: hints.depth + 1 });
  return fromJson(text, hints);
}

function fromJson(text: string, bounds: Bounds): Decoded | Promise<Decoded> {
  if (bounds.parse) return decodedOf(text, bounds.parse(text));
  const reading = text.length > LARGE_BYTES ? readInTurn(text, bounds) : readJson(text, bounds.checkToken);
  return reading instanceof Promise ? reading.then((value) => decodedOf(text, value)) : decodedOf(text, reading);
}

async function readInTurn(text: string, { largeTurn, checkToken }: Bounds): Promise<JsonValue> {
  await checkBeginning(text, checkToken);
  await largeTurn?.();
  return readJson(text, checkToken);
}

function decodedOf(text: string, value: JsonValue): Decoded {
  return {
    value,
    length: text.length,
    unclean: (text.includes('\\u') && UNCLEAN_ESCAPE.test(text)) || !text.isWellFormed(),
  };
}

/** Undoes a true Content-Encoding. One that the bytes do not bear out is ignored: a proxy may have decoded the body and left the header. */
function decodeContent(body: Buffer, encoding: string | undefined, bounds: Bounds): Buffer | Promise<Buffer> {
  switch (encoding?.trim().toLowerCase()) {
    case 'gzip':
    case 'x-gzip':
      return isGzip(body) ? inflate('gunzip', body, bounds) : body;
    case 'deflate':
      return inflateIfItIs((body[0] as number) === 0x78 ? 'inflate' : 'inflateRaw', body, bounds);
    case 'br':
      return inflateIfItIs('brotliDecompress', body, bounds);
    case 'zstd':
      return inflateIfItIs('zstdDecompress', body, bounds);
    default:
      return body;
  }
}

/** No first bytes tell these from anything else. */
async function inflateIfItIs(method: Method, body: Buffer, bounds: Bounds): Promise<Buffer> {
  try {
    return await inflate(method, body, bounds);
  } catch (error) {
    if (error instanceof AppError && error.code === 'too_large') throw error;
    return body;
  }
}

type Method = 'gunzip' | 'inflate' | 'inflateRaw' | 'brotliDecompress' | 'zstdDecompress';
const aside = {
  gunzip: promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.gunzip),
  inflate: promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.inflate),
  inflateRaw: promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.inflateRaw),
  brotliDecompress: promisify<Buffer, zlib.BrotliOptions, Buffer>(zlib.brotliDecompress),
  zstdDecompress: promisify<Buffer, zlib.ZstdOptions, Buffer>(zlib.zstdDecompress),
};

function inflate(method: Method, body: Buffer, bounds: Bounds): Buffer | Promise<Buffer> {
  const { maxBytes } = bounds;
  const options = { maxOutputLength: maxBytes, chunkSize: chunkSizeFor(method, body) };
  if (body.length > INFLATE_ASIDE_BYTES) return inflateAside(method, body, options, bounds);
  try {
    return zlib[`${method}Sync`](body, { ...options, maxOutputLength: Math.min(maxBytes, LARGE_BYTES) });
  } catch (error) {
    if (isBeyondLimit(error) && maxBytes > LARGE_BYTES) return inflateAside(method, body, options, bounds);
    throw notInflated(error);
  }
}

async function inflateAside(
  method: Method,
  body: Buffer,
  options: { maxOutputLength: number; chunkSize: number },
  { largeTurn, checkToken }: Bounds,
): Promise<Buffer> {
  if (method === 'gunzip') await checkBeginning(beginningOf(body), checkToken);
  await largeTurn?.();
  try {
    return await aside[method](body, options);
  } catch (error) {
    throw notInflated(error);
  }
}

/** The text that the first bytes of a gzip hold, regardless of the rest; empty when they hold none. */
function beginningOf(body: Buffer): string {
  try {
    const bytes = zlib.gunzipSync(body.subarray(0, BEGINNING_BYTES), { finishFlush: zlib.constants.Z_SYNC_FLUSH });
    return bytes.toString('utf8', 0, BEGINNING_LENGTH);
  } catch {
    return '';
  }
}

function notInflated(error: unknown): AppError {
  return isBeyondLimit(error) ? tooLarge() : unreadable(error);
}

function isBeyondLimit(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
}

/**
 * Event JSON shrinks about tenfold: one chunk avoids concatenation. The gzip trailer states the inflated size; when
 * it is wrong, a few more chunks are allocated.
 */
function chunkSizeFor(method: Method, body: Buffer): number {
  const most = Math.min(256 * 1024, Math.max(4 * 1024, body.length * 12));
  if (method !== 'gunzip' || body.length < MIN_GZIP_BYTES) return most;
  const said = body.readUInt32LE(body.length - 4) + 1;
  return Math.min(most, Math.max(1024, body.length * 2, said));
}

/** Head and end of a gzip around nothing. */
const MIN_GZIP_BYTES = 18;

function textOf(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return bytes.toString('utf16le', 2);
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return bytes.toString('utf8', 3);
  const text = bytes.toString('utf8');
  if (bytes.length > LARGE_BYTES) return text;
  return text.includes('\ufffd') && bytes.includes(0xed) ? bytesWithPairs(bytes).toString('utf8') : text;
}

/**
 * Small bodies only, since it takes seconds for many megabytes. Old browser clients (seen up to 1.57) encode each half of a surrogate pair for itself before base64: an emoji is six bytes, none
 * of which is UTF-8. The pair becomes the character that was meant, a half without its other one U+FFFD.
 */
function bytesWithPairs(bytes: Buffer): Buffer {
  const mended = Buffer.from(bytes);
  let length = 0;
  for (let at = 0; at < bytes.length; ) {
    const high = surrogateAt(bytes, at);
    if (high === -1) {
      mended[length++] = bytes[at++] as number;
      continue;
    }
    const low = high < 0xdc00 ? surrogateAt(bytes, at + 3) : -1;
    const isPair = low >= 0xdc00;
    const point = isPair ? 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00) : REPLACEMENT;
    // Never longer than what it replaces: four bytes for six, three for three.
    if (isPair) {
      mended[length++] = 0xf0 | (point >> 18);
      mended[length++] = 0x80 | ((point >> 12) & 0x3f);
    } else {
      mended[length++] = 0xe0 | (point >> 12);
    }
    mended[length++] = 0x80 | ((point >> 6) & 0x3f);
    mended[length++] = 0x80 | (point & 0x3f);
    at += isPair ? 6 : 3;
  }
  return mended.subarray(0, length);
}

const REPLACEMENT = 0xfffd;

/** The surrogate encoded by the three bytes at `at`; -1 when there is none. */
function surrogateAt(bytes: Buffer, at: number): number {
  const second = bytes[at + 1] ?? 0;
  const third = bytes[at + 2] ?? 0;
  if (bytes[at] !== 0xed || second < 0xa0 || second > 0xbf || third < 0x80 || third > 0xbf) return -1;
  return 0xd000 | ((second & 0x3f) << 6) | (third & 0x3f);
}

function isGzip(bytes: Buffer): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

const SPACE = 0x20;
const PLUS = 0x2b;
const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;
/** With the spaces that a form made of '+'. */
const BASE64 = /^[A-Za-z0-9+/=_ \r\n-]+$/;
const UNCLEAN_ESCAPE = /\\u(?:0000|[dD][89a-fA-F])/;

function firstVisible(text: string): number {
  const end = Math.min(text.length, MAX_LEADING_BLANKS);
  for (let at = 0; at < end; at++) {
    const unit = text.charCodeAt(at);
    if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) return unit;
  }
  return NOTHING;
}

const NOTHING = -1;

/** The `+` of base64 that a form turned into spaces, over bytes: replacing each within the text takes seconds when it holds millions. */
function withPluses(text: string): string {
  if (!text.includes(' ')) return text;
  const bytes = Buffer.from(text, 'latin1');
  for (let at = bytes.indexOf(SPACE); at !== -1 && at < bytes.length; at++) {
    if (bytes[at] === SPACE) bytes[at] = PLUS;
  }
  return bytes.toString('latin1');
}

function looksLikeForm(text: string): boolean {
  return (
    /^\??(?:data|_|ip|ver|compression)=/.test(text) || /^[\w$%-]{1,40}=[^&]*&(?:.*&)?data=/.test(text.slice(0, 512))
  );
}

function unreadable(cause?: unknown): AppError {
  return new AppError(
    'invalid',
    'Invalid request body: can’t be parsed as events.',
    cause === undefined ? {} : { cause },
  );
}

function tooLarge(): AppError {
  return new AppError('too_large', 'Request body is too large after decompression.');
}
