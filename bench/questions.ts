/**
 * How long the questions of the screens take, on the sample shop's ninety days and on many times as much: each procedure's room
 * function, on its own, one after the other. Nothing is kept between two runs of a question.
 * `DATABASE_URL=… node_modules/.bin/node bench/questions.ts [times as much …]`: works in a database of its own on that server.
 */
import { readFileSync } from 'node:fs';
import { Pool } from 'pg';
import { createLookups } from '#src/collect/lookups.ts';
import type { StepContext } from '#src/collect/steps/draft.ts';
import { createGroupCache } from '#src/collect/steps/group-cache.ts';
import { runSteps } from '#src/collect/steps.ts';
import { loadConfig } from '#src/config.ts';
import { shop } from '#src/demo/shop.ts';
import { tellStory } from '#src/demo/story.ts';
import { browserEvents, serverEvents } from '#src/demo/wire.ts';
import { eventMarks, type FinishedEvent } from '#src/events/contract.ts';
import { createEvents } from '#src/events/events.ts';
import { createLive } from '#src/events/live.ts';
import { askBreakdown } from '#src/insights/breakdown.ts';
import type { RangePreset } from '#src/insights/contract.ts';
import { askOverview } from '#src/insights/overview.ts';
import { systemClock } from '#src/kit/clock.ts';
import type { JsonValue } from '#src/kit/json.ts';
import { createLog } from '#src/kit/log.ts';
import { createPersons } from '#src/persons/persons.ts';
import { createProjects, type Project } from '#src/projects/projects.ts';
import { migrate, openDb, openWritePool } from '#src/store/db.ts';

const sizes = process.argv.slice(2).map(Number);
const runs = 15;
const warmUps = 3;
const adminUrl = process.env['DATABASE_URL'];
if (!adminUrl) throw new Error('Set DATABASE_URL to a PostgreSQL server on which a database may be made.');
const name = 'luneta_bench_questions';
const log = createLog('warn');
const end = systemClock.now();

const admin = new Pool({ connectionString: adminUrl, max: 1 });
await admin.query(`drop database if exists ${name} with (force)`);
await admin.query(`create database ${name}`);
const url = new URL(adminUrl);
url.pathname = `/${name}`;
const config = loadConfig({ DATABASE_URL: url.href, PUBLIC_APP_URL: 'http://localhost:3000' });
await migrate(config, log);
const deps = { config, log, clock: systemClock, db: openDb(config, log), write: openWritePool(config, log) };
const projects = createProjects(deps);
const project = await projects.create({ name: shop.name, timeZone: shop.timeZone });
const events = createEvents(deps, { persons: createPersons(deps), projects });
await events.maintain();
await storeStory(project);

let stored = 1;
for (const size of sizes.length === 0 ? [1] : sizes) {
  await growTo(size);
  await askEverything(size);
}

await events.stop();
await Promise.all([deps.db.destroy(), deps.write.end()]);
if (process.env['KEEP_DB'] !== '1') await admin.query(`drop database ${name} with (force)`);
await admin.end();

/** The sample shop's events, as the collector finishes them. */
async function storeStory({ id, timeZone, settings }: Project): Promise<void> {
  const facts = {
    ...{ receivedAt: end, sentAt: end, address: '177.32.1.1', userAgent: 'Mozilla/5.0', origin: null },
    ...{ historical: true, unclean: false, maxEventLength: 1024 * 1024, small: true },
  };
  const context: StepContext = {
    project: { id, timeZone, settings },
    facts,
    lookups: await createLookups(),
    cache: createGroupCache(),
    salts: new Map(),
    warn: () => undefined,
  };
  for (const day of tellStory(end)) {
    const finished: FinishedEvent[] = [...browserEvents(day, 'bench'), ...serverEvents(day, end)].map((sent) => {
      const event = runSteps(sent as unknown as JsonValue, context);
      if ('drop' in event) throw new Error(`dropped: ${event.drop}`);
      // As if each had come when it happened.
      return { ...event, receivedAt: event.ts, marks: event.marks & ~eventMarks.historical };
    });
    for (let at = 0; at < finished.length; at += 1_000) await events.store(finished.slice(at, at + 1_000));
  }
}

