/**
 * Duration of splitting an id off a person with many events: until the response, and until the last event is moved.
 * Half of the events are of the id, and each tenth says something of the person. Makes a database of its own and drops it.
 *
 * `node build.mjs run bench/split.ts --home /a/folder [--events 300000]`
 */
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { createColumns } from '#src/columns/columns.ts';
import { loadConfig } from '#src/config.ts';
import { createEvents } from '#src/events/events.ts';
import { createHistory } from '#src/events/history.ts';
import { createInsights } from '#src/insights/insights.ts';
import { systemClock } from '#src/kit/clock.ts';
import { createLog } from '#src/kit/log.ts';
import { createPeople } from '#src/persons/people.ts';
import { createPersons } from '#src/persons/persons.ts';
import { createProfiles } from '#src/profiles/profiles.ts';
import { createProjects } from '#src/projects/projects.ts';
import { migrate, openDb, openWritePool } from '#src/store/db.ts';
import type { Deps } from '#src/store/deps.ts';
import { identify, said } from '#test/persons/history.ts';
import { openServer } from './questions-data.ts';

const { values: given } = parseArgs({
  options: {
    home: { type: 'string', default: '/tmp/luneta-bench' },
    events: { type: 'string', default: '300000' },
    port: { type: 'string', default: '4793' },
  },
});
const wanted = Number(given.events);
const NAME = 'luneta_split';
const BATCH = 1_000;

const postgres = await openServer(given.home, Number(given.port));
const admin = new Client({ connectionString: postgres.urlOf('postgres') });
try {
  await admin.connect();
  await admin.query(`drop database if exists ${NAME} with (force)`);
  await admin.query(`create database ${NAME}`);
  const config = loadConfig({ DATABASE_URL: postgres.urlOf(NAME), PUBLIC_APP_URL: 'http://localhost:3000' });
  const log = createLog('warn');
  const deps = { config, log, clock: systemClock, db: openDb(config, log), write: openWritePool(config, log) } as Deps;
  await migrate(config, log);
  const projects = createProjects(deps);
  const project = await projects.create({ name: 'Shop', timeZone: 'UTC' });
  const events = createEvents(deps, { persons: createPersons(deps), projects });
  const people = createPeople(deps);
  const columns = createColumns(deps, { threads: 0 });
  const profiles = createProfiles(deps, {
    ...{ people, history: createHistory(deps), columns, projects },
    insights: createInsights(deps, { columns, changes: { version: () => null } }),
  });
  await events.maintain();

  const from = systemClock.now() - 20 * 86_400_000;
  await events.store([said({ id: 'phone', ts: from }, project.id)]);
  await events.store([said(identify('user', 'phone', from + 1), project.id)]);
  for (let at = 0; at < wanted; at += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, wanted - at) }, (_, place) => {
      const number = at + place;
      const person = number % 10 === 0 ? { set: { step: number, plan: number % 20 === 0 ? 'pro' : 'free' } } : {};
      return said({ id: number % 2 === 0 ? 'phone' : 'user', ts: from + 1_000 + number * 5_000, person }, project.id);
    });
    await events.store(batch);
  }
  const owner = await people.ofDistinctId(project.id, 'user');
  const current = owner && (await people.current(project.id, [owner.person]));
  if (!current) throw new Error('nobody has the id');
  const countOf = async (which: string) => {
    const client = new Client({ connectionString: postgres.urlOf(NAME) });
    await client.connect();
    const { rows } = await client.query(`select count(*)::int as count from ${which}`);
    await client.end();
    return (rows[0] as { count: number }).count;
  };
  const user = new Client({ connectionString: postgres.urlOf(NAME) });
  await user.connect();
  const { rows } = await user.query(
    `insert into users (uuid, email, email_key, name, language, time_zone, created_at)
     values (gen_random_uuid(), 'a@b.example', 'a@b.example', 'Bench', 'en', 'UTC', to_timestamp(0)) returning id`,
  );
  await user.end();
  const by = { id: (rows[0] as { id: number }).id, name: 'Bench' };
  const begin = performance.now();
  const asked = { person: current.uuid, distinctId: 'phone' };
  await profiles.splits.split(project.id, asked, by, async () => undefined);
  const answered = performance.now();
  while ((await countOf('person_splits where moved_at is null')) > 0) await profiles.splits.work();
  const moved = performance.now();
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
  console.log(
    `${await countOf('events')} events: answered after ${seconds(answered - begin)}, all moved after ${seconds(moved - begin)}`,
  );
  await columns.stop();
  await events.stop();
  await Promise.all([deps.db.destroy(), deps.write.end()]);
} finally {
  await admin.query(`drop database if exists ${NAME} with (force)`).catch(() => undefined);
  await admin.end();
  await postgres.stop();
}
process.exit(0);
