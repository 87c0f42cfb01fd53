/** Small pieces of answering `/ingest`: reading parameters, writing answers. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Request, Response } from 'express';
import type { JsonObject, JsonValue } from '#src/kit/json.ts';
import { isObject } from './envelope.ts';
import { encodingFor, type Script } from './scripts.ts';

/** A request with events: express' own, or one that came past express (web/front.ts) and has no headers of its answer set yet. */
export type EventsRequest = IncomingMessage & Pick<Request, 'path' | 'query' | 'ip'> & { requestId?: string };

/** Any page may send here and read the answer. Old clients send with credentials, so the origin is mirrored; no cookie is read. */
export function setSharedHeaders(req: IncomingMessage & { requestId?: string }, res: ServerResponse): void {
  const { origin } = req.headers;
  if (req.requestId !== undefined) res.setHeader('X-Request-Id', req.requestId);
  setAll(res, SHARED);
  if (origin === undefined || origin === '') return;
  setAll(res, mirrored(origin));
  if (req.method !== 'OPTIONS') return;
  res.setHeader('Access-Control-Allow-Methods', 'GET, POST, OPTIONS');
  res.setHeader('Access-Control-Max-Age', '86400');
  const asked = req.headers['access-control-request-headers'];
  if (typeof asked === 'string') res.setHeader('Access-Control-Allow-Headers', asked);
}

const SHARED = ['X-Content-Type-Options', 'nosniff', 'Cross-Origin-Resource-Policy', 'cross-origin'];

function mirrored(origin: string): string[] {
  return [
    'Vary',
    'Origin',
    'Access-Control-Allow-Origin',
    origin,
    'Access-Control-Allow-Credentials',
    'true',
    'Access-Control-Expose-Headers',
    'Retry-After',
  ];
}

function setAll(res: ServerResponse, list: readonly string[]): void {
  for (let at = 0; at < list.length; at += 2) res.setHeader(list[at] as string, list[at + 1] as string);
}

const OK = '{"status":1}';
const OK_HEADERS = { 'Content-Type': 'application/json', 'Content-Length': OK.length, 'Cache-Control': 'no-store' };
const OK_LIST = Object.entries(OK_HEADERS).flat();

/** Exactly 200: browsers take every other success for a failure and send again. */
export function answerOk(req: EventsRequest, res: ServerResponse): void {
  res.writeHead(200, req.requestId === undefined ? OK_HEADERS : allHeaders(req, req.requestId, OK_LIST)).end(OK);
}

/** As `answerOk`, for a request without stored events: the body has the number of dropped events by reason. */
export function answerDropped(req: EventsRequest, res: ServerResponse, reasons: readonly string[]): void {
  const dropped: Record<string, number> = {};
  for (const reason of reasons) dropped[reason] = (dropped[reason] ?? 0) + 1;
  const body = JSON.stringify({ status: 1, dropped });
  const headers = { ...OK_HEADERS, 'Content-Length': Buffer.byteLength(body) };
  const { requestId } = req;
  res.writeHead(200, requestId === undefined ? headers : allHeaders(req, requestId, Object.entries(headers).flat()));
  res.end(body);
}

/** Common headers and those of this response in one call: half the cost of setting them one by one. */
function allHeaders(
  { headers: { origin } }: EventsRequest,
  requestId: string,
  own: readonly (string | number)[],
): (string | number)[] {
  const shared = ['X-Request-Id', requestId, ...SHARED];
  const list = origin === undefined || origin === '' ? shared : [...shared, ...mirrored(origin)];
  return [...list, ...own];
}

/** Not stored by anyone in between, unless `Cache-Control` was set before. */
export function answerJson(res: Response, status: number, value: JsonObject): void {
  answerBody(res, status, 'application/json; charset=utf-8', JSON.stringify(value));
}

export function answerBody(res: Response, status: number, type: string, body: string | Buffer): void {
  if (!res.hasHeader('Cache-Control')) res.setHeader('Cache-Control', 'no-store');
  res.writeHead(status, { 'Content-Type': type, 'Content-Length': Buffer.byteLength(body) }).end(body);
}

/**
 * Errors are plain text, as clients expect.
 * @param before what the connection stays open for; the answer is whole before
 */
export function answerText(
  res: ServerResponse,
  status: number,
  message: string,
  headers: Record<string, string> = {},
  before?: Promise<void>,
): void {
  const text = `${message}\n`;
  res.writeHead(status, {
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
    ...headers,
  });
  if (before === undefined) return void res.end(text);
  res.write(text);
  void before.then(() => res.end());
}

export async function answerScript(req: Request, res: Response, script: Script, cacheControl: string): Promise<void> {
  res.setHeader('Cache-Control', cacheControl);
  res.setHeader('ETag', script.etag);
  res.appendHeader('Vary', 'Accept-Encoding');
  if (req.headers['if-none-match']?.includes(script.etag)) {
    res.writeHead(304).end();
    return;
  }
  const encoding = encodingFor(req.headers['accept-encoding']);
  const body = await script.body(encoding);
  if (encoding !== 'identity') res.setHeader('Content-Encoding', encoding);
  res.writeHead(200, { 'Content-Type': script.type, 'Content-Length': body.length }).end(body);
}

/** The first value of a query parameter. */
export function first(req: Pick<Request, 'query'>, name: string): string | undefined {
  const value: unknown = req.query[name];
  const one: unknown = Array.isArray(value) ? value[0] : value;
  return typeof one === 'string' ? one : undefined;
}

/** The page's origin and the Do Not Track or Global Privacy Control signal. */
export function readClientHeaders(headers: IncomingHttpHeaders): { origin: string | null; asksNotToTrack: boolean } {
  const { origin } = headers;
  return {
    origin: origin === undefined || origin === '' ? null : origin,
    asksNotToTrack: headers['dnt'] === '1' || headers['sec-gpc'] === '1',
  };
}

/** The key after `Authorization: Bearer`. */
export function bearerOf(req: Request): string | undefined {
  return /^Bearer\s+(\S+)$/i.exec(req.headers.authorization ?? '')?.[1];
}

/** A text field of a JSON object. */
export function textIn(value: JsonValue, name: string): string | undefined {
  const field = isObject(value) ? value[name] : undefined;
  return typeof field === 'string' ? field : undefined;
}
