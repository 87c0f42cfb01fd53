/** Reports of a process are read by the others, despite temporary failures. */
import type { Pool } from 'pg';
import { createProcesses } from '#src/processes/processes.ts';
import { useDatabase } from '#test/kit/database.ts';
import { type TestDeps, testDeps } from '#test/kit/deps.ts';
import { until } from '#test/kit/until.ts';

const database = useDatabase();
let deps: TestDeps;
beforeEach(() => {
  deps = testDeps(database.url);
});
afterEach(() => deps.close());

describe('a process', () => {
  const saidOf = async (part: string) =>
    (await createProcesses(deps).read(part)).map(({ says, isLiving }) => ({ says, isLiving }));

  it('goes on saying what it can when no file can be opened to measure its memory', async () => {
    const processes = createProcesses(deps);
    processes.tell('mood', () => 'well');
    await processes.stop();
    const measure = jest.spyOn(process.memoryUsage, 'rss').mockImplementation(() => {
      throw Object.assign(new Error('too many open files'), { code: 'EMFILE' });
    });
    try {
      const other = createProcesses(deps);
      other.tell('mood', () => 'tired');
      other.start();
      await other.stop();
      expect(await other.running()).toMatchObject([{ rssBytes: 0 }]);
      expect((await saidOf('mood')).map(({ says }) => says).sort()).toEqual(['tired', 'well']);
    } finally {
      measure.mockRestore();
    }
  });

  it('leaves out what it cannot say, or what cannot be stored, and says the rest', async () => {
    const processes = createProcesses(deps);
    processes.tell('broken', () => {
      throw new Error('a bug');
    });
    processes.tell('odd', () => '\u0000');
    processes.tell('mood', () => 'well');
    processes.start();
    await processes.stop();
    expect(await saidOf('mood')).toEqual([{ says: 'well', isLiving: false }]);
    expect(await saidOf('broken')).toEqual([]);
    expect(await saidOf('odd')).toEqual([]);
    const parts = deps.logged.filter(({ level }) => level === 50).map(({ part }) => part);
    expect(new Set(parts)).toEqual(new Set(['broken', 'odd']));
  });

  it('is heard again at once after an outage in which nobody could be heard, and says nothing after its end', async () => {
    const pace = { beatMs: 3_600_000, soonMs: 5, oftenMs: 5 };
    let isUp = true;
    let tries = 0;
    const query = async (text: string, values: unknown[]) => {
      tries++;
      if (isUp) return deps.write.query(text, values);
      throw new Error('away');
    };
    const one = createProcesses(deps, 'web', pace);
    const other = createProcesses({ ...deps, write: { query } as unknown as Pool }, 'worker', pace);
    other.start();
    await until(async () => (await one.running()).length === 2);
    isUp = false;
    deps.clock.advance(61_000);
    other.soon();
    await until(() => tries > 3);
    expect(await one.running()).toHaveLength(1);
    isUp = true;
    await until(async () => (await one.running()).length === 2);

    await other.stop();
    const before = tries;
    one.start();
    other.soon();
    one.tell('mood', () => 'well');
    one.soon();
    await until(async () => (await other.read('mood')).length === 1);
    expect(tries).toBe(before);
    await one.stop();
  });

  it('writes less often what is said to be new all the time', async () => {
    let writes = 0;
    const query = (text: string, values: unknown[]) => {
      writes++;
      return deps.write.query(text, values);
    };
    const pace = { beatMs: 3_600_000, soonMs: 5, oftenMs: 3_600_000 };
    const busy = createProcesses({ ...deps, write: { query } as unknown as Pool }, 'web', pace);
    const other = createProcesses(deps, 'web', { ...pace, oftenMs: 5 });
    busy.start();
    other.start();
    busy.soon();
    await until(() => writes === 2);
    busy.soon();
    other.tell('mood', () => 'well');
    other.soon();
    await until(async () => (await busy.read('mood')).length === 1);
    expect(writes).toBe(2);
    await Promise.all([busy.stop(), other.stop()]);
  });

  it('ends without an error when the database is away', async () => {
    const write = { query: () => Promise.reject(new Error('away')) } as unknown as Pool;
    const processes = createProcesses({ ...deps, write });
    processes.start();
    await expect(processes.stop()).resolves.toBeUndefined();
  });
});

describe('a thread of a process', () => {
  it('reads what the process says now instead of what it wrote, tells its own, and is no other process', async () => {
    let mood = 'well';
    const main = createProcesses(deps);
    main.tell('mood', () => mood);
    main.start();
    await until(async () => (await database.query('select from process_reports')).length === 2);
    const thread = createProcesses(deps, 'web', undefined, async (part) => main.reportNow(part));
    thread.tell('colour', () => 'red');
    thread.start();
    await thread.stop();
    mood = 'better';
    expect((await thread.read('mood')).map(({ says }) => says)).toEqual(['better']);
    expect((await thread.read('colour')).map(({ says }) => says)).toEqual(['red']);
    expect((await main.read('colour')).map(({ says }) => says)).toEqual(['red']);
    expect(await thread.running()).toHaveLength(1);
    expect(await main.running()).toHaveLength(1);
    await main.stop();
  });
});
