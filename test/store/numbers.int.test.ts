import { createNumbers } from '#src/store/numbers.ts';
import { useDatabase } from '#test/kit/database.ts';
import { type TestDeps, testDeps } from '#test/kit/deps.ts';

const database = useDatabase();
let deps: TestDeps;
beforeEach(() => {
  deps = testDeps(database.url);
});
afterEach(() => deps.close());

const take = (supply: { next(): number }, count: number) => Array.from({ length: count }, () => supply.next());

describe('numbers', () => {
  it('begin at 1 and are dense, per project and kind', async () => {
    const numbers = createNumbers(deps.write);
    expect(take(await numbers.reserve(1, 'person', 3), 3)).toEqual([1, 2, 3]);
    expect(take(await numbers.reserve(1, 'person', 2), 2)).toEqual([4, 5]);
    expect(take(await numbers.reserve(1, 'event_name', 1), 1)).toEqual([1]);
    expect(take(await numbers.reserve(2, 'person', 1), 1)).toEqual([1]);
    expect(await database.query('select sum(next) as next from number_blocks')).toEqual([{ next: '3003' }]);
  });

  it('that were not needed are given again', async () => {
    const numbers = createNumbers(deps.write);
    const supply = await numbers.reserve(1, 'person', 10);
    take(supply, 4);
    supply.release();
    expect(take(await numbers.reserve(1, 'person', 8), 8).sort((a, b) => a - b)).toEqual([5, 6, 7, 8, 9, 10, 11, 12]);
  });

  it('are never given twice, over several processes and more than a block', async () => {
    const processes = [createNumbers(deps.write), createNumbers(deps.write), createNumbers(deps.write)];
    const supplies = await Promise.all(
      Array.from({ length: 30 }, (_, at) => processes[at % 3]?.reserve(1, 'person', 90 * (at + 1))),
    );
    const taken = supplies.flatMap((supply, at) => (supply ? take(supply, 90 * (at + 1)) : []));
    expect(new Set(taken).size).toBe(taken.length);
  });

  it('that were not reserved are refused', async () => {
    const supply = await createNumbers(deps.write).reserve(1, 'person', 1);
    supply.next();
    expect(() => supply.next()).toThrow('more numbers');
  });
});
