/**
 * Proxies requests for screens from the ingestion thread to the rendering thread (screens.ts), over a socket that only this process
 * can reach. Both directions are streamed unchanged. The client address is passed in a
 * header that clients cannot send.
 */
import { Agent, type IncomingMessage, type RequestListener, request, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { clientAddress, type ProxySettings } from '#src/proxies/client-address.ts';

/** Header limit of both ends: the client's headers and ours. */
export const handedHeaderBytes = 65_536 + 1_024;
/** Header with the client's address and the local address. */
const CLIENT = 'x-luneta-client';
/** Hop-by-hop headers, which are not passed. */
const OF_THE_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect', // Node has already sent "100 Continue"
  CLIENT,
]);
/** The socket's backlog is full, or the other thread is restarting. Nothing was sent yet, so a retry is safe. */
const NOT_CONNECTED = new Set(['EAGAIN', 'ECONNREFUSED', 'ENOENT']);
const AGAIN_MS = 20;
const MAX_TRIES = 50;

export interface HandoverParts {
  /** The other thread's socket; starts the thread when needed. */
  open(): Promise<string>;
  /** Answers what cannot be handed over. */
  refuse: RequestListener;
}

export function handOver({ open, refuse }: HandoverParts): RequestListener {
  const agent = new Agent({ keepAlive: true });

  function begin(req: IncomingMessage, res: ServerResponse, tries: number): void {
    open().then(
      (socketPath) => pass(socketPath, req, res, tries),
      () => refuse(req, res),
    );
  }

  function pass(socketPath: string, req: IncomingMessage, res: ServerResponse, tries: number): void {
    if (res.destroyed) return;
    const asked = request({
      agent,
      socketPath,
      method: req.method,
      path: req.url,
      headers: headersOf(req),
      maxHeaderSize: handedHeaderBytes,
    });
    // After a disconnect no response is possible; after an early response the rest of the request is discarded.
    const leave = () => {
      asked.destroy();
      discardRest(req);
    };
    res.once('close', leave);
    asked.once('socket', (socket) => {
      if (socket.connecting) socket.once('connect', send);
      else send();
    });
    asked.once('response', (answer) => answerWith(answer, res));
    asked.on('error', (error: NodeJS.ErrnoException) => {
      if (res.writableEnded || res.destroyed) return;
      if (res.headersSent) return void res.destroy();
      if (tries === MAX_TRIES || !NOT_CONNECTED.has(error.code ?? '')) return refuse(req, res);
      res.off('close', leave);
      void sleep(AGAIN_MS).then(() => begin(req, res, tries + 1));
    });

    function send(): void {
      asked.flushHeaders();
      if (hasBody(req)) req.pipe(asked);
      else asked.end();
    }
  }

  return (req, res) => begin(req, res, 1);
}

function answerWith(answer: IncomingMessage, res: ServerResponse): void {
  if (res.destroyed) return;
  res.writeHead(answer.statusCode as number, answer.statusMessage, withoutHop(answer.rawHeaders));
  // Cut short there, it is cut short here: the client sees that it is not whole.
  answer.on('error', () => res.destroy());
  answer.pipe(res);
  // Headers wait for the first bytes, which may be long in coming.
  setImmediate(() => res.writableEnded || res.flushHeaders());
}

/** Longer bodies are not read for nothing. */
const MAX_DISCARDED = 2 * 1024 * 1024;

/** After an answer that came before the body was read: the next request comes over the same connection, behind the rest of the body. */
function discardRest(req: IncomingMessage): void {
  if (req.complete || req.destroyed) return;
  req.unpipe();
  if (Number(req.headers['content-length'] ?? Number.NaN) <= MAX_DISCARDED) req.resume();
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Raw headers, unchanged. */
function headersOf(req: IncomingMessage): string[] {
  const headers = withoutHop(req.rawHeaders);
  if (req.headers['transfer-encoding'] !== undefined) headers.push('Transfer-Encoding', 'chunked');
  else if (!BODILESS.has(req.method ?? '') && req.headers['content-length'] === undefined)
    headers.push('Content-Length', '0');
  headers.push(CLIENT, `${req.socket.remoteAddress ?? ''} ${req.socket.localAddress ?? ''}`);
  return headers;
}

/** Without a length Node would send these no body either. */
const BODILESS = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT']);

function withoutHop(raw: readonly string[]): string[] {
  const kept: string[] = [];
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at] as string;
    if (!OF_THE_HOP.has(name.toLowerCase())) kept.push(name, raw[at + 1] as string);
  }
  return kept;
}

/**
 * The other end: makes of what was handed over what it was, as far as who asked is concerned.
 */
export function takeOver(listener: RequestListener, settings: ProxySettings): RequestListener {
  const addressOf = clientAddress(settings);
  return (req, res) => {
    const [remote, local] = String(req.headers[CLIENT] ?? '').split(' ');
    delete req.headers[CLIENT];
    tell(req.socket, remote, local);
    // Known from now on: the connection may be another's when someone asks after the answer.
    Object.defineProperty(req, 'ip', { value: addressOf(req), configurable: true });
    listener(req, res);
  };
}

/** One request at a time comes over a connection. */
function tell(socket: Socket, remote: string | undefined, local: string | undefined): void {
  Object.defineProperties(socket, {
    remoteAddress: { value: remote || undefined, configurable: true },
    localAddress: { value: local || undefined, configurable: true },
  });
}
