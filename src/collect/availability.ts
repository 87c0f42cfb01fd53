/** Whether the database can be reached: remembered once a write found it away, and asked every half second until it answers again. */
import { type AppError, unavailable } from '#src/kit/errors.ts';
import type { Log } from '#src/kit/log.ts';

export interface Availability {
  isAway(): boolean;
  /** @throws unavailable while it is known to be away. After the stop it is not asked any more: the attempt itself finds out */
  expect(): void;
  /** Takes note that a write found the database away. */
  goAway(error: unknown): void;
  stop(): void;
}

export interface AvailabilityParts {
  /** Rejects while the database does not answer in time. */
  ping(): Promise<unknown>;
  log: Pick<Log, 'error' | 'info' | 'debug'>;
  /** Where events are kept meanwhile, for the log. */
  spool: 'none' | 'durable' | 'rescue';
  /** Called when it turns out that the database is away, or back. */
  onTurn?: (() => void) | undefined;
  /** Called when it is back. */
  onBack(): void;
  /** Milliseconds between two attempts. */
  probeEveryMs?: number;
}

/** Seconds after which a client may try again. */
const RETRY_AFTER_SEC = 5;

export function createAvailability(parts: AvailabilityParts): Availability {
  const { ping, log, spool, onTurn, onBack, probeEveryMs = 500 } = parts;
  let isAway = false;
  let probe: NodeJS.Timeout | null = null;
  let isStopped = false;

  function scheduleProbe(): void {
    if (isStopped) return;
    probe = setTimeout(() => void tryAgain(), probeEveryMs).unref();
  }

  async function tryAgain(): Promise<void> {
    try {
      await ping();
      isAway = false;
      log.info('database available again');
      onTurn?.();
      onBack();
    } catch (error) {
      log.debug({ err: error }, 'database still unavailable');
      scheduleProbe();
    }
  }

  return {
    isAway: () => isAway,
    expect() {
      if (isAway && !isStopped) throw databaseUnavailable();
    },
    goAway(error) {
      if (isAway) return;
      isAway = true;
      log.error({ err: error, spool }, 'database unavailable');
      onTurn?.();
      scheduleProbe();
    },
    stop() {
      isStopped = true;
      if (probe) clearTimeout(probe);
    },
  };
}

/** The refusal of events that can be promised nothing: clients send them again. */
export function databaseUnavailable(cause?: unknown): AppError {
  return unavailable('Database unavailable. Retry in a moment.', RETRY_AFTER_SEC, cause);
}
