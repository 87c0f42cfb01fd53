/**
 * Refuses what another site makes a reader's browser send. Browsers say where a request comes from; one that changes
 * something must come from our own pages. Calls must be JSON, which a form cannot send without being asked first.
 */
import type { Request, RequestHandler } from 'express';
import { AppError } from '#src/kit/errors.ts';
import { requestIdOf } from './request-log.ts';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/** @param appUrl PUBLIC_APP_URL: our origin comes from the settings, never from the request */
export function refuseForeignOrigins(appUrl: string): RequestHandler {
  const ownOrigin = new URL(appUrl).origin;
  return (req, _res, next) => {
    if (safeMethods.has(req.method) || isOurs(req, ownOrigin)) return next();
    next(new AppError('forbidden', 'Invalid request origin. Reload the page and try again.'));
  };
}

/** For `/api/trpc`. Other body types would need no preflight, so a foreign form could send them. */
export const requireJson: RequestHandler = (req, res, next) => {
  if (safeMethods.has(req.method) || req.is('application/json') === 'application/json') return next();
  const error = {
    code: 'invalid',
    message: 'Unsupported content type. Send application/json.',
    requestId: requestIdOf(res),
  };
  res.status(415).set('Cache-Control', 'no-store').json({ error });
};

function isOurs(req: Request, ownOrigin: string): boolean {
  const site = req.get('sec-fetch-site');
  if (site !== undefined) return site === 'same-origin';
  return req.get('origin') === ownOrigin;
}
