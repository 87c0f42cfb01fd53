/**
 * Stopping in order. What was opened registers how to close it; `stop()` runs the closers in reverse order of
 * registration, each with its own time limit, and never throws: a closer that fails is logged and passed over.
 */
import type { Log } from './log.ts';

export interface Stopper {
  /** Registers a closer; the last registered closes first. */
  onStop(name: string, close: () => Promise<void> | void, limitMs?: number): void;
  /** Runs all closers once; later calls return the same promise. Resolves to the names that failed or ran out of time. */
  stop(): Promise<string[]>;
  readonly stopping: boolean;
}

export function createStopper(log: Log): Stopper {
  const closers: { name: string; close: () => Promise<void> | void; limitMs: number }[] = [];
  let running: Promise<string[]> | null = null;

  async function closeAll(): Promise<string[]> {
    const failed: string[] = [];
    for (const { name, close, limitMs } of closers.reverse()) {
      let timer: NodeJS.Timeout | undefined;
      try {
        await Promise.race([
          Promise.resolve().then(close),
          new Promise<never>((_, reject) => {
            timer = setTimeout(() => reject(new Error(`${name} did not shut down within ${limitMs} ms`)), limitMs);
          }),
        ]);
      } catch (error) {
        failed.push(name);
        log.error({ err: error, closer: name }, 'component did not shut down cleanly');
      } finally {
        clearTimeout(timer);
      }
    }
    return failed;
  }

  return {
    onStop(name, close, limitMs = 10_000) {
      closers.push({ name, close, limitMs });
    },
    stop() {
      running ??= closeAll();
      return running;
    },
    get stopping() {
      return running !== null;
    },
  };
}
