/**
 * The third renderer of errors: refuses a whole request. Clients drop on 4xx and try again on 5xx, so overload and absence are 503 with
 * `Retry-After`.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '#src/kit/clock.ts';
import { AppError, type ErrorCode } from '#src/kit/errors.ts';
import type { Log } from '#src/kit/log.ts';
import type { BodyReader } from './body.ts';
import type { RefusalReason } from './contract.ts';
import type { EndpointCounts } from './endpoint-counts.ts';
import { answerText, type EventsRequest } from './http.ts';
import type { Refusals } from './refusals.ts';

export interface RefuseParts {
  bodies: Pick<BodyReader, 'forgetRest'>;
  counts: Pick<EndpointCounts, 'refused'>;
  clock: Clock;
  log: Pick<Log, 'error'>;
  /** Called for every refused request. */
  refused?: Refusals['note'] | undefined;
}

const UNAVAILABLE: { status: number; reason: RefusalReason } = { status: 503, reason: 'unavailable' };
/** Status by error. Clients treat 4xx as final and retry 503. */
const refusals: Partial<Record<ErrorCode, { status: number; reason: RefusalReason }>> = {
  invalid: { status: 400, reason: 'invalid' },
  unauthenticated: { status: 401, reason: 'token' },
  timeout: { status: 408, reason: 'slow' },
  rate_limited: { status: 503, reason: 'overload' },
  too_large: { status: 413, reason: 'too_large' },
};

const SHORT_BODY_BYTES = 64 * 1024;

/** The rest of a short body is read and discarded: that costs less than the new connection with which a refused client would retry. */
function isShort(req: IncomingMessage): boolean {
  const announced = Number(req.headers['content-length'] ?? Number.NaN);
  return announced <= SHORT_BODY_BYTES;
}

/** Creates the error handler of requests; no response is sent twice. */
export function createRefuse({ bodies, counts, clock, log, refused }: RefuseParts) {
  return function refuse(req: EventsRequest, res: ServerResponse, error: unknown): void {
    if (res.headersSent || res.destroyed) return;
    const known = error instanceof AppError ? error : new AppError('internal', 'Internal error.', { cause: error });
    if (known.code === 'internal') log.error({ err: error, path: req.path }, 'ingest request failed');
    const { status, reason } = refusals[known.code] ?? UNAVAILABLE;
    counts.refused[reason]++;
    refused?.(reason, req, clock.now());
    const headers: Record<string, string> = {};
    if (status === 503) headers['Retry-After'] = String(known.retryAfterSec ?? 5);
    if (!req.complete && !(known.code === 'rate_limited' && isShort(req))) headers['Connection'] = 'close';
    // The response is sent immediately, also for clients that read it only after sending everything.
    const rest = reason === 'too_large' ? bodies.forgetRest(req) : undefined;
    answerText(res, status, known.message, headers, rest);
  };
}
