/** How a thread learns that nobody waits for a task any more: by a flag in memory that it shares with the main thread. */
import { Cancelled } from '#src/kit/cancelled.ts';

/** One number: 1 once the query was cancelled. */
export type CancelFlag = Int32Array<SharedArrayBuffer>;

export function cancelFlag(): CancelFlag {
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
}

export function raise(flag: CancelFlag): void {
  Atomics.store(flag, 0, 1);
}

/** The flag of the task that this thread is at; null: it can't be cancelled. */
let current: CancelFlag | null = null;

/** Does a task, unless it was cancelled. @throws Cancelled also in the middle of it, between two chunks */
export function underFlag<Result>(flag: CancelFlag | null, perform: () => Result): Result {
  current = flag;
  try {
    checkCancelled();
    return perform();
  } finally {
    current = null;
  }
}

/** The results of chunks, one after the other. @throws Cancelled between two of them */
export function eachChunk<Chunk, Result>(chunks: readonly Chunk[], count: (chunk: Chunk) => Result): Result[] {
  return chunks.map((chunk) => {
    checkCancelled();
    return count(chunk);
  });
}

function checkCancelled(): void {
  if (current !== null && Atomics.load(current, 0) === 1) throw new Cancelled();
}
