/**
 * Runs a garbage collection after start, when idle: start-up garbage is a tenth of the process's memory, and V8
 * would keep it until much more is allocated, which an idle server never does.
 */
import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Log } from './kit/log.ts';

const LOOK_MS = 1_000;
/** Maximum event loop utilization of a quiet second: the collection takes about 30 ms and must not delay requests. */
const QUIET = 0.05;
/** Looks, after which a process that was always busy has collected everything by itself. */
const MAX_LOOKS = 60;

/** Waits for the first quiet second. @returns cancels the wait */
export function collectLeftovers(log: Log, lookMs = LOOK_MS): () => void {
  let last = performance.eventLoopUtilization();
  let looks = 0;
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, last);
    last = now;
    if (utilization > QUIET && ++looks < MAX_LOOKS) return;
    clearInterval(timer);
    if (utilization <= QUIET) collect(log);
  }, lookMs);
  timer.unref();
  return () => clearInterval(timer);
}

/** Set at run time: as a flag of Node it costs three megabytes, because Node's code cache is bound to its flags. */
function collect(log: Log): void {
  try {
    setFlagsFromString('--expose-gc');
    const gc = runInNewContext('gc') as NodeJS.GCFunction;
    gc({ type: 'major', execution: 'sync' });
  } catch (error) {
    log.debug({ err: error }, 'nothing was collected');
  }
}
