/**
 * How fast stored events are copied to ClickHouse, and queries of both engines side by side, in one run. ClickHouse is the library of `npm run test:clickhouse` on the same machine.
 * Then 206 generated queries of every kind over the two largest projects: whether both say the same, and their times, of some also in DuckDB (`npm install --prefix bench/duckdb`).
 *
 * `node build.mjs run bench/clickhouse-copy.ts --home /a/folder [--events 10000000] [--parts copy,verify,times,queries,summary] [--minutes 6]
 *    [--kinds 'funnel|paths'] [--most 10] [--again] [--batch 100000] [--port 4791]`
 *
 * `--home`: with the database of `bench/questions.ts`, which is made if it is not there; or with that which `DATABASE_URL` names. The copy and what was compared stay
 * there, and the next run goes on with them: `--minutes` ends each part after about so long, `--kinds` takes queries whose project, number and name match, `--most` so many of each kind and project, `--again` those that were compared before, too.
 * `--parts fresh,copy` copies once more from the beginning. `--parts summary` adds up all that was compared.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createClickhouse } from '#src/clickhouse/clickhouse.ts';
import { noteCaughtUp, readState, switchProjects } from '#src/clickhouse/state.ts';
import { type Columns, createColumns } from '#src/columns/columns.ts';
import { loadConfig } from '#src/config.ts';
import { systemClock } from '#src/kit/clock.ts';
import { createLog } from '#src/kit/log.ts';
import { migrate, openDb, openWritePool } from '#src/store/db.ts';
import { cpuSecondsOf, type Postgres } from '#test/faults/kit/postgres.ts';
import { compareGenerated, summarize } from './clickhouse-compare.ts';
import { openData, openServer } from './questions-data.ts';

const DAY_MS = 86_400_000;
const ROUNDS = 5;
const MINUTE_MS = 60_000;

const { values: given } = parseArgs({
  options: {
    home: { type: 'string' },
    events: { type: 'string', default: '10000000' },
    parts: { type: 'string', default: 'copy,verify,times,queries,summary' },
    minutes: { type: 'string' },
    kinds: { type: 'string', default: '' },
    most: { type: 'string' },
    again: { type: 'boolean', default: false },
    batch: { type: 'string' },
    port: { type: 'string', default: '4791' },
  },
});
const parts = new Set(given.parts.split(','));
const limitMs = Number(given.minutes ?? Number.POSITIVE_INFINITY) * MINUTE_MS;
const home = given.home ?? mkdtempSync(join(tmpdir(), 'luneta-clickhouse-'));
/** Of ClickHouse. */
const folder = join(home, `clickhouse-${given.home === undefined ? '' : given.events}`);
const results = `${folder}.jsonl`;

