/**
 * How long the questions of the screens take in the columns engine, beside the same questions as plain SQL on the rows and, where it is
 * installed (`npm install --prefix bench/duckdb`), in DuckDB on the same data; and what sealing costs. The sample shop's ninety days, and copies
 * of them by other people.
 *
 * `node build.mjs run bench/questions.ts [--events 1000000] [--runs 15] [--cold 5] [--other 0.3]`
 *
 * Works in a database of its own on DATABASE_URL's server, else on a PostgreSQL of its own. `--other`: share of events in a second project.
 */
import { createWriteStream } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { Client, Pool } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { createLookups } from '#src/collect/lookups.ts';
import type { StepContext } from '#src/collect/steps/draft.ts';
import { createGroupCache } from '#src/collect/steps/group-cache.ts';
import { runSteps } from '#src/collect/steps.ts';
import { type Columns, createColumns } from '#src/columns/columns.ts';
import type { Filters } from '#src/columns/contract.ts';
import { loadConfig } from '#src/config.ts';
import { shop } from '#src/demo/shop.ts';
import { tellStory } from '#src/demo/story.ts';
import { browserEvents, serverEvents } from '#src/demo/wire.ts';
import { eventMarks, type FinishedEvent } from '#src/events/contract.ts';
import { createEvents } from '#src/events/events.ts';
import { askBreakdown } from '#src/insights/breakdown.ts';
import { askOverview } from '#src/insights/overview.ts';
import { systemClock } from '#src/kit/clock.ts';
import type { JsonValue } from '#src/kit/json.ts';
import { createLog } from '#src/kit/log.ts';
import { createPersons } from '#src/persons/persons.ts';
import { createProjects, type Project } from '#src/projects/projects.ts';
import { migrate, openDb, openWritePool } from '#src/store/db.ts';
import { type Sql, sql } from '#src/store/sql.ts';
import { openPostgres, type Postgres } from '#test/faults/kit/postgres.ts';
import { type Duckdb, openDuckdb } from './duckdb/duckdb.ts';
import * as plain from './questions-sql.ts';

const { values: given } = parseArgs({
  options: {
    events: { type: 'string', default: '1000000' },
    runs: { type: 'string', default: '15' },
    cold: { type: 'string', default: '5' },
    other: { type: 'string', default: '0.3' },
  },
});
const wanted = Number(given.events);
const runs = Number(given.runs);
const name = 'luneta_bench_questions';
const log = createLog('warn');
const now = systemClock.now();
const DAY_MS = 86_400_000;

const home = await mkdtemp(join(tmpdir(), 'luneta-bench-'));
await chmod(home, 0o755);
let postgres: Postgres | null = null;
if (!process.env['DATABASE_URL']) {
  postgres = await openPostgres(process.cwd(), join(home, 'postgres'), 4791);
  await postgres.start();
}
const adminUrl = process.env['DATABASE_URL'] ?? (postgres as Postgres).urlOf('postgres');
const admin = new Pool({ connectionString: adminUrl, max: 1 });
await admin.query(`drop database if exists ${name} with (force)`);
await admin.query(`create database ${name}`);
const url = new URL(adminUrl);
url.pathname = `/${name}`;
const config = loadConfig({ DATABASE_URL: url.href, PUBLIC_APP_URL: 'http://localhost:3000' });
await migrate(config, log);
const deps = { config, log, clock: systemClock, db: openDb(config, log), write: openWritePool(config, log) };
const raw = new Client({ connectionString: url.href });
await raw.connect();
const projects = createProjects(deps);
const project = await makeProject();
const events = createEvents(deps, { persons: createPersons(deps), projects });

try {
  await fill();
  await sealEverything();
  await askEverything(await fillDuckdb());
} finally {
  await events.stop();
  await raw.end();
  await Promise.all([deps.db.destroy(), deps.write.end()]);
  if (process.env['KEEP_DB'] !== '1') await admin.query(`drop database ${name} with (force)`);
  await admin.end();
  await postgres?.stop();
  await rm(home, { recursive: true, force: true });
}
process.exit(0);

// -------------------------------------------------------------------------------------------------------------- filling

async function makeProject(): Promise<Project> {
  return projects.create({ name: shop.name, timeZone: shop.timeZone });
}

