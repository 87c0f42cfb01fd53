/**
 * The only reader of the system's clock. Everything that needs the time gets a `Clock` through `Deps`, so that tests
 * can move it; SQL receives times as parameters and never calls now() (test/architecture.test.ts enforces both).
 */

export interface Clock {
  /** Wall clock, milliseconds since 1970-01-01T00:00Z. May jump. */
  now(): number;
  /** Monotonic milliseconds, for durations. */
  elapsed(): number;
}

export const systemClock: Clock = { now: () => Date.now(), elapsed: () => performance.now() };

/** A clock for tests: stands still until moved. */
export function fixedClock(startMs: number): Clock & { set(ms: number): void; advance(ms: number): void } {
  let nowMs = startMs;
  let elapsedMs = 0;
  return {
    now: () => nowMs,
    elapsed: () => elapsedMs,
    set(ms) {
      nowMs = ms;
    },
    advance(ms) {
      nowMs += ms;
      elapsedMs += ms;
    },
  };
}
