/** A limit on how long the database is waited for while a client waits for us. */
import { AppError, busy, unavailable } from '#src/kit/errors.ts';
import { isLate } from '#src/kit/late.ts';
import { isBusy, isOutage, sqlState } from '#src/store/db.ts';

/**
 * Thrown after a timeout. The operation may still complete: a caller that abandons a write must be able to
 * repeat it (the uuid ledger deduplicates).
 */
export class TooSlow extends Error {
  constructor() {
    super('database timed out');
    this.name = 'TooSlow';
  }
}

/** How long one step of a request may wait for the database. */
export const DATABASE_TIMEOUT_MS = 2_000;
const RETRY_AFTER_SEC = 5;

/** The result of `work`, if it comes in time. @throws TooSlow */
export async function withDeadline<Result>(work: Promise<Result>, limitMs = DATABASE_TIMEOUT_MS): Promise<Result> {
  if (await isLate(work, limitMs)) throw new TooSlow();
  return work;
}

/** The database is away, too busy or too slow, as opposed to refusing what it was given. */
export function isUnavailable(error: unknown): boolean {
  if (isTooSlow(error) || isOutage(error)) return true;
  return error instanceof AppError && (error.code === 'unavailable' || error.code === 'busy');
}

/** The retryable error for clients. @param cause why events could not be stored */
export function cannotStore(cause?: unknown): AppError {
  if (cause !== undefined && isSlow(cause))
    return busy('Database too slow. Retry in a moment.', RETRY_AFTER_SEC, cause);
  return unavailable('Database unavailable. Retry in a moment.', RETRY_AFTER_SEC, cause);
}

/** The database answers, and too late. */
export function isSlow(error: unknown): boolean {
  return isTooSlow(error) || isBusy(error);
}

/** One of the limits on how long something may take was reached. */
export function isTooSlow(error: unknown): boolean {
  return (
    error instanceof TooSlow || (error instanceof AppError && error.code === 'timeout') || sqlState(error) === '57014'
  );
}
