/**
 * One vocabulary of errors for the whole program. Rooms throw `AppError`; three renderers turn it into an answer
 * (`trpc/procedure.ts`, `web/errors.ts`, `collect/refuse.ts`). The table is repeated in docs/error-codes.md and
 * a test compares the two. Pure: the browser reads this file too.
 */

export const errorTable = {
  invalid: { http: 400, trpc: 'BAD_REQUEST' },
  unauthenticated: { http: 401, trpc: 'UNAUTHORIZED' },
  forbidden: { http: 403, trpc: 'FORBIDDEN' },
  not_found: { http: 404, trpc: 'NOT_FOUND' },
  conflict: { http: 409, trpc: 'CONFLICT' },
  too_large: { http: 413, trpc: 'PAYLOAD_TOO_LARGE' },
  rate_limited: { http: 429, trpc: 'TOO_MANY_REQUESTS' },
  upstream: { http: 502, trpc: 'BAD_GATEWAY' },
  busy: { http: 503, trpc: 'SERVICE_UNAVAILABLE' },
  unavailable: { http: 503, trpc: 'SERVICE_UNAVAILABLE' },
  timeout: { http: 504, trpc: 'GATEWAY_TIMEOUT' },
  internal: { http: 500, trpc: 'INTERNAL_SERVER_ERROR' },
} as const;

export type ErrorCode = keyof typeof errorTable;

export interface AppErrorOptions {
  /** The field of the input that is at fault, as a dotted path. */
  field?: string;
  /** Seconds after which trying again makes sense. */
  retryAfterSec?: number;
  cause?: unknown;
}

/** An error whose message is safe to show to the person who made the request. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly field: string | undefined;
  readonly retryAfterSec: number | undefined;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.field = options.field;
    this.retryAfterSec = options.retryAfterSec;
  }

  /** The HTTP status that belongs to the code. */
  get status(): number {
    return errorTable[this.code].http;
  }
}

/** The named thing does not exist, or not for this caller: the two are answered alike. */
export function notFound(what: string): AppError {
  const name = what.charAt(0).toUpperCase() + what.slice(1);
  return new AppError('not_found', `${name} not found, or you don’t have access.`);
}

/** No session, or an expired one. */
export function unauthenticated(): AppError {
  return new AppError('unauthenticated', 'Sign in to continue.');
}

/** The signed-in user sees that it is there, and may not do this. */
export function forbidden(message = 'Your role doesn’t allow this. Ask a team owner or admin.'): AppError {
  return new AppError('forbidden', message);
}

/** Invalid input field; `message` says what is wrong and how to fix it. */
export function invalid(field: string, message: string): AppError {
  return new AppError('invalid', message, { field });
}

/** A dependency responds but has no capacity now. Retry later. */
export function busy(message: string, retryAfterSec = 5, cause?: unknown): AppError {
  return new AppError('busy', message, { retryAfterSec, cause });
}

/** Something we need is away for now. */
export function unavailable(message: string, retryAfterSec = 5, cause?: unknown): AppError {
  return new AppError('unavailable', message, { retryAfterSec, cause });
}