async function fill(): Promise<void> {
  await events.maintain();
  await storeStory(project);
  const [{ count }] = (await rowsOf<{ count: number }>(sql`select count(*)::int as count from events`)) as [
    { count: number },
  ];
  const copies = Math.max(1, Math.round(wanted / count));
  const others = Math.round(copies * Number(given.other));
  const [most] = await rowsOf<{ person: number; session: number }>(
    sql`select max(person)::int as person, max(session_id)::int as session from events`,
  );
  const { person, session } = most as { person: number; session: number };
  let otherProject = project.id as number;
  if (others > 0) {
    otherProject = (await makeProject()).id;
    for (const table of [
      'event_names (project_id, number, name, first_seen, last_seen)',
      'property_groups (project_id, kind, number, hash, properties)',
    ]) {
      const columns = /\((.*)\)/.exec(table)?.[1] as string;
      await raw.query(
        `insert into ${table} select ${columns.replace('project_id', String(otherProject))} from ${table.split(' ')[0]} where project_id = ${project.id}`,
      );
    }
  }
  for (let copy = 1; copy < copies; copy++) {
    const to = copy < copies - others ? (project.id as number) : otherProject;
    await copyRows(to, copy * person, copy * session, copy * 7, { person, session });
  }
  await raw.query('vacuum analyze events, sessions, property_groups, event_names');
}

/** The sample shop's events, as the collector finishes them; a third of them carry a property that is in no group. */
async function storeStory({ id, timeZone, settings }: Project): Promise<void> {
  const facts = {
    ...{ receivedAt: now, sentAt: now, address: '177.32.1.1', userAgent: 'Mozilla/5.0', origin: null },
    ...{
      historical: true,
      unclean: false,
      maxEventLength: 1024 * 1024,
      small: true,
      optedOut: false,
      doNotTrack: false,
    },
  };
  const context: StepContext = {
    project: { id, timeZone, settings },
    facts,
    lookups: await createLookups(),
    cache: createGroupCache(),
    salts: new Map(),
    warn: () => undefined,
  };
  let number = 0;
  for (const day of tellStory(now)) {
    const finished: FinishedEvent[] = [...browserEvents(day, 'bench'), ...serverEvents(day, now)].map((sent) => {
      const event = runSteps(sent as unknown as JsonValue, context);
      if ('drop' in event) throw new Error(`dropped: ${event.drop}`);
      number++;
      const properties =
        number % 3 === 0 ? { ...event.properties, experiment: number % 2 ? 'A' : 'B' } : event.properties;
      // As if each had come when it happened.
      return { ...event, properties, receivedAt: event.ts, marks: event.marks & ~eventMarks.historical };
    });
    for (let at = 0; at < finished.length; at += 1_000) await events.store(finished.slice(at, at + 1_000));
  }
}

/** The same by other people, a few seconds later. */
async function copyRows(
  to: number,
  persons: number,
  sessions: number,
  seconds: number,
  most: { person: number; session: number },
): Promise<void> {
  const visit = 'distinct_id, device, geo, source, entry_page, exit_page, views, screens, autocaptures, events, bot';
  const of = `from sessions where project_id = ${project.id} and id <= ${most.session}`;
  await raw.query(`
    insert into sessions (project_id, id, first_ts, last_ts, uuid, first_uuid, person, ${visit})
    overriding system value
    select ${to}, id + ${sessions}, first_ts + interval '${seconds} s', last_ts + interval '${seconds} s', gen_random_uuid(), first_uuid, person + ${persons}, ${visit} ${of}`);
  const columns =
    'received_at, distinct_id, event, page, device, source, geo, flags, elements, epoch, marks, properties';
  await raw.query(`
    insert into events (project_id, ts, uuid, person, session_id, ${columns})
    select ${to}, ts + interval '${seconds} s', gen_random_uuid(), person + ${persons}, session_id + ${sessions}, ${columns}
      from events where project_id = ${project.id} and person <= ${most.person}`);
}

async function sealEverything(): Promise<void> {
  const columns = createColumns(deps, { threads: 2 });
  const cpu = process.cpuUsage();
  const begin = performance.now();
  const serverBefore = postgres?.cpuSeconds() ?? 0;
  const done = await columns.seal();
  const server = ((postgres?.cpuSeconds() ?? 0) - serverBefore) * 1e6;
  const wall = performance.now() - begin;
  const { user, system } = process.cpuUsage(cpu);
  if (done === null) throw new Error('somebody else seals');
  const micros = (value: number) => `${(value / done.events).toFixed(1)} µs`;
  console.log(
    `sealing: ${done.events} events, ${done.chunks} chunks, ${(done.bytes / done.events).toFixed(1)} B an event`,
  );
  console.log(
    `         ${micros(wall * 1000)} an event from begin to end, ${micros(user + system)} CPU of Node, ${micros(server)} of PostgreSQL`,
  );
  await columns.stop();
  await raw.query('vacuum analyze chunks, chunk_columns');
}

