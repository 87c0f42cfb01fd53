/** R18: jobs that fail, jobs that die, several processes. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createJobs, type Job, type Jobs } from '#src/jobs/jobs.ts';
import { type Clock, systemClock } from '#src/kit/clock.ts';
import { isLate } from '#src/kit/late.ts';
import { useDatabase } from '#test/kit/database.ts';
import { type TestDeps, testDeps } from '#test/kit/deps.ts';
import { until } from '#test/kit/until.ts';

const database = useDatabase({ between: 'nothing' });
const running: { jobs: Jobs; deps: TestDeps }[] = [];

function start(list: Job[], clock: Clock = systemClock): Jobs {
  const deps = testDeps(database.url, { clock });
  const jobs = createJobs(deps, list);
  running.push({ jobs, deps });
  jobs.start();
  return jobs;
}

afterEach(async () => {
  for (const { jobs, deps } of running.splice(0)) {
    await jobs.stop();
    await deps.close();
  }
  await database.query('delete from graphile_worker._private_jobs');
  await database.query('delete from job_runs');
});

it('runs everything on the list once at the start and says so', async () => {
  const ran: string[] = [];
  const { console: shown } = globalThis;
  const before = shown.trace;
  const printed = jest.spyOn(shown, 'trace').mockImplementation(() => undefined);
  const jobs = start([
    { name: 'one', every: 'day', run: async () => ran.push('one') },
    { name: 'two', every: 'hour', run: async () => ran.push('two') },
  ]);
  await until(async () => (await jobs.status()).every(({ succeededAt }) => succeededAt !== null));
  expect(ran.sort()).toEqual(['one', 'two']);
  // What its library traces is in the log, which has one form, and nowhere else.
  shown.trace(new Error('away'));
  expect(printed).not.toHaveBeenCalled();
  shown.trace = before;
  expect(await jobs.status()).toMatchObject([
    { name: 'one', every: 'day', isRunning: false, failures: 0, error: null },
    { name: 'two', every: 'hour', isRunning: false, failures: 0, error: null },
  ]);
});

it('does not let a failing job hold the others back, and tries it again', async () => {
  let tries = 0;
  let others = 0;
  const jobs = start([
    {
      name: 'failing',
      every: 'day',
      run: async () => {
        tries++;
        if (tries < 2) throw new Error('not yet');
      },
    },
    { name: 'fine', every: 'day', run: async () => others++ },
  ]);
  await until(() => others === 1);
  await until(async () => (await jobs.status())[0]?.error === 'not yet');
  await jobs.soon('fine');
  await until(() => others === 2);
  await until(() => tries === 2);
  await until(async () => (await jobs.status())[0]?.failures === 0);
});

it('runs a job in one process at a time', async () => {
  let now = 0;
  let most = 0;
  let runs = 0;
  const job: Job = {
    name: 'alone',
    every: 'minute',
    run: async () => {
      now++;
      runs++;
      most = Math.max(most, now);
      await new Promise((wake) => setTimeout(wake, 300));
      now--;
    },
  };
  const first = start([job]);
  const second = start([job]);
  await until(() => runs >= 1);
  await Promise.all([first.soon('alone'), second.soon('alone')]);
  await until(() => now === 0 && runs >= 1);
  expect(most).toBe(1);
});

it('runs a job again that died with its process, and the effect is there once', async () => {
  await database.query('create table effects (name text primary key)');
  let runs = 0;
  const jobs = start([
    {
      name: 'dying',
      every: 'day',
      run: async () => {
        runs++;
        await database.query(`insert into effects values ('done') on conflict do nothing`);
      },
    },
  ]);
  await until(() => runs === 1);
  // What a killed worker leaves behind: its job is locked by a pool that nobody declares alive.
  await database.query(`select graphile_worker.add_job('dying', '{}', run_at => now() + interval '1 hour')`);
  await database.query(
    `update graphile_worker._private_jobs set locked_by = 'pool-of-the-dead', locked_at = now() - interval '10 seconds',
       attempts = 1, run_at = now()`,
  );
  await jobs.soon('recover-jobs');
  await until(() => runs === 2);
  expect(await database.query('select * from effects')).toEqual([{ name: 'done' }]);
  await until(async () => (await jobs.status())[0]?.isRunning === false);
  expect((await jobs.status())[0]).toMatchObject({ failures: 0 });
});

it('stops in the middle of a job without an end, and begins again after a restart', async () => {
  let began = 0;
  const long: Job = {
    name: 'long',
    every: 'minute',
    run: async (signal) => {
      began++;
      await new Promise((wake) => {
        signal.addEventListener('abort', wake);
      });
    },
  };
  const jobs = start([long]);
  await until(() => began === 1);
  await jobs.stop();
  start([long]);
  await until(() => began === 2);
});

it.each([0, 100])('stops at once when it has hardly begun: after %i ms', async (ms) => {
  // By this clock the next minute is a minute away.
  const jobs = start([{ name: 'one', every: 'day', run: async () => undefined }], { ...systemClock, now: () => 0 });
  await sleep(ms);
  expect(await isLate(jobs.stop(), 20_000)).toBe(false);
});

it('takes over what another process was at when it began, as soon as that one stops', async () => {
  const began: string[] = [];
  const long = (by: string): Job => ({
    name: 'long',
    every: 'day',
    run: async (signal) => {
      began.push(by);
      await new Promise((wake) => signal.addEventListener('abort', wake));
    },
  });
  const old = start([long('old')]);
  await until(() => began.length === 1);
  const beside: string[] = [];
  start([long('new'), { name: 'beside', every: 'day', run: async () => beside.push('ran') }]);
  await until(() => beside.length === 1);
  await new Promise((wake) => setTimeout(wake, 500));
  expect(began).toEqual(['old']);
  await old.stop();
  await until(() => began.length === 2);
  expect(began).toEqual(['old', 'new']);
});

it('waits for a database that is away', async () => {
  const deps = testDeps('postgres://nobody@127.0.0.1:1/nowhere', { clock: systemClock });
  const jobs = createJobs(deps, [{ name: 'one', every: 'day', run: async () => undefined }]);
  jobs.start();
  await until(() => deps.logged.some(({ msg }) => msg === "background jobs can't run yet"));
  await jobs.stop();
  await deps.close();
});

/** Shows the last moments of a minute, whichever is said: the next one always begins soon. */
function clockAt(minutes: () => number): Clock {
  return { now: () => MINUTES_AT + minutes() * 60_000 + 59_950, elapsed: () => performance.now() };
}
const MINUTES_AT = Date.UTC(2026, 10, 23, 12);

