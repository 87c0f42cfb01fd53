/** Coalesces runs of repeated work: never two at once, and every caller gets a run that started after its call. */

/**
 * @param work the work of a run
 * @returns `run` starts a run, or joins the next one, which all callers meanwhile share
 */
export function createRerun(work: () => Promise<void>): { run(): Promise<void>; isRunning(): boolean } {
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;

  function run(): Promise<void> {
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

  return { run, isRunning: () => running !== null };
}
