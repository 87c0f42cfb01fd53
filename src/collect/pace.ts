/** Bodies that arrive too slowly are given up: a connection that sends a byte now and then would hold its share of the memory for ever. */
import type { Clock } from '#src/kit/clock.ts';

/** How slowly a body may arrive. */
export interface PaceLimits {
  /** A body must be complete within this time ... */
  timeoutMs: number;
  /** ... or keep arriving at this rate, for at most `hardLimitMs`. */
  slowestBytesPerSecond: number;
  hardLimitMs: number;
}

/** A body that is being read. */
export interface BodyTransfer {
  startedMs: number;
  receivedBytes: number;
  /** Aborts the body, and stops watching it. */
  giveUp(): void;
}

export interface PaceWatch {
  /** Watches a body from now on. */
  add(arrival: BodyTransfer): void;
  delete(arrival: BodyTransfer): void;
  stop(): void;
}

/** Looks every two seconds while bodies are being read; no timer runs otherwise. */
export function createPaceWatch(clock: Clock, limits: PaceLimits, checkEveryMs = 2_000): PaceWatch {
  const arrivals = new Set<BodyTransfer>();
  let timer: NodeJS.Timeout | null = null;

  function stop(): void {
    if (timer !== null) clearInterval(timer);
    timer = null;
  }

  function giveUpSlow(): void {
    const nowMs = clock.elapsed();
    for (const arrival of arrivals) {
      if (isTooSlow(arrival, nowMs, limits)) arrival.giveUp();
    }
    if (arrivals.size === 0) stop();
  }

  return {
    add(arrival) {
      arrivals.add(arrival);
      timer ??= setInterval(giveUpSlow, checkEveryMs).unref();
    },
    delete(arrival) {
      arrivals.delete(arrival);
    },
    stop,
  };
}

/** True when a body is slower than the minimum rate at `nowMs`. */
export function isTooSlow(
  { startedMs, receivedBytes }: Pick<BodyTransfer, 'startedMs' | 'receivedBytes'>,
  nowMs: number,
  limits: PaceLimits,
): boolean {
  const ms = nowMs - startedMs;
  if (ms < limits.timeoutMs) return false;
  return ms > limits.hardLimitMs || (receivedBytes * 1000) / ms < limits.slowestBytesPerSecond;
}
