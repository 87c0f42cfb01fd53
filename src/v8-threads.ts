/**
 * V8 has threads of its own that collect garbage and compile beside us, up to four. On a small machine they take the very processors that the
 * thread which answers requests waits for, so they go behind it. Linux has a priority for each thread; elsewhere nothing is done.
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
