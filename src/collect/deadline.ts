/** A limit on how long the database is waited for while a client waits for us. */
import { AppError } from '#src/kit/errors.ts';
import { isOutage, sqlState } from '#src/store/db.ts';

/**
 * What was waited for longer than anyone should. It may still come true: whoever gives up on a write has to be able to do
 * it again (the uuid ledger makes one of both).
 */
export class TooSlow extends Error {
  constructor() {
    super('the database did not answer in time');
    this.name = 'TooSlow';
  }
}

/** How long one step of a request may wait for the database. */
export const PATIENCE_MS = 2_000;

/** The result of `work`, if it comes in time. @throws TooSlow */
export async function withDeadline<Result>(work: Promise<Result>, limitMs = PATIENCE_MS): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TooSlow()), limitMs);
  });
  work.catch(() => {
    // After the deadline nobody is interested any more; before it, the race below reports the failure.
  });
  try {
    return await Promise.race([work, deadline]);
  } finally {
    clearTimeout(timer);
  }
}

/** The database is away, too busy or too slow, as opposed to refusing what it was given. */
export function isAbsence(error: unknown): boolean {
  if (error instanceof TooSlow || isOutage(error)) return true;
  if (error instanceof AppError) return error.code === 'unavailable' || error.code === 'timeout';
  return sqlState(error) === '57014';
}
