/** Work that callers ask for again and again: it never runs twice at once, and a caller gets a run that began after its call. */

/**
 * @param work what is to be done
 * @returns asks for a run: resolves with the one that begins now, or else with the next one, which all who ask meanwhile share
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
