/** One line in the log for each outage and state of the database, however often it comes and goes meanwhile. */
import type { Log } from '#src/kit/log.ts';
import { isSlow } from './deadline.ts';

/** It counts as available again once events were stored for this long. */
const STEADY_MS = 10_000;

export interface OutageLog {
  /** Events cannot be stored. @param spool where they go */
  away(error: unknown, spool: 'none' | 'durable' | 'rescue'): void;
  back(): void;
  stop(): void;
}

export function createOutageLog(log: Pick<Log, 'error' | 'info'>, steadyMs = STEADY_MS): OutageLog {
  let logged: 'slow' | 'away' | null = null;
  let timer: NodeJS.Timeout | null = null;

  function stop(): void {
    if (timer) clearTimeout(timer);
    timer = null;
  }

  return {
    away(error, spool) {
      stop();
      const state = isSlow(error) ? 'slow' : 'away';
      if (state === logged) return;
      logged = state;
      log.error({ err: error, spool }, state === 'slow' ? 'database too slow' : 'database unavailable');
    },
    back() {
      stop();
      timer = setTimeout(() => {
        logged = null;
        log.info('database available again');
      }, steadyMs).unref();
    },
    stop,
  };
}
