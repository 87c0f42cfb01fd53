/**
 * Subscriptions as server-sent events, in tRPC's format for its client. tRPC's own implementation chains web
 * streams and generators that hold 80 kB per open stream; here it is one loop, and the request's state is released.
 */
import { ServerResponse } from 'node:http';
import {
  type AnyTRPCRouter,
  callTRPCProcedure,
  getErrorShape,
  getTRPCErrorFromUnknown,
  isTrackedEnvelope,
  type TRPCError,
} from '@trpc/server';
import type { Request, RequestHandler, Response } from 'express';
import { AppError } from '#src/kit/errors.ts';
import { letEnd } from '#src/kit/let-end.ts';
import type { Context } from '#src/trpc/context.ts';
import { onResponseEnd } from './on-response-end.ts';

export interface StreamParts {
  router: AnyTRPCRouter;
  /** Counts the call, and creates its context. */
  contextOf(req: Request, res: Response, path: string, signal: AbortSignal): Promise<Context>;
  onError(failure: { error: TRPCError; path: string; ctx: Asker | undefined }): void;
}

/** The kept part of a context: all of it is larger than the rest of a stream. */
type Asker = Pick<Context, 'requestId'>;

const HEADERS = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'private, no-store, no-transform',
  'X-Accel-Buffering': 'no',
  Connection: 'keep-alive',
};
/** Open streams are pinged in slices, so that ten thousand do not block the event loop at once. */
const TURNS = 30;
/** Default of the ping interval. */
const PING_MS = 15_000;
const PING = 'event: ping\ndata: \n\n';

/** Answers what asks for a subscription by itself; everything else goes on. */
export function streamRoutes(parts: StreamParts): RequestHandler {
  const { router } = parts;
  const { ping, client } = router._def._config.sse ?? {};
  const connected = `event: connected\ndata: ${JSON.stringify(client ?? {})}\n\n`;
  const pings = createPings(ping?.intervalMs ?? PING_MS);

  return (req, res, next) => {
    const path = req.path.slice(1);
    const isStream = req.method === 'GET' && typeOf(router, path) === 'subscription' && req.query['batch'] !== '1';
    if (!isStream) return next();
    void begin(req, res, path);
  };

  async function begin(req: Request, res: Response, path: string): Promise<void> {
    const begun = await open(req, res, path);
    if (begun === null) return;
    const { items, asker } = begun;
    if (res.destroyed) return letEnd(items);
    res.writeHead(200, HEADERS);
    res.write(connected);
    letGo(req, res);
    pings.add(res);
    // Not waited for: waiting would keep the request's data in memory.
    void pass(items, res, path, asker);
  }

  async function open(
    req: Request,
    res: Response,
    path: string,
  ): Promise<{ items: AsyncIterator<unknown>; asker: Asker } | null> {
    const gone = new AbortController();
    let ctx: Context | undefined;
    onResponseEnd(res, () => gone.abort());
    try {
      ctx = await parts.contextOf(req, res, path, gone.signal);
      if (gone.signal.aborted) return null;
      const items = await call(req, path, ctx, gone.signal);
      return { items, asker: { requestId: ctx.requestId } };
    } catch (cause) {
      fail(res, path, ctx, cause);
      return null;
    }
  }

  async function call(req: Request, path: string, ctx: Context, signal: AbortSignal): Promise<AsyncIterator<unknown>> {
    let input: { value: unknown } | null = null;
    const result: unknown = await callTRPCProcedure({
      router,
      path,
      ctx,
      type: 'subscription',
      signal,
      batchIndex: 0,
      // Read when the procedure wants it: that is after it has checked who asks.
      getRawInput: async () => {
        input ??= { value: inputOf(req) };
        return input.value;
      },
    });
    return (result as AsyncIterable<unknown>)[Symbol.asyncIterator]();
  }

  function inputOf(req: Request): unknown {
    const text = req.query['input'];
    let raw: unknown;
    try {
      raw = typeof text === 'string' ? JSON.parse(text) : undefined;
    } catch (cause) {
      throw new AppError('invalid', 'Invalid input: not valid JSON.', { cause });
    }
    const input: unknown = raw === undefined ? undefined : router._def._config.transformer.input.deserialize(raw);
    const lastEventId = req.get('last-event-id') ?? req.query['lastEventId'] ?? req.query['Last-Event-Id'];
    const resumes = typeof lastEventId === 'string' && lastEventId !== '' && typeof input === 'object';
    return resumes ? { ...input, lastEventId } : input;
  }

  async function pass(items: AsyncIterator<unknown>, res: Response, path: string, ctx: Asker): Promise<void> {
    try {
      for (;;) {
        const { done, value } = await items.next();
        if (res.destroyed) return;
        if (done) break;
        if (!res.write(messageOf(value)) && !(await drained(res))) return;
      }
      res.end('event: return\ndata: \n\n');
    } catch (cause) {
      fail(res, path, ctx, cause);
    } finally {
      pings.delete(res);
      letEnd(items);
    }
  }

  function messageOf(value: unknown): string {
    const [id, data] = isTrackedEnvelope(value) ? [value[0], value[1]] : [null, value];
    const text = JSON.stringify(router._def._config.transformer.output.serialize(data));
    return id === null ? `data: ${text}\n\n` : `data: ${text}\nid: ${id}\n\n`;
  }

  /** Before the first byte with its status, afterwards as the last message. */
  function fail(res: Response, path: string, ctx: Asker | undefined, cause: unknown): void {
    if (res.destroyed) return;
    const error = getTRPCErrorFromUnknown(cause);
    parts.onError({ error, path, ctx });
    const config = router._def._config;
    const shape = getErrorShape({ config, error, type: 'subscription', path, input: undefined, ctx });
    const text = JSON.stringify(config.transformer.output.serialize(shape));
    const { httpStatus, retryAfterSec } = shape.data as { httpStatus: number; retryAfterSec?: number };
    const wait = retryAfterSec === undefined ? {} : { 'Retry-After': String(retryAfterSec) };
    if (!res.headersSent) res.writeHead(httpStatus, { ...HEADERS, ...wait });
    res.end(`event: serialized-error\ndata: ${text}\n\n`);
  }
}

