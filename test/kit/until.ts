/** Waiting for what happens by itself, for as long as a slow and busy machine may need. */
import { setTimeout as sleep } from 'node:timers/promises';

/** Looks again and again until `check` holds. The limit is there so that a failure names what did not come, not to measure anything. */
export async function until(check: () => boolean | Promise<boolean>, limitMs = 90_000): Promise<void> {
  const deadline = performance.now() + limitMs;
  while (!(await check())) {
    if (performance.now() > deadline) throw new Error(`not so within ${limitMs} ms: ${check}`);
    await sleep(10);
  }
}
