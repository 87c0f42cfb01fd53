/** Who is next, and what comes between. */
import { createTurns } from '#src/kit/turns.ts';

function works() {
  const begun: number[] = [];
  const ends: { resolve(): void; reject(error: Error): void }[] = [];
  const work = (number: number) => () => {
    begun.push(number);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    ends[number] = { resolve, reject };
    return promise.then(() => number);
  };
  return { begun, ends, work };
}

it('takes turns in the order of asking, whatever becomes of each', async () => {
  const { begun, ends, work } = works();
  const turns = createTurns({ longMs: 60_000 });
  const results = [0, 1, 2].map((number) => turns.take(work(number)));
  const refused = expect(results[1]).rejects.toThrow('refused');
  expect(begun).toEqual([0]);
  ends[0]?.resolve();
  expect(await results[0]).toBe(0);
  expect(begun).toEqual([0, 1]);
  ends[1]?.reject(new Error('refused'));
  await refused;
  expect(begun).toEqual([0, 1, 2]);
  ends[2]?.resolve();
  expect(await results[2]).toBe(2);
  const last = turns.take(work(3));
  expect(begun).toEqual([0, 1, 2, 3]);
  ends[3]?.resolve();
  expect(await last).toBe(3);
});

it('does not hold others up for what takes long', async () => {
  const { begun, ends, work } = works();
  const turns = createTurns({ longMs: 1 });
  const long = turns.take(work(0));
  const next = Promise.withResolvers<void>();
  const second = turns.take(async () => {
    next.resolve();
    return work(1)();
  });
  await next.promise;
  expect(begun).toEqual([0, 1]);
  ends[0]?.resolve();
  expect(await long).toBe(0);
  ends[1]?.resolve();
  expect(await second).toBe(1);
});

it('lets a few in at the same time, and the next when one of them is done', async () => {
  const { begun, ends, work } = works();
  const turns = createTurns({ longMs: 60_000, places: 2 });
  const results = [0, 1, 2, 3].map((number) => turns.take(work(number)));
  expect(begun).toEqual([0, 1]);
  ends[1]?.resolve();
  expect(await results[1]).toBe(1);
  expect(begun).toEqual([0, 1, 2]);
  ends[0]?.resolve();
  ends[2]?.resolve();
  await Promise.all([results[0], results[2]]);
  expect(begun).toEqual([0, 1, 2, 3]);
  ends[3]?.resolve();
  expect(await results[3]).toBe(3);
});

it('steps aside between one and the next when told to', async () => {
  const happened: string[] = [];
  const turns = createTurns({ longMs: 60_000, aside: true });
  const work = (name: string) => async () => {
    happened.push(name);
    // As a socket that has something to read: it is looked at when the event loop comes round.
    setImmediate(() => happened.push(`after ${name}`));
  };
  await Promise.all(['one', 'two', 'three'].map((name) => turns.take(work(name))));
  expect(happened).toEqual(['one', 'after one', 'two', 'after two', 'three']);
});
