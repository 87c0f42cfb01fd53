import { MessageChannel } from 'node:worker_threads';
import { type Answers, openLine } from '#src/kit/calls.ts';
import { AppError, invalid, unavailable } from '#src/kit/errors.ts';

interface Theirs extends Answers {
  sum(one: number, other: number): Promise<number>;
  refuse(): void;
  wait(): void;
  fail(): void;
  none(): void;
  noData(): unknown;
  later(): Promise<string>;
}

function open() {
  const { port1, port2 } = new MessageChannel();
  let answerLater = (_: string) => {};
  const later = new Promise<string>((resolve) => {
    answerLater = resolve;
  });
  const { none: _, ...theirs }: Theirs = {
    sum: async (one, other) => one + other,
    refuse() {
      throw invalid('name', 'No.');
    },
    wait() {
      throw unavailable('Not now.', 7);
    },
    fail() {
      throw new TypeError('a bug');
    },
    none: () => undefined,
    noData: () => () => 'a function',
    later: () => later,
  };
  const own = openLine<Theirs>(port1, { sum: (one: number) => one });
  const other = openLine<{ sum(one: number): number }>(port2, theirs);
  return { own, other, answerLater, close: () => port1.close() };
}

it('asks either way, many at a time', async () => {
  const { own, other, answerLater, close } = open();
  const slow = own.ask('later');
  expect(await Promise.all([own.ask('sum', 1, 2), own.ask('sum', 3, 4), other.ask('sum', 9)])).toEqual([3, 7, 9]);
  answerLater('at last');
  expect(await slow).toBe('at last');
  close();
});

it('tells what was refused, in our own words', async () => {
  const { own, close } = open();
  const told = (name: 'refuse' | 'wait' | 'fail') => own.ask(name).catch((error: unknown) => error);
  expect(await told('refuse')).toEqual(expect.objectContaining({ code: 'invalid', field: 'name', message: 'No.' }));
  expect(await told('wait')).toEqual(expect.objectContaining({ code: 'unavailable', retryAfterSec: 7 }));
  await expect(own.ask('none')).rejects.toMatchObject({ code: 'internal', message: 'Internal: no handler for none.' });
  await expect(own.ask('noData')).rejects.toMatchObject({ code: 'internal' });
  const bug = await told('fail');
  expect(bug).toBeInstanceOf(AppError);
  expect(bug).toEqual(expect.objectContaining({ code: 'internal', message: 'a bug' }));
  close();
});

it('leaves nobody waiting for an end that is gone', async () => {
  const { own, close } = open();
  const asked = own.ask('later');
  own.cut();
  await expect(asked).rejects.toMatchObject({ code: 'unavailable' });
  await expect(own.ask('sum', 1, 2)).rejects.toMatchObject({ code: 'unavailable' });
  close();
});
