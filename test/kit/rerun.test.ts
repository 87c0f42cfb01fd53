import { createRerun, createReruns } from '#src/kit/rerun.ts';

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

it('runs by key, gives each caller a result that was begun after its call, and keeps none', async () => {
  const runs: { key: string; end: PromiseWithResolvers<string> }[] = [];
  const look = createReruns((key: string) => {
    const end = Promise.withResolvers<string>();
    runs.push({ key, end });
    return end.promise;
  });
  const first = look('a');
  const others = [look('a'), look('a'), look('b')];
  expect(runs.map(({ key }) => key)).toEqual(['a', 'b']);
  runs[0]?.end.resolve('before');
  runs[1]?.end.resolve('of b');
  expect(await first).toBe('before');
  await new Promise(setImmediate);
  const late = look('a');
  expect(runs.map(({ key }) => key)).toEqual(['a', 'b', 'a']);
  runs[2]?.end.resolve('after');
  expect(await Promise.all(others)).toEqual(['after', 'after', 'of b']);
  await new Promise(setImmediate);
  runs[3]?.end.reject(new Error('away'));
  await expect(late).rejects.toThrow('away');
  const again = look('a');
  runs[4]?.end.resolve('anew');
  expect(await again).toBe('anew');
  expect(runs).toHaveLength(5);
});
