/** Pieces of work between which the event loop comes round. */
import { createBreath } from '#src/kit/breath.ts';

/** Takes the time that a piece of work takes. */
function work(ms: number): void {
  for (const since = performance.now(); performance.now() - since < ms; );
}

it('lets what has arrived go first when a turn of the loop has had its share', async () => {
  const breathe = createBreath(1);
  const order: string[] = [];
  const piece = async (name: string) => {
    await breathe();
    order.push(name);
    work(2);
  };
  const arriving = new Promise<void>((resolve) =>
    setImmediate(() => {
      order.push('arrived');
      resolve();
    }),
  );
  await Promise.all([piece('one'), piece('two'), piece('three'), arriving]);
  expect(order).toEqual(['one', 'arrived', 'two', 'three']);
});

it('gives a piece its time also when it takes some steps that wait for nothing', async () => {
  const breathe = createBreath(Number.POSITIVE_INFINITY);
  const order: string[] = [];
  const piece = async (name: string) => {
    await breathe();
    for (let step = 1; step <= 3; step++) {
      order.push(`${name} ${step}`);
      await null;
    }
  };
  await Promise.all([piece('one'), piece('two')]);
  expect(order).toEqual(['one 1', 'one 2', 'one 3', 'two 1', 'two 2', 'two 3']);
});

it('does small pieces in one turn', async () => {
  const breathe = createBreath(Number.POSITIVE_INFINITY);
  let turns = 0;
  const counting = setImmediate(() => turns++);
  for (let piece = 0; piece < 1_000; piece++) await breathe();
  clearImmediate(counting);
  expect(turns).toBe(0);
});

it('goes on with everybody who asked, in that order, also those who ask meanwhile', async () => {
  const breathe = createBreath(0);
  const order: number[] = [];
  const piece = async (number: number): Promise<void> => {
    await breathe();
    order.push(number);
    if (number < 3) await piece(number + 10);
  };
  await Promise.all([0, 1, 2, 3, 4].map(piece));
  expect(order).toEqual([0, 1, 2, 3, 4, 10, 11, 12]);
});
