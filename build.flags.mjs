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
