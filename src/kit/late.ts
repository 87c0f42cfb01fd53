/** Waiting for something, and not for ever. */

/**
 * Whether the work is still open after so many ms; false as soon as it is done or has failed. Its failure is left to the caller that waits for the
 * work itself; nobody has to.
 */
export async function isLate(work: Promise<unknown>, limitMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, limitMs, true);
  });
  const ended = () => false;
  return Promise.race([work.then(ended, ended), late]).finally(() => clearTimeout(timer));
}
