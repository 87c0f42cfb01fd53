/** Coalesces runs of repeated work: never two at once, and every caller gets a run that started after its call. */

export interface Rerun<Result> {
  /** Starts a run, or joins the next one, which all callers meanwhile share. */
  run(): Promise<Result>;
  /** True while a run is under way or about to start. */
  isRunning(): boolean;
}

/** @param work the work of a run */
export function createRerun<Result>(work: () => Promise<Result>): Rerun<Result> {
  let running: Promise<Result> | null = null;
  let next: Promise<Result> | null = null;

  function run(): Promise<Result> {
    if (running === null) {
      running = work().finally(() => {
        running = null;
      });
      return running;
    }
    next ??= running
      .catch(() => undefined) // its callers have the rejection
      .then(() => {
        next = null;
        return run();
      });
    return next;
  }

  return { run, isRunning: () => running !== null || next !== null };
}

/** The same by key: concurrent look-ups of a key share one that started after they came. */
export function createReruns<Key, Result>(work: (key: Key) => Promise<Result>): (key: Key) => Promise<Result> {
  const reruns = new Map<Key, Rerun<Result>>();
  return async (key) => {
    const own = reruns.get(key) ?? createRerun(() => work(key));
    reruns.set(key, own);
    try {
      return await own.run();
    } finally {
      if (!own.isRunning()) reruns.delete(key);
    }
  };
}