async function fillDuckdb(): Promise<Duckdb | null> {
  const duckdb = await openDuckdb(join(home, 'bench.duckdb'));
  if (duckdb === null) {
    console.log('DuckDB is not installed: without it');
    return null;
  }
  for (const [table, query] of [
    ['events', plain.exportSql(project.id)],
    ['sessions', plain.exportSessionsSql(project.id)],
  ] as const) {
    const file = join(home, `${table}.csv`);
    const { text, values } = query.toPg();
    const written = text.replace(/\$(\d+)/g, (_, place) => String(values[Number(place) - 1]));
    await raw.query("set timezone = 'UTC'");
    await pipeline(raw.query(copyTo(`copy (${written}) to stdout (format csv, header)`)), createWriteStream(file));
    await duckdb.run(
      `create table ${table} as select * from read_csv('${file}', header = true, types = {${table === 'events' ? "'ts': 'TIMESTAMPTZ'" : "'first_ts': 'TIMESTAMPTZ', 'last_ts': 'TIMESTAMPTZ'"}})`,
    );
  }
  await duckdb.run('set threads = 2');
  return duckdb;
}

// --------------------------------------------------------------------------------------------------------------- asking

interface Asked {
  title: string;
  engine(columns: Columns): Promise<unknown>;
  sql: Sql[];
  duckdb: string[];
  /** What all must say. */
  same(answer: never, rows: Record<string, unknown>[][]): boolean;
}

async function askEverything(duckdb: Duckdb | null): Promise<void> {
  console.log(
    '\nmedian and 95th percentile in ms. "again": partial results are kept; "cold": nothing is, but the threads have begun; CPU of Node',
  );
  console.log(
    `${'question'.padEnd(46)} ${['engine again', 'engine new', 'engine cold', 'SQL on rows', 'DuckDB', 'CPU new / cold'].map((title) => title.padStart(15)).join(' ')}`,
  );
  const columns = createColumns(deps);
  for (const asked of questions()) await ask(asked, columns, duckdb);
  console.log(`\nkept in memory: ${(columns.cachedBytes() / 1024 / 1024).toFixed(0)} MB`);
  await columns.stop();
}

async function ask(asked: Asked, columns: Columns, duckdb: Duckdb | null): Promise<void> {
  await asked.engine(columns);
  const again = await timesOf(runs, () => asked.engine(columns));
  const before = process.cpuUsage();
  const fresh = await timesOf(runs, () => {
    columns.forgetResults();
    return asked.engine(columns);
  });
  const freshCpu = cpuMs(before) / runs;
  const cold: number[] = [];
  let coldCpu = 0;
  for (let run = 0; run < Number(given.cold); run++) {
    const another = createColumns(deps);
    await beginThreads(another);
    const cpu = process.cpuUsage();
    cold.push(...(await timesOf(1, () => asked.engine(another))));
    coldCpu += cpuMs(cpu) / Number(given.cold);
    await another.stop();
  }
  cold.sort((one, other) => one - other);
  const answers: Record<string, unknown>[][] = [];
  const onRows = await timesOf(Math.min(runs, 5), async () => {
    answers.splice(0);
    for (const each of asked.sql) answers.push(await rowsOf(each));
  });
  const inDuckdb: Record<string, unknown>[][] = [];
  const duck = duckdb
    ? await timesOf(runs, async () => {
        inDuckdb.splice(0);
        for (const text of asked.duckdb) inDuckdb.push(await duckdb.rows(text));
      })
    : [];
  const answer = (await asked.engine(columns)) as never;
  for (const [who, rows] of [
    ['SQL', answers],
    ['DuckDB', inDuckdb],
  ] as const) {
    if (rows.length > 0 && !asked.same(answer, rows))
      console.log(`  ${who} says something else: ${JSON.stringify(rows).slice(0, 300)}`);
  }
  console.log(
    `${asked.title.padEnd(46)} ${[again, fresh, cold, onRows, duck].map(shown).join(' ')} ${`${freshCpu.toFixed(1)} / ${coldCpu.toFixed(1)}`.padStart(15)}`,
  );
}

