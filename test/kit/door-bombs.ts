/** Requests that cost little to send, with long texts of every kind in every place of a request that something reads before it is known who asks. */
import { gzipSync } from 'node:zlib';

export interface DoorBomb {
  kind: string;
  /** To be added to the address. */
  search: string;
  headers: Record<string, string>;
  body: Buffer | null;
}

/** Of what lies in the head of a request; a server takes 64 kB of it. */
const HEAD_LENGTH = 50_000;
const BODY_LENGTH = 60_000;

/** Repeated until a text is long: signs that some reader of ours or of a library looks for, and the beginnings of patterns. */
const pieces: readonly string[] = [
  ...['a', ' ', '0', '9.', '.', '/', '-', '_', ':', ';', ',', '=', '|', '(', ')', '"', "'", '\\', '+', '*', '<', '@'],
  ...['%20', '%25', '%zz', '%e2%98', '%00', '&', '&a=', '&filter=a:is:b', '&filter=any(', 'any(a:is:', '\\;', 'a|'],
  ...['[', '{', '{"a":', '[{"of":', '"a":1,', '[],', 'null,', '1e9', '-1'],
  ...['q=0.1,', 'en;q=0.9,', 'gzip;q=0,', 'bytes=0-1,', 'W/"a", ', 'for=1.2.3.4;', '1.2.3.4, ', '::ffff:', 'a=b; '],
  ...['Mozilla/5.0 (', 'bot', 'compatible; ', 'Chrome/9 ', 'http://', 'Bearer ', 'lnk_', 's%3Aa.', 'luneta=', 'x@x.'],
];

/** Names of what our pages, files and the API read of an address. */
const parameters = [
  ...[
    'filter',
    'filters',
    'people',
    'range',
    'from',
    'to',
    'details',
    'find',
    'next',
    'token',
    'code',
    'state',
    'before',
  ],
  ...['cursor', 'after', 'search', 'property', 'value', 'name', 'column', 'segment', 'limit', 'input', 'wait', 'data'],
];

const heads = [
  ...['cookie', 'authorization', 'accept-language', 'accept-encoding', 'accept', 'user-agent', 'x-forwarded-for'],
  ...[
    'x-forwarded-host',
    'if-none-match',
    'if-modified-since',
    'range',
    'referer',
    'origin',
    'content-type',
    'forwarded',
  ],
  ...['sec-fetch-site', 'last-event-id', 'x-request-id', 'content-encoding', 'posthog-sdk-info'],
];

const types = [
  'application/json',
  'application/x-www-form-urlencoded',
  'text/plain',
  'multipart/form-data; boundary=a',
];

/** The bomb of this number; of every number there is one. */
export function doorBomb(number: number): DoorBomb {
  const piece = pieces[number % pieces.length] as string;
  const place = Math.floor(number / pieces.length);
  const bombs = [
    ...heads.map((name) => () => inHead(name, piece)),
    ...parameters.map((name) => () => inAddress(name, piece)),
    ...types.map((type) => () => inBody(type, piece)),
    () => inHead('cookie', piece, 'luneta=s%3A'),
    () => inHead('cookie', piece, '__Host-luneta=s%3A'),
    () => inHead('cookie', piece, 'luneta_lang='),
    () => inHead('authorization', piece, 'Bearer '),
    () => packed(piece),
  ];
  return (bombs[place % bombs.length] as () => DoorBomb)();
}

export const doorBombs = pieces.length * (heads.length + parameters.length + types.length + 5);

const filled = (piece: string, length: number): string =>
  piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
const said = (piece: string): string => JSON.stringify(piece);

function inHead(name: string, piece: string, before = ''): DoorBomb {
  const headers = { [name]: `${before}${filled(piece, HEAD_LENGTH)}`.trim() };
  return { kind: `${name}: ${before}${said(piece)}`, search: '', headers, body: null };
}

function inAddress(name: string, piece: string): DoorBomb {
  const search = `${name}=${filled(piece, HEAD_LENGTH).replaceAll(/[^\x21-\x7e]|[#"<>`{}|\\^']/g, encodeURIComponent)}`;
  return { kind: `?${name}=${said(piece)}`, search: search.slice(0, HEAD_LENGTH), headers: {}, body: null };
}

function inBody(type: string, piece: string): DoorBomb {
  const body = Buffer.from(filled(piece, BODY_LENGTH));
  return { kind: `${type} of ${said(piece)}`, search: '', headers: { 'content-type': type }, body };
}

/** Small as sent, large when it is read. */
function packed(piece: string): DoorBomb {
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
  return { kind: `gzip of ${said(piece)}`, search: '', headers, body: gzipSync(filled(piece, 8 * 1024 * 1024)) };
}
