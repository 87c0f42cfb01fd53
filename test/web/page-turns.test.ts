/** Pages share the event loop: one is drawn at a time, and what else has arrived comes between two of them. */
import { createPageTurns } from '#src/web/page-turns.ts';

const rounds = async (number: number) => {
  for (let round = 0; round < number; round++) await new Promise(setImmediate);
};

/** Notes what happens, and after each step, when the event loop has come round, that it has. */
function diary() {
  const happened: string[] = [];
  const step = (name: string) => () => {
    happened.push(name);
    setImmediate(() => happened.push('others'));
  };
  return { happened, step };
}

it('draws at once when nobody else does', async () => {
  const { happened, step } = diary();
  const drawn = createPageTurns().draw(step('one'));
  expect(happened).toEqual(['one']);
  await drawn;
});

it('lets others in between the drawing of two pages, after what React does when it is woken', async () => {
  const turns = createPageTurns();
  const { happened, step } = diary();
  const react = (name: string) => () => {
    step(name)();
    setImmediate(() => happened.push(`React draws ${name}`));
  };
  await Promise.all(['one', 'two', 'three'].map((name) => turns.draw(react(name))));
  const one = (name: string) => [name, 'others', `React draws ${name}`];
  expect(happened).toEqual([...one('one'), ...one('two'), ...one('three')]);
});

it('hands over two answers of a page at a time, and one page after the other', async () => {
  const turns = createPageTurns();
  const { happened, step } = diary();
  const [first, second] = [turns.answers(), turns.answers()];
  const drawn = turns.draw(step('somebody draws'));
  const all = [
    first().then(step('first, pages')),
    second().then(step('second, pages')),
    first().then(step('first, countries')),
    second().then(step('second, countries')),
    first().then(step('first, events')),
  ];
  await rounds(0);
  expect(happened).toEqual(['somebody draws']);
  await Promise.all([drawn, ...all]);
  expect(happened.filter((each) => each !== 'others')).toEqual([
    'somebody draws',
    'first, pages',
    'first, countries',
    'second, pages',
    'second, countries',
    'first, events',
  ]);
  expect(happened.slice(happened.indexOf('first, countries')).indexOf('others')).toBeLessThan(
    happened.slice(happened.indexOf('first, countries')).indexOf('second, pages'),
  );
  // What comes later has a turn of its own.
  await first().then(step('first, goals'));
  expect(happened.at(-1)).toBe('first, goals');
});

it('begins with two pages, and with the next as soon as one of them has its first markup', async () => {
  const turns = createPageTurns();
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => () => {
    begun.push(name);
    return new Promise<void>((resolve) => ends.set(name, resolve));
  };
  const all = ['one', 'two', 'three'].map((name) => turns.begin(work(name)));
  expect(begun).toEqual(['one', 'two']);
  ends.get('two')?.();
  await all[1];
  await rounds(2);
  expect(begun).toEqual(['one', 'two', 'three']);
  ends.get('one')?.();
  ends.get('three')?.();
  await Promise.all(all);
});

it('does not wait for a page that waits for the database', async () => {
  const turns = createPageTurns();
  const never = new Promise<void>(() => undefined);
  void turns.begin(() => never);
  void turns.begin(() => never);
  await expect(turns.begin(async () => 'third')).resolves.toBe('third');
});
