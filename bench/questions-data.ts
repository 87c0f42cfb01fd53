/** The data of the questions' bench: a PostgreSQL of its own with one database for each number of events, filled once and kept if wanted. */
import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { type Columns, createColumns } from '#src/columns/columns.ts';
import { loadConfig } from '#src/config.ts';
import { shop } from '#src/demo/shop.ts';
import { createEvents } from '#src/events/events.ts';
import { systemClock } from '#src/kit/clock.ts';
import { createLog } from '#src/kit/log.ts';
import { createPersons } from '#src/persons/persons.ts';
import { createProjects, type Project } from '#src/projects/projects.ts';
import { migrate, openDb, openWritePool } from '#src/store/db.ts';
import type { Deps } from '#src/store/deps.ts';
import type { Sql } from '#src/store/sql.ts';
import { asStarted, openPostgres, type Postgres } from '#test/faults/kit/postgres.ts';
import { fill } from './fill.ts';
import { storeStory } from './story.ts';

/** A server whose memory is a tenth of the machine's: the SQL that it is compared with is to have a fair chance. */
export async function openServer(home: string, port: number): Promise<Postgres> {
  await mkdir(home, { recursive: true });
  await chmod(home, 0o755);
  const memory = { shared_buffers: '2GB' };
  const postgres = await openPostgres(process.cwd(), join(home, 'postgres'), port, memory, asStarted);
  await postgres.start();
  return postgres;
}

export interface Data {
  deps: Deps;
  url: string;
  /** The project that is asked about, with seven tenths of the events. */
  project: Project;
  /** When the newest event was made up. */
  now: number;
  /** Events stored, and those of the project. */
  events: number;
  ofProject: number;
  rows<Row extends object = Record<string, unknown>>(query: Sql): Promise<Row[]>;
  text<Row extends object = Record<string, unknown>>(query: string): Promise<Row[]>;
  close(): Promise<void>;
}

/** Opens the database of so many events, and makes it when it is not there. */
export async function openData(
  postgres: Postgres,
  events: number,
  people: number,
  { days, values }: Pick<Filling, 'days' | 'values'> = {},
): Promise<Data> {
  const name = ['luneta', events, days, values && `values_${values}`].filter((part) => part !== undefined).join('_');
  const admin = new Client({ connectionString: postgres.urlOf('postgres') });
  await admin.connect();
  const exists = (await admin.query('select from pg_database where datname = $1', [name])).rows.length > 0;
  await admin.end();
  if (!exists || !(await isFilled(postgres.urlOf(name)))) await make(postgres, name, { events, people, days, values });
  const deps = openDeps(postgres.urlOf(name));
  // What was kept may be from before the last change.
  await migrate(deps.config, deps.log);
  const raw = new Client({ connectionString: postgres.urlOf(name) });
  // The server may be stopped under it when something went wrong, which is said elsewhere.
  raw.on('error', () => undefined);
  await raw.connect();
  const [known] = (await raw.query('select * from bench_filled')).rows as [
    { project: number; now: number; events: number; own: number },
  ];
  const project = await createProjects(deps).byRef(String(known.project));
  if (project === null) throw new Error('the project is gone');
  return {
    ...{ deps, project, url: postgres.urlOf(name), now: known.now, events: known.events, ofProject: known.own },
    rows: async <Row extends object>(query: Sql) => (await raw.query(query.toPg())).rows as Row[],
    text: async <Row extends object>(query: string) => (await raw.query(query)).rows as Row[],
    async close() {
      await raw.end();
      await Promise.all([deps.db.destroy(), deps.write.end()]);
    },
  };
}

function openDeps(url: string): Deps {
  const config = loadConfig({ DATABASE_URL: url, PUBLIC_APP_URL: 'http://localhost:3000' });
  const log = createLog('warn');
  return { config, log, clock: systemClock, db: openDb(config, log), write: openWritePool(config, log) } as Deps;
}

async function isFilled(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query("select to_regclass('bench_filled') is not null as filled");
  await client.end();
  return (rows[0] as { filled: boolean }).filled;
}

interface Filling {
  events: number;
  people: number;
  /** Of the sample shop, instead of its ninety. */
  days?: number | undefined;
  /** See `FillOptions`. */
  values?: number | undefined;
}

async function make(postgres: Postgres, name: string, { events, people, days, values }: Filling): Promise<void> {
  const begin = performance.now();
  const admin = new Client({ connectionString: postgres.urlOf('postgres') });
  await admin.connect();
  await admin.query(`drop database if exists ${name} with (force)`);
  await admin.query(`create database ${name}`);
  await admin.end();
  const deps = openDeps(postgres.urlOf(name));
  await migrate(deps.config, deps.log);
  const projects = createProjects(deps);
  const own = async () => projects.create({ name: shop.name, timeZone: shop.timeZone });
  const project = await own();
  const others = [
    { project: (await own()).id, share: 0.2 },
    { project: (await own()).id, share: 0.1 },
  ];
  const room = createEvents(deps, { persons: createPersons(deps), projects });
  await room.maintain();
  const now = systemClock.now();
  await storeStory(room, project, now, days);
  await room.stop();
  const client = new Client({ connectionString: postgres.urlOf(name) });
  await client.connect();
  await fill(async (text) => (await client.query(text)).rows ?? [], {
    project: project.id,
    others,
    events,
    people,
    values,
  });
  await client.query(
    `create table bench_filled as
      select ${project.id}::int as project, ${now}::float8 as now, count(*)::float8 as events,
             (count(*) filter (where project_id = ${project.id}))::float8 as own
        from events`,
  );
  await client.end();
  await Promise.all([deps.db.destroy(), deps.write.end()]);
  console.log(`filled with ${events} events in ${((performance.now() - begin) / 1000).toFixed(0)} s`);
}

/** Seals what is not sealed, and says what it cost. @param again everything, from the beginning */
export async function sealEverything({ deps, text }: Data, postgres: Postgres, again: boolean): Promise<void> {
  const columns: Columns = createColumns(deps, { threads: 2 });
  // Nothing else is rebuilt, unlike `rebuild`.
  if (again) await text('truncate chunk_columns, chunks, stale_units; update ingest_epochs set sealed = 0');
  const cpu = process.cpuUsage();
  const begin = performance.now();
  const before = postgres.cpuSeconds();
  const done = await columns.seal();
  const wall = performance.now() - begin;
  const { user, system } = process.cpuUsage(cpu);
  await columns.stop();
  // Until the process of the connection has ended, its time is counted nowhere.
  await sleep(500);
  const server = (postgres.cpuSeconds() - before) * 1e6;
  if (done === null) throw new Error('Another process is sealing');
  if (done.events < 10_000) return; // of hardly any, it says nothing
  const micros = (value: number) => `${(value / done.events).toFixed(1)} µs`;
  console.log(
    [
      `sealing: ${done.events} events, ${done.chunks} chunks, ${(done.bytes / done.events).toFixed(1)} B an event`,
      `  ${micros(wall * 1000)} an event from begin to end, ${micros(user + system + server)} CPU: Node ${micros(user + system)}, PostgreSQL ${micros(server)}`,
    ].join('\n'),
  );
  await text('vacuum analyze chunks, chunk_columns');
}
