/** What watches over open streams rests when there are none. */
import { createAccessWatch } from '#src/accounts/access-watch.ts';
import { useDatabase } from '#test/kit/database.ts';
import { testDeps } from '#test/kit/deps.ts';

const database = useDatabase();
const watched = { sid: 'x', userId: 1, teamId: 1, least: 'viewer' } as const;
const EVERY_MS = 20;

it('looks while a stream is open, and never for one that was hung up before it began', async () => {
  const deps = testDeps(database.url);
  let looks = 0;
  deps.db.on('query', () => {
    looks += 1;
  });
  const watch = createAccessWatch(deps, EVERY_MS);
  try {
    expect(watch.watch(watched, AbortSignal.abort()).lost.aborted).toBe(false);
    await new Promise((resolve) => setTimeout(resolve, 10 * EVERY_MS));
    expect(looks).toBe(0);
    const { lost } = watch.watch(watched, new AbortController().signal);
    if (!lost.aborted) await new Promise((resolve) => lost.addEventListener('abort', resolve, { once: true }));
    expect(looks).toBeGreaterThan(0);
  } finally {
    watch.stop();
    await deps.close();
  }
});