function typeOf(router: AnyTRPCRouter, path: string): string | undefined {
  const procedures = router._def.procedures as Record<string, { _def: { type: string } }>;
  return Object.hasOwn(procedures, path) ? procedures[path]?._def.type : undefined;
}

/**
 * Releases the request's user, headers and body, and the wrappers of `res.end` with their references: they saved the
 * session, which is done.
 */
function letGo(req: Request, res: Response): void {
  const nothing = { user: undefined, session: undefined, sessionStore: undefined, next: undefined, res: undefined };
  const parsed = { _parsedUrl: undefined, _parsedOriginalUrl: undefined, params: {}, url: '', originalUrl: '' };
  Object.assign(req, nothing, parsed, { headers: {}, rawHeaders: [] });
  const { end, write, writeHead } = ServerResponse.prototype;
  // Its head was sent: Node keeps it in a hundred pieces, and each header once more. These two are Node's own: under another name they would only stay.
  Object.assign(res, { end, write, writeHead, locals: {}, _header: 'sent' });
  const headers = Object.getOwnPropertySymbols(res).find(({ description }) => description === 'kOutHeaders');
  if (headers) Object.assign(res, { [headers]: null });
}

/** False when the connection ended first. */
function drained(res: Response): Promise<boolean> {
  return new Promise((resolve) => {
    const over = () => {
      res.off('drain', over).off('close', over);
      resolve(!res.destroyed);
    };
    res.on('drain', over).on('close', over);
  });
}

/** A sign of life for each stream, by turns. */
function createPings(everyMs: number) {
  const turns = Array.from({ length: TURNS }, () => new Set<Response>());
  let open = 0;
  let turn = 0;
  let timer: NodeJS.Timeout | null = null;

  function tell(): void {
    turn = (turn + 1) % TURNS;
    for (const res of turns[turn] as Set<Response>) if (!res.writableNeedDrain) res.write(PING);
  }

  return {
    add(res: Response) {
      turns[open++ % TURNS]?.add(res);
      timer ??= setInterval(tell, everyMs / TURNS).unref();
    },
    delete(res: Response) {
      for (const each of turns) each.delete(res);
      if (timer === null || turns.some(({ size }) => size > 0)) return;
      clearInterval(timer);
      timer = null;
    },
  };
}
