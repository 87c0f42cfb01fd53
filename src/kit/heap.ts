/** How much memory a thread may take for objects. */
import { getHeapStatistics } from 'node:v8';

/**
 * Half of what the process may without its threads, MB. A thread that comes to its limit ends with ERR_WORKER_OUT_OF_MEMORY, and the process goes
 * on. V8 ends the whole process when objects grow faster than it can stop the thread, as with large arrays in a tight loop. Typed arrays are not
 * part of it.
 */
export function halfOfHeapMb(): number {
  return Math.round(getHeapStatistics().heap_size_limit / 2 / 1024 / 1024);
}
