/** Waiting for something, and not for ever. */

/**
 * True when the work is still pending after `limitMs`; false as soon as it has settled. Its rejection is left to callers that await the
 * work itself, and is never unhandled.
 */
export async function isLate(work: Promise<unknown>, limitMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, limitMs, true);
  });
  const ended = () => false;
  return Promise.race([work.then(ended, ended), late]).finally(() => clearTimeout(timer));
}