async function main(): Promise<void> {
  if (given.parts === 'summary') return summarize(results);
  const { DATABASE_URL } = process.env;
  const isOwn = given.home !== undefined && DATABASE_URL === undefined;
  const postgres = isOwn ? await openServer(home, Number(given.port)) : null;
  const server = spawn(process.execPath, ['--no-warnings', 'test/kit/clickhouse-server.ts', folder], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  try {
    let port = '';
    for await (const line of createInterface({ input: server.stdout })) {
      port = line;
      break;
    }
    const data = postgres && (await openData(postgres, Number(given.events), Number(given.events) / 100));
    const url = data?.url ?? DATABASE_URL;
    const config = loadConfig({
      DATABASE_URL: url,
      PUBLIC_APP_URL: 'http://localhost:3000',
      CLICKHOUSE_URL: `http://127.0.0.1:${port}`,
    });
    await measure(config, { postgres, server, now: data?.now ?? systemClock.now() });
    await data?.close();
  } finally {
    const ended = new Promise((resolve) => server.once('exit', resolve));
    server.stdin.end();
    await ended;
    await postgres?.stop();
    if (given.home === undefined) rmSync(home, { recursive: true, force: true });
  }
}

interface Place {
  postgres: Postgres | null;
  server: ChildProcess;
  /** When the newest event was made up. */
  now: number;
}

async function measure(config: ReturnType<typeof loadConfig>, { postgres, server, now }: Place): Promise<void> {
  const log = createLog('warn');
  await migrate(config, log);
  const db = openDb(config, log);
  const deps = { config, db, clock: systemClock, log };
  const write = openWritePool(config, log);
  const columns = createColumns(deps);
  try {
    if (parts.has('fresh')) await db.raw('update clickhouse_state set target = null');
    if (parts.has('copy')) await copy(deps, { postgres, server });
    const { caughtUpAt, position, target } = await readState(db);
    if (target === null || position !== null || caughtUpAt === null) return console.log('not everything is copied yet');
    if (parts.has('verify')) {
      await verify(deps, columns);
    }
    await columns.seal();
    await switchProjects(db, null, true);
    if (parts.has('times')) await compareTimes(deps, columns, now);
    if (parts.has('queries')) {
      await compareGenerated({ ...deps, write }, columns, {
        ...{ home, results, now, limitMs, isAgain: given.again },
        ...{ kinds: new RegExp(given.kinds), most: Number(given.most ?? Number.POSITIVE_INFINITY) },
      });
    }
    if (parts.has('summary')) summarize(results);
  } finally {
    await columns.stop();
    await write.end();
    await db.destroy();
  }
}

type CopyDeps = Parameters<typeof createClickhouse>[0];

/** What `npm run verify` does about ClickHouse, with its times. */
async function verify(deps: CopyDeps, columns: Columns): Promise<void> {
  const clickhouse = createClickhouse(deps);
  if (clickhouse === null) throw new Error('no ClickHouse');
  const begin = performance.now();
  const seconds = () => `${((performance.now() - begin) / 1000).toFixed(1)} s`;
  const { events, visits, queries, findings } = await clickhouse.verify(columns, {
    onRows: ({ what, done, all }) => console.log(`  ${seconds()}: ${done} of ${all} ${what}`),
    onKind: ({ project, kind, found }) => console.log(`  ${seconds()}: project ${project}, ${kind}: ${found}`),
  });
  await clickhouse.stop();
  const memory = `${Math.round(process.resourceUsage().maxRSS / 1000)} MB of memory`;
  console.log(
    `verify: ${events} events, ${visits} visits and ${queries} queries in ${seconds()}, ${memory}: ${findings.length === 0 ? 'no differences' : findings.join('\n')}`,
  );
}

/** Says once a minute how far it is, and at the end what an event cost. */
async function copy(deps: CopyDeps, { postgres, server }: Omit<Place, 'now'>): Promise<void> {
  const clickhouse = createClickhouse(deps, { ...(given.batch !== undefined && { batch: Number(given.batch) }) });
  if (clickhouse === null) throw new Error('no ClickHouse');
  const begin = performance.now();
  const usage = () => ({
    node: process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6,
    postgres: postgres?.cpuSeconds() ?? Number.NaN,
    clickhouse: cpuSecondsOf(server.pid ?? 0, false),
  });
  const before = usage();
  const since = systemClock.now();
  const { rows: first, target } = await readState(deps.db);
  clickhouse.start();
  let said = { at: begin, rows: first };
  let state: Awaited<ReturnType<typeof readState>>;
  do {
    await sleep(1000);
    state = await readState(deps.db);
    if (state.error !== null && (state.errorAt ?? 0) > since) throw new Error(state.error);
    const at = performance.now();
    if (at - said.at >= MINUTE_MS) {
      console.log(`  ${state.rows} copied, ${Math.round(((state.rows - said.rows) / (at - said.at)) * 1000)} events/s`);
      said = { at, rows: state.rows };
    }
  } while ((state.caughtUpAt ?? 0) <= since && performance.now() - begin < limitMs);
  const seconds = (performance.now() - begin) / 1000;
  const after = usage();
  // The process of the connection has ended then, whose time counts only afterwards.
  await clickhouse.stop();
  const rows = state.rows - (state.target === target ? first : 0);
  if (rows === 0) return console.log('nothing was left to copy');
  const micros = (part: keyof typeof before) => `${(((after[part] - before[part]) * 1e6) / rows).toFixed(1)} µs`;
  console.log(
    `copied ${rows} events in ${seconds.toFixed(1)} s: ${Math.round(rows / seconds)} events/s; CPU an event: Node ${micros('node')}, PostgreSQL ${micros('postgres')}, ClickHouse ${micros('clickhouse')}; load ${loadavg()[0]?.toFixed(1)}`,
  );
}

/** Some queries of both engines, several times each. */
async function compareTimes(deps: CopyDeps, columns: Columns, now: number): Promise<void> {
  const clickhouse = createClickhouse(deps);
  if (clickhouse === null) throw new Error('no ClickHouse');
  const [largest] = (
    await deps.db.raw('select project_id as id from event_counts group by 1 order by sum(events) desc limit 1')
  ).rows as { id: number }[];
  for (const [name, ask] of queries(largest?.id ?? 0, now)) {
    const own = await median(
      () => ask(columns),
      () => columns.forgetResults(),
    );
    await noteCaughtUp(deps.db, systemClock.now());
    const other = await median(() => ask(clickhouse.columnsOver(columns)));
    console.log(
      `${name}: engine ${own.toFixed(0)} ms, nothing of it counted before; ClickHouse ${other.toFixed(0)} ms`,
    );
  }
  await clickhouse.stop();
}

type Asked = Pick<Columns, 'trends' | 'funnel' | 'retention' | 'activity'>;

function queries(projectId: number, now: number): [string, (columns: Asked) => Promise<unknown>][] {
  const until = Math.ceil(now / DAY_MS) * DAY_MS;
  const edges = Array.from({ length: 91 }, (_, day) => until - (90 - day) * DAY_MS);
  const span = { from: edges[0] as number, until };
  const windows = edges.slice(1).map((end) => ({ from: end - DAY_MS, until: end }));
  const scope = { projectId, filters: null };
  const rulesOf = (name: string) => [{ names: [name], filters: [] }];
  const trends = (measure: 'events' | 'persons') => (columns: Asked) =>
    columns.trends({
      ...scope,
      series: [{ rules: rulesOf('$pageview'), measure, spans: [{ ...span, windows, total: span }] }],
      by: null,
      most: 5,
    });
  const steps = ['$pageview', '$autocapture', '$pageview'].map(rulesOf);
  const funnel = { span, starts: edges.slice(0, -1), earlier: null, steps, optional: [], order: 'ordered' as const };
  const columnsOfDays = windows.map((_, day) => ({ from: day, to: day }));
  return [
    ['trend of events, 90 days', trends('events')],
    ['trend of people, 90 days', trends('persons')],
    [
      'funnel of three steps',
      (columns) =>
        columns.funnel({
          ...scope,
          ...funnel,
          windowMs: 7 * DAY_MS,
          exclusions: [],
          of: 'persons',
          by: null,
          attribution: 'first',
          most: 5,
        }),
    ],
    [
      'retention by days',
      (columns) =>
        columns.retention({
          ...{
            ...scope,
            edges,
            start: rulesOf('$pageview'),
            back: rulesOf('$pageview'),
            kind: 'recurring',
            first: span.from,
          },
          ...{ least: 1, isRolling: false, columns: columnsOfDays, by: null, most: 5 },
        }),
    ],
    [
      'lifecycle by days',
      (columns) => columns.activity({ ...scope, edges, did: rulesOf('$pageview'), minCount: 1, first: span.from }),
    ],
  ];
}

async function median(work: () => Promise<unknown>, before?: () => void): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    before?.();
    const begin = performance.now();
    await work();
    times.push(performance.now() - begin);
  }
  return times.sort((one, other) => one - other)[Math.floor(ROUNDS / 2)] as number;
}

await main();
