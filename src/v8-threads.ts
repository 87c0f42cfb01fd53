/**
 * Lowers the priority of V8's helper threads, up to four, which collect garbage and compile. On a small machine they compete with the
 * main thread for processors. Only on Linux, which has priorities for threads.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';
import type { Log } from './kit/log.ts';

const THREADS = '/proc/self/task';
/**
 * Steps below the process. Collecting may not fall behind either, or garbage lies: at 19 a loaded server holds 30 MB more.
 * @see docs/performance.md, "V8's helpers go behind"
 */
const BEHIND = 10;

/** Once, when V8's threads are there, which they are from the start. */
export function putV8ThreadsBehind(log: Log): void {
  if (process.platform !== 'linux') return;
  const priority = Math.min(getPriority() + BEHIND, constants.priority.PRIORITY_LOW);
  let threads: string[];
  try {
    threads = readdirSync(THREADS);
  } catch (error) {
    log.debug({ err: error }, 'no /proc: threads keep their priority');
    return;
  }
  for (const thread of threads) {
    try {
      if (readFileSync(`${THREADS}/${thread}/comm`, 'utf8').startsWith('V8Worker'))
        setPriority(Number(thread), priority);
    } catch (error) {
      log.debug({ err: error }, 'thread priority unchanged');
    }
  }
}