it('runs a job once a minute, an hour and a day, however many processes there are', async () => {
  let minute = 0;
  const clock = clockAt(() => minute);
  const ran: Record<string, number> = { minute: 0, hour: 0, day: 0 };
  const list = (['minute', 'hour', 'day'] as const).map(
    (every): Job => ({ name: `each ${every}`, every, run: async () => (ran[every] = (ran[every] ?? 0) + 1) }),
  );
  const first = start(list, clock);
  await until(async () => (await first.status()).every(({ succeededAt }) => succeededAt !== null));
  const ownRuns = { ...ran };
  const second = start(list, clock);
  await until(async () => (await second.status()).every(({ isRunning }) => !isRunning));
  await until(() => (ran['minute'] as number) > (ownRuns['minute'] as number)); // everything runs when a process starts
  await new Promise((wake) => setTimeout(wake, 500));
  const before = { ...ran };
  for (const more of [1, 1, 6, 60, 24 * 60]) {
    minute += more;
    const expected = (ran['minute'] as number) + 1;
    await until(() => ran['minute'] === expected);
    await new Promise((wake) => setTimeout(wake, 300)); // several looks at the clock
    expect(ran['minute']).toBe(expected);
  }
  const more = Object.fromEntries(
    Object.entries(ran).map(([every, times]) => [every, times - (before[every] as number)]),
  );
  expect(more).toEqual({ minute: 5, hour: 3, day: 1 });
});

it('goes on every minute when the clock jumped a day ahead and was put right', async () => {
  let [minute, runs] = [0, 0];
  start(
    [{ name: 'each minute', every: 'minute', run: async () => runs++ }],
    clockAt(() => minute),
  );
  await until(() => runs === 1);
  for (const shown of [24 * 60, 1, 2, -60, 3]) {
    minute = shown;
    const expected = runs + 1;
    await until(() => runs === expected);
  }
});

describe('when connections are lost between jobs', () => {
  const ends = {
    'the one of the locks': `select pg_terminate_backend(pid) from pg_locks
       where locktype = 'advisory' and classid = 711302 and granted
         and database = (select oid from pg_database where datname = current_database())`,
    'all of them': `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()`,
  };
  for (const [title, ending] of Object.entries(ends)) {
    it(`goes on: ${title}`, async () => {
      let runs = 0;
      const jobs = start([{ name: 'one', every: 'day', run: async () => runs++ }]);
      await until(() => runs === 1);
      await until(async () => (await jobs.status())[0]?.isRunning === false);
      expect((await database.query(ending)).length).toBeGreaterThan(0);
      await until(() => runs === 2);
      await until(async () => (await jobs.status())[0]?.isRunning === false);
      expect((await jobs.status())[0]).toMatchObject({ failures: 0, error: null });
      expect(running[0]?.deps.logged.filter(({ msg }) => msg === "background jobs can't run yet")).toHaveLength(1);
    });
  }
});