/** More of the same by other people: copies of all rows under other numbers, a few seconds apart. */
async function growTo(size: number): Promise<void> {
  const columns =
    'received_at, project_id, distinct_id, event, page, device, source, geo, flags, elements, epoch, marks';
  const visit =
    'project_id, distinct_id, device, geo, source, entry_page, exit_page, views, screens, autocaptures, events, bot';
  const people = 1_000_000;
  for (; stored < size; stored++) {
    const by = [stored * people, stored * 7];
    await deps.write.query({
      text: `insert into sessions (first_ts, last_ts, uuid, first_uuid, person, ${visit})
        select first_ts + make_interval(secs => $2), last_ts + make_interval(secs => $2), gen_random_uuid(), first_uuid, person + $1, ${visit}
        from sessions where person < ${people}`,
      values: by,
    });
    await deps.write.query({
      text: `insert into events (ts, uuid, person, ${columns})
        select ts + make_interval(secs => $2), gen_random_uuid(), person + $1, ${columns}
        from events where person < ${people}`,
      values: by,
    });
  }
  await deps.write.query('vacuum analyze events, sessions');
}

async function askEverything(size: number): Promise<void> {
  const { rows } = await deps.write.query(
    'select (select count(*) from events) as events, (select count(*) from sessions) as visits',
  );
  console.log(`\n${size} × the sample shop: ${rows[0].events} events, ${rows[0].visits} visits, ninety days`);
  console.log('question                                     median      p95  PostgreSQL CPU');
  const overview = (range: RangePreset) => () => askOverview(deps.db, project, { range, compare: 'previous' }, end);
  const table = (dimension: 'page' | 'referringDomain', range: RangePreset) => () =>
    askBreakdown(deps.db, project, { dimension, range, compare: 'previous', limit: 8 }, end);
  const ranges = ['today', 'last_7_days', 'last_28_days', 'last_90_days'] as const;
  for (const range of ranges) await measure(`overview, ${range}`, overview(range));
  for (const range of ['last_28_days', 'last_90_days'] as const) {
    await measure(`pages, ${range}`, table('page', range));
    await measure(`referring domains, ${range}`, table('referringDomain', range));
  }
  await measure('the whole screen, last_28_days', () =>
    Promise.all([
      overview('last_28_days')(),
      table('page', 'last_28_days')(),
      table('referringDomain', 'last_28_days')(),
    ]),
  );
  await measure('live: first page and summary', async () => {
    const live = createLive(deps);
    await live.snapshot(project.id);
    await live.stop();
  });
}

async function measure(question: string, ask: () => Promise<unknown>): Promise<void> {
  const times: number[] = [];
  for (let run = 0; run < warmUps; run++) await ask();
  const before = await postgresCpuMs();
  for (let run = 0; run < runs; run++) {
    const begin = performance.now();
    await ask();
    times.push(performance.now() - begin);
  }
  const after = await postgresCpuMs();
  const cpu = [...after].reduce((sum, [pid, ms]) => sum + ms - (before.get(pid) ?? 0), 0) / runs;
  times.sort((one, other) => one - other);
  const at = (share: number) => times[Math.floor(share * (times.length - 1))] as number;
  const columns = [at(0.5), at(0.95), cpu].map((ms) => `${ms.toFixed(1)} ms`.padStart(10));
  console.log(`${question.padEnd(40)} ${columns.join(' ')}`);
}

/** What each of the server's processes for this database has spent so far; nothing where /proc does not tell. */
async function postgresCpuMs(): Promise<Map<number, number>> {
  const { rows } = await deps.write.query<{ pid: number }>('select pid from pg_stat_activity where datname = $1', [
    name,
  ]);
  const spent = new Map<number, number>();
  for (const { pid } of rows) {
    try {
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
      spent.set(pid, (Number(fields[11]) + Number(fields[12])) * 10);
    } catch (error) {
      log.debug({ err: error, pid }, 'another system, or a server elsewhere');
    }
  }
  return spent;
}
