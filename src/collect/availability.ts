/** Database availability: unavailable after a write failed or was too slow, then probed every half second. */
import { unavailable } from '#src/kit/errors.ts';
import type { Log } from '#src/kit/log.ts';
import { cannotStore, isSlow, isTooSlow } from './deadline.ts';
import { createOutageLog } from './outage-log.ts';

export interface Availability {
  isAway(): boolean;
  /** It is not away, but answers too late. */
  isSlow(): boolean;
  /** Why events were last not written. */
  cause(): unknown;
  /** @throws unavailable while it is known to be away, busy while it is slow. After the stop it is not asked any more: the attempt itself finds out */
  expect(): void;
  /** Takes note that a write found the database away. */
  goAway(error: unknown): void;
  stop(): void;
}

export interface AvailabilityParts {
  /** Rejects while the database does not answer in time. */
  ping(): Promise<unknown>;
  log: Pick<Log, 'error' | 'info' | 'debug'>;
  /** The spool that keeps events meanwhile, for the log. */
  spool: 'none' | 'durable' | 'rescue';
  /** Called when it turns out that the database is away, or back. */
  onTurn?: (() => void) | undefined;
  /** Called when it is back. */
  onBack(): void;
  /** Milliseconds between two attempts. */
  probeEveryMs?: number;
}

export function createAvailability(parts: AvailabilityParts): Availability {
  const { ping, log, spool, onTurn, onBack, probeEveryMs = 500 } = parts;
  const outages = createOutageLog(log);
  let isAway = false;
  let absence: unknown;
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
      outages.back();
      onTurn?.();
      onBack();
    } catch (error) {
      // A database that does not answer even this is not slow.
      absence = isTooSlow(error) ? unavailable('Database is not responding.', undefined, error) : error;
      outages.away(absence, spool);
      log.debug({ err: error }, 'database still unavailable');
      scheduleProbe();
    }
  }

  return {
    isAway: () => isAway,
    isSlow: () => isAway && isSlow(absence),
    cause: () => absence,
    expect() {
      if (isAway && !isStopped) throw cannotStore(absence);
    },
    goAway(error) {
      if (isAway) return;
      isAway = true;
      absence = error;
      outages.away(error, spool);
      onTurn?.();
      scheduleProbe();
    },
    stop() {
      isStopped = true;
      if (probe) clearTimeout(probe);
      outages.stop();
    },
  };
}
