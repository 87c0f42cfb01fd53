/**
 * Error responses: a page, JSON or a line of text, by the Accept header. One of the three
 * error renderers. Messages of unexpected errors are only logged; the response has the request id instead.
 */
import { TRPC_ERROR_CODES_BY_KEY } from '@trpc/server/rpc';
import type { ErrorRequestHandler, Request, RequestHandler } from 'express';
import superjson from 'superjson';
import { AppError, type ErrorCode, errorTable, notFound } from '#src/kit/errors.ts';
import type { Log } from '#src/kit/log.ts';
import type { Role } from '#src/projects/contract.ts';
import { asAppError as fromDatabase } from '#src/store/db.ts';
import type { Report } from './report.ts';
import { requestIdOf } from './request-log.ts';

/** Details of a refusal because of a member's role. */
export interface Refusal {
  role: Role;
  /** Names of people to ask for access. */
  ask: readonly string[];
}

export interface Problem {
  code: ErrorCode;
  status: number;
  requestId: string;
  retryAfterSec: number | undefined;
  refusal?: Refusal | undefined;
}

export interface ErrorParts {
  log: Log;
  /** Draws the page of a problem; may throw. Without it there is a line of text. */
  page?(req: Request, problem: Problem): string;
  report: Report;
}

/** The fallback without a matching route. */
export const nothingHere: RequestHandler = (_req, _res, next) => next(notFound('page'));

/** Methods that anything here answers; others could only be a mistake or a probe. */
export const knownMethods: RequestHandler = (req, res, next) => {
  if (['GET', 'HEAD', 'POST', 'OPTIONS'].includes(req.method)) return next();
  res.set('Allow', 'GET, HEAD, POST, OPTIONS').status(405).type('text').send('Method not allowed.\n');
};

/** The last handler of the application. */
export function answerErrors({ log, page, report }: ErrorParts): ErrorRequestHandler {
  return (thrown: unknown, req, res, next) => {
    const error = asAppError(thrown);
    const requestId = requestIdOf(res);
    // The path may hold anything a stranger typed; the log line of the request has it.
    if (error.code === 'internal') report(thrown, { requestId, path: '' }, 'request failed');
    // Half an answer cannot become another: express cuts the connection, and the client sees that it is not whole.
    if (res.headersSent) return next(thrown);
    const { code, status, retryAfterSec } = error;
    const refusal = res.locals['refusal'] as Refusal | undefined;
    const problem = { code, status, requestId, retryAfterSec, refusal };
    res.status(problem.status).set('Cache-Control', 'no-store').removeHeader('Content-Encoding');
    if (problem.retryAfterSec !== undefined) res.set('Retry-After', String(problem.retryAfterSec));
    const kind = kindFor(req);
    if (kind === 'json') {
      const { message, field } = error;
      if (isCall(req)) return res.json({ error: superjson.serialize(callShape(error, problem)) });
      return res.json({ error: { code, message, requestId, ...(field === undefined ? {} : { field }) } });
    }
    const html = kind === 'html' && page ? tryPage(page) : null;
    if (html !== null) return res.type('html').send(html);
    return res.type('text').send(`${error.message}\n${requestId}\n`);

    function tryPage(draw: NonNullable<ErrorParts['page']>): string | null {
      try {
        return draw(req, problem);
      } catch (cause) {
        log.error({ err: cause, requestId }, 'failed to render the error page');
        return null;
      }
    }
  };
}

/** Converts an error. Errors of express have a status; only 4xx are used. What the database threw is named, anything else is internal. */
function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const status = typeof error === 'object' && error !== null && 'status' in error ? error.status : 500;
  if (typeof status !== 'number' || status < 400 || status > 499) return fromDatabase(error);
  const code = codes.find((name) => errorTable[name].http === status) ?? 'invalid';
  return new AppError(code, code === 'too_large' ? 'Request too large.' : 'Invalid request.');
}

const codes = Object.keys(errorTable) as ErrorCode[];

/** Read by tRPC's client, which knows errors in its own form only. */
function isCall(req: Request): boolean {
  return req.path.startsWith('/api/trpc/');
}

/** The format of the procedures' error formatter (src/trpc/procedure.ts). */
function callShape({ code, message, field }: AppError, { status, requestId, retryAfterSec }: Problem) {
  return {
    message,
    code: TRPC_ERROR_CODES_BY_KEY[errorTable[code].trpc],
    data: {
      appCode: code,
      httpStatus: status,
      requestId,
      ...(field === undefined ? {} : { field }),
      ...(retryAfterSec === undefined ? {} : { retryAfterSec }),
    },
  };
}

export function kindFor(req: Request): 'html' | 'json' | 'text' {
  if (req.path.startsWith('/api/')) return 'json';
  const accept = req.get('accept') ?? '';
  if (accept.includes('text/html')) return 'html';
  return accept.includes('application/json') ? 'json' : 'text';
}
