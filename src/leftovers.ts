/**
 * What loading the program and making its parts left behind, a tenth of the process's memory, is collected once it has nothing to do: V8
 * itself waits until much more has been made, which a server that nobody asks anything never does.
 */
import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Log } from './kit/log.ts';

const LOOK_MS = 1_000;
/** Who waits for an answer is not to wait for this as well, some 30 ms: for so little of a second nobody does. */
const QUIET = 0.05;
/** Looks, after which a process that was always busy has collected everything by itself. */
const MAX_LOOKS = 60;

/** Waits for the first quiet second. @returns ends the waiting */
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

/** As a flag of Node this costs three megabytes: what V8 has compiled of Node is kept for the flags that it was compiled with. */
function collect(log: Log): void {
  try {
    setFlagsFromString('--expose-gc');
    const gc = runInNewContext('gc') as NodeJS.GCFunction;
    gc({ type: 'major', execution: 'sync' });
  } catch (error) {
    log.debug({ err: error }, 'nothing was collected');
  }
}
