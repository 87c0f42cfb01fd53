import { createRerun } from '#src/kit/rerun.ts';

it('runs one at a time, and gives each caller a run that began after its call', async () => {
  const runs: PromiseWithResolvers<void>[] = [];
  const rerun = createRerun(() => {
    const run = Promise.withResolvers<void>();
    runs.push(run);
    return run.promise;
  });
  const first = rerun.run();
  const [second, third] = [rerun.run(), rerun.run()];
  expect(runs).toHaveLength(1);
  expect(rerun.isRunning()).toBe(true);
  const refused = expect(first).rejects.toThrow('refused');
  runs[0]?.reject(new Error('refused'));
  await refused;
  await new Promise(setImmediate);
  expect(runs).toHaveLength(2);
  runs[1]?.resolve();
  await Promise.all([second, third]);
  expect(rerun.isRunning()).toBe(false);
  void rerun.run();
  expect(runs).toHaveLength(3);
});
