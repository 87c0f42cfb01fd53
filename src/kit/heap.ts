/** How much memory a thread may take for objects. */
import { getHeapStatistics } from 'node:v8';

/**
 * Half of the main thread's heap limit, MB. A thread that reaches its limit ends with ERR_WORKER_OUT_OF_MEMORY, and the process
 * continues. V8 aborts the process when objects grow faster than it can stop the thread, as with large arrays in a tight loop. Typed arrays
 * do not count.
 */
export function halfOfHeapMb(): number {
  return Math.round(getHeapStatistics().heap_size_limit / 2 / 1024 / 1024);
}
