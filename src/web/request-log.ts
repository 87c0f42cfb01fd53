/**
 * One line per request: what was asked, how it went, how long it took. Never the query string (it holds people's filters),
 * never a token: those in paths are replaced.
 */
import { randomUUID } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import type { Clock } from '#src/kit/clock.ts';
import type { Log } from '#src/kit/log.ts';

/** The id under which everything about this request is logged; also in the answer's `x-request-id`. */
export function requestIdOf(res: Response): string {
  const id: unknown = res.locals['requestId'];
  return typeof id === 'string' ? id : '';
}

/** How long whoever asked has been waiting, in ms. */
export function waitedMs(res: Response, clock: Clock): number {
  const since: unknown = res.locals['since'];
  return typeof since === 'number' ? clock.elapsed() - since : 0;
}

/** Gives each request an id and logs its end. An id sent by the client is not believed. */
export function requestLog(log: Log, clock: Clock, ingestAlias: string): RequestHandler {
  const alias = `/${ingestAlias}/`;
  return (req, res, next) => {
    const requestId = randomUUID().replaceAll('-', '').slice(0, 16);
    const startedAt = clock.elapsed();
    const path = loggedPath(req);
    res.locals['requestId'] = requestId;
    res.locals['since'] = startedAt;
    res.setHeader('X-Request-Id', requestId);
    res.once('close', () => {
      const line = {
        requestId,
        method: req.method,
        path,
        status: res.statusCode,
        ms: Math.round((clock.elapsed() - startedAt) * 10) / 10,
        ...(res.writableFinished ? {} : { aborted: true }),
      };
      if (res.statusCode >= 500) log.error(line, 'request');
      else if ((isRoutine(path) || path.startsWith(alias)) && res.statusCode < 400) log.debug(line, 'request');
      else log.info(line, 'request');
    });
    next();
  };
}

const token = /\b(lnt|lnk|phc|phx)_[\w-]+/gi;
/** Addresses that let in whoever has them. */
const opens = /^(\/(?:invite|share|embed|sign-in)\/)[^/]{16,}/;

function loggedPath(req: Request): string {
  return req.path.slice(0, 300).replace(token, '$1_…').replace(opens, '$1…');
}

/** What comes by the thousand and tells nothing when it goes well. */
function isRoutine(path: string): boolean {
  return path.startsWith('/ingest') || path.startsWith('/assets/') || path === '/healthz' || path === '/readyz';
}