function questions(): Asked[] {
  const condition = (conditionName: string, value: string): Filters => ({
    match: 'all',
    of: [{ about: 'event', name: conditionName, operator: 'is', values: [value] }],
  });
  const browser: plain.Kept = {
    postgres: sql`device in (select number from property_groups d where d.project_id = ${project.id} and kind = 2 and properties ->> '$browser' = 'Safari')`,
    duckdb: "browser = 'Safari'",
  };
  const experiment: plain.Kept = { postgres: sql`e.properties ->> 'experiment' = 'A'`, duckdb: "experiment = 'A'" };
  const filtered: [string, Filters | undefined, plain.Kept | null][] = [
    ['', undefined, null],
    [', browser is Safari (group)', condition('$browser', 'Safari'), browser],
    [', experiment is A (other)', condition('experiment', 'A'), experiment],
  ];
  return [28, 90].flatMap((days) =>
    filtered.flatMap(([title, filters, kept]) => [
      overviewOf(days, title, filters, kept),
      pagesOf(days, title, filters, kept),
    ]),
  );
}

/** Days of the shop's time zone, all of them over. */
function spansOf(days: number): { range: { from: string; to: string }; span: plain.Span; before: plain.Span } {
  const offset = 3 * 3_600_000;
  const until = Math.floor((now - offset) / DAY_MS) * DAY_MS + offset;
  const from = until - days * DAY_MS;
  const date = (ms: number) => new Date(ms - offset).toISOString().slice(0, 10);
  return {
    range: { from: date(from), to: date(until - 1) },
    span: { from, until },
    before: { from: from - days * DAY_MS, until: from },
  };
}

function overviewOf(days: number, title: string, filters: Filters | undefined, kept: plain.Kept | null): Asked {
  const { range, span, before } = spansOf(days);
  const input = { range, compare: 'previous' as const, ...(filters && { filters }) };
  return {
    title: `overview and its comparison, ${days} days${title}`,
    engine: (columns) => askOverview(columns, project, input, now),
    sql: [span, before].flatMap((each) => [
      plain.viewsSql(project.id, each, kept),
      plain.visitsSql(project.id, each, kept),
    ]),
    duckdb: [span, before].flatMap((each) => [plain.duckViewsSql(each, kept), plain.duckVisitsSql(each, kept)]),
    same({ metrics }: Awaited<ReturnType<typeof askOverview>>, [views, visits]) {
      const [{ visitors, views: count }, { visits: visited, bounced, seconds }] = [views?.[0] ?? {}, visits?.[0] ?? {}];
      const { bounceRate, visitDuration } = metrics;
      return (
        metrics.visitors.value === visitors &&
        metrics.views.value === count &&
        metrics.visits.value === visited &&
        bounceRate.parts?.numerator === bounced &&
        Math.abs((visitDuration.parts?.numerator ?? 0) - Number(seconds)) < 1
      );
    },
  };
}

function pagesOf(days: number, title: string, filters: Filters | undefined, kept: plain.Kept | null): Asked {
  const { range, span } = spansOf(days);
  const input = { range, compare: 'none' as const, dimension: 'page' as const, limit: 8, ...(filters && { filters }) };
  return {
    title: `pages, ${days} days${title}`,
    engine: (columns) => askBreakdown(columns, project, input, now),
    sql: [plain.pagesSql(project.id, span, kept)],
    duckdb: [plain.duckPagesSql(span, kept)],
    same: ({ rows }: Awaited<ReturnType<typeof askBreakdown>>, [pages]) =>
      JSON.stringify(rows.map(([, visitors, count]) => [visitors, count])) ===
      JSON.stringify(pages?.map(({ visitors, count }) => [visitors, count])),
  };
}

async function rowsOf<Row extends object = Record<string, unknown>>(query: Sql): Promise<Row[]> {
  return (await raw.query(query.toPg())).rows as Row[];
}

async function timesOf(count: number, work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let run = 0; run < count; run++) {
    const begin = performance.now();
    await work();
    times.push(performance.now() - begin);
  }
  return times.sort((one, other) => one - other);
}

/** So that they are not begun by what is measured. */
async function beginThreads(columns: Columns): Promise<void> {
  const spans = [{ from: 0, until: 1, starts: [] }];
  const question = { projectId: 0, views: [], filters: null, spans };
  await Promise.all([columns.series(question), columns.series(question), columns.series(question)]);
}

function cpuMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
}

function shown(times: number[]): string {
  if (times.length === 0) return '-'.padStart(15);
  const at = (share: number) => (times[Math.ceil(share * (times.length - 1))] as number).toFixed(1);
  return `${at(0.5)} / ${at(0.95)}`.padStart(15);
}
