/** A process that runs recurring jobs, for killing: `node job-worker.ts DATABASE_URL hang|finish`. */
import { createJobs } from '#src/jobs/jobs.ts';
import { systemClock } from '#src/kit/clock.ts';
import { createLog } from '#src/kit/log.ts';
import { openWritePool } from '#src/store/db.ts';

const [, , databaseUrl = '', mode = 'finish'] = process.argv;
const config = { DATABASE_URL: databaseUrl, DIRECT_DATABASE_URL: undefined };
const log = createLog('silent');
const write = openWritePool(config, log);

/** The effect of a job: idempotent, as all of ours are. */
const note = (name: string) =>
  write.query('insert into effects values ($1, 1) on conflict (name) do update set times = effects.times', [name]);

const jobs = createJobs({ config, write, log, clock: systemClock }, [
  {
    name: 'dying',
    every: 'day',
    async run(signal) {
      await note('begun');
      if (mode === 'hang') await new Promise((resolve) => signal.addEventListener('abort', resolve));
      await write.query(`insert into effects values ('done', 1) on conflict do nothing`);
    },
  },
  {
    name: 'failing',
    every: 'day',
    async run() {
      throw new Error('always');
    },
  },
  {
    name: 'slow',
    every: 'minute',
    async run() {
      await new Promise((resolve) => setTimeout(resolve, 3000));
      await note('slow');
    },
  },
  { name: 'fine', every: 'day', run: () => note('fine') },
]);
jobs.start();

process.on('SIGTERM', () => {
  void jobs.stop().then(() => write.end());
});
