/** How Node is told to run the server: by `npm start`, and by the bench that measures it. */
import { totalmem } from 'node:os';

/**
 * Long questions are GET requests. The heap is held to half of the memory there is and to 1 GB: V8 lets garbage lie in proportion to
 * what it may use, and intake makes much of it (with 2 GB allowed it holds 250 MB in all, with 1 GB 180). Young objects have 8 MB at
 * a time instead of 16, which costs intake a few per cent and spares 40 MB. @see docs/performance.md, Memory
 */
export function serverFlags() {
  const limit = process.constrainedMemory?.() ?? 0;
  const memoryMb = (limit > 0 ? Math.min(limit, totalmem()) : totalmem()) / 1024 / 1024;
  const heapMb = Math.round(Math.min(1024, Math.max(192, memoryMb / 2)));
  return [`--max-old-space-size=${heapMb}`, '--max-semi-space-size=8', '--max-http-header-size=65536'];
}

/**
 * What the C library has to know before Node begins. Pieces of 256 kB and more (a day's rows on their way to becoming columns, what a question
 * counts) come from the system and go back to it; as it is, the library moves that limit up to the largest piece it was given back, and keeps
 * what lies between smaller ones. The `Procfile` says it, too. @see docs/performance.md, Memory
 */
export const serverEnv = { MALLOC_MMAP_THRESHOLD_: '262144' };
