/**
 * One line per request: what was asked, how it went, how long it took. Never the query string (it holds people's filters),
 * never a token: those in paths are replaced.
 */
import { randomFillSync } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler, Response } from 'express';
import type { Clock } from '#src/kit/clock.ts';
import type { Log } from '#src/kit/log.ts';

/** The id under which everything about this request is logged; also in the answer's `x-request-id`. */
export function requestIdOf(res: Response): string {
  const id: unknown = res.locals['requestId'];
  return typeof id === 'string' ? id : '';
}

/** How long the requester has been waiting, in ms. */
export function waitedMs(res: Response, clock: Clock): number {
  const since: unknown = res.locals['since'];
  return typeof since === 'number' ? clock.elapsed() - since : 0;
}

/** Gives each request an id and logs its end. An id sent by the client is not believed. */
export function requestLog(log: Log, clock: Clock, ingestAlias: string): RequestHandler {
  const alias = `/${ingestAlias}/`;
  return (req, res, next) => {
    const requestId = newRequestId();
    const startedAt = clock.elapsed();
    const path = loggedPath(req.path);
    res.locals['requestId'] = requestId;
    res.locals['since'] = startedAt;
    res.setHeader('X-Request-Id', requestId);
    res.once('close', () => {
      const line = lineOf(req, res, { requestId, path, ms: clock.elapsed() - startedAt });
      // Asked every second by a platform, and answered 503 as long as that is so.
      if (path === '/readyz') log.debug(line, 'request');
      else if (res.statusCode >= 500) log.error(line, 'request');
      else if ((isRoutine(path) || path.startsWith(alias)) && res.statusCode < 400) log.debug(line, 'request');
      else log.info(line, 'request');
    });
    next();
  };
}

export interface EventsLog {
  /** Logs the end of an event request, and returns the request id for its response. @param path the full path, without the query */
  begin(req: IncomingMessage, res: ServerResponse, path: string): string;
}

/** The same for requests that come past express, by the thousand: of one that goes well nothing is made that no one reads. */
export function eventsLog(log: Log, clock: Clock, level: string): EventsLog {
  const isQuiet = level !== 'debug' && level !== 'trace';
  return {
    begin(req, res, path) {
      const requestId = newRequestId();
      const startedAt = clock.elapsed();
      res.once('close', () => {
        if (isQuiet && res.statusCode < 400) return;
        const line = lineOf(req, res, { requestId, path: loggedPath(path), ms: clock.elapsed() - startedAt });
        if (res.statusCode >= 500) log.error(line, 'request');
        else if (res.statusCode < 400) log.debug(line, 'request');
        else log.info(line, 'request');
      });
      return requestId;
    },
  };
}

function lineOf(
  { method }: IncomingMessage,
  { statusCode, writableFinished }: ServerResponse,
  { requestId, path, ms }: { requestId: string; path: string; ms: number },
) {
  return {
    requestId,
    method,
    path,
    status: statusCode,
    ms: Math.round(ms * 10) / 10,
    ...(writableFinished ? {} : { aborted: true }),
  };
}

const ID_BYTES = 8;
/** Randomness for many ids: asking for each costs more than everything else here. */
const random = Buffer.alloc(ID_BYTES * 512);
let used = random.length;

function newRequestId(): string {
  if (used === random.length) {
    randomFillSync(random);
    used = 0;
  }
  used += ID_BYTES;
  return random.toString('hex', used - ID_BYTES, used);
}

const token = /\b(lnt|lnk|phc|phx)_[\w-]+/gi;
/** Addresses that let in anyone who has them. */
const opens = /^(\/(?:invite|reports|shared|sign-in)\/)[^/]{16,}/i;

function loggedPath(path: string): string {
  return path.slice(0, 300).replace(token, '$1_…').replace(opens, '$1…');
}

/** Frequent requests that are logged only on errors. */
function isRoutine(path: string): boolean {
  return path.startsWith('/ingest') || path.startsWith('/assets/') || path === '/healthz' || path === '/readyz';
}
