/**
 * How fast stored events are copied to ClickHouse, and queries of both engines side by side, in one run. ClickHouse is the library of `npm run test:clickhouse` on the same machine.
 * Then some 200 generated queries over the two largest projects: whether both say the same, and their times, of some also in DuckDB (`npm install --prefix bench/duckdb`).
 * `DATABASE_URL=… node build.mjs run bench/clickhouse-copy.ts`, on a database that holds events (such as `KEEP_DB=1 … bench/write.ts` leaves).
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { isDeepStrictEqual } from 'node:util';
import { type Clickhouse, createClickhouse } from '#src/clickhouse/clickhouse.ts';
import { switchProjects } from '#src/clickhouse/state.ts';
import { type Columns, createColumns } from '#src/columns/columns.ts';
import { loadConfig } from '#src/config.ts';
import { createQueryCache } from '#src/insights/query/cache.ts';
import { runQuery } from '#src/insights/query/run-query.ts';
import { systemClock } from '#src/kit/clock.ts';
import { createLog } from '#src/kit/log.ts';
import { createProjects, type Projects } from '#src/projects/projects.ts';
import { migrate, openDb, openWritePool } from '#src/store/db.ts';
import { generateQueries } from './clickhouse-queries.ts';
import { type Duckdb, openDuckdb } from './duckdb/duckdb.ts';
import { fillDuckdb } from './duckdb/fill.ts';

const DAY_MS = 86_400_000;
const ROUNDS = 5;

async function main(): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'luneta-clickhouse-'));
  const server = spawn(process.execPath, ['--no-warnings', 'test/kit/clickhouse-server.ts', home], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  try {
    let port = '';
    for await (const line of createInterface({ input: server.stdout })) {
      port = line;
      break;
    }
    const { DATABASE_URL } = process.env;
    const config = loadConfig({
      DATABASE_URL,
      PUBLIC_APP_URL: 'http://localhost:3000',
      CLICKHOUSE_URL: `http://127.0.0.1:${port}`,
    });
    await compare(config, home);
  } finally {
    server.kill('SIGKILL');
    rmSync(home, { recursive: true, force: true });
  }
}

async function compare(config: ReturnType<typeof loadConfig>, home: string): Promise<void> {
  const log = createLog('warn');
  await migrate(config, log);
  const db = openDb(config, log);
  const clickhouse = createClickhouse(
    { config, db, clock: systemClock, log },
    {
      onAnswer(by, kind) {
        answers[`${kind} ${by}`] = (answers[`${kind} ${by}`] ?? 0) + 1;
      },
    },
  );
  if (clickhouse === null) throw new Error('no ClickHouse');
  const columns = createColumns({ config, db, clock: systemClock });
  const begin = performance.now();
  const cpu = process.cpuUsage();
  await clickhouse.shipAll();
  const seconds = (performance.now() - begin) / 1000;
  const used = process.cpuUsage(cpu);
  const { events } = await clickhouse.status();
  const micros = (used.user + used.system) / events;
  console.log(
    `copied ${events} events in ${seconds.toFixed(1)} s: ${Math.round(events / seconds)} events/s, ${micros.toFixed(1)} µs of Node an event`,
  );
  const { findings } = await clickhouse.verify(columns);
  console.log(findings.length === 0 ? 'both sides are equal by day and event name' : findings.join('\n'));
  await columns.seal();
  await switchProjects(db, null, true);
  const projects: { id: number }[] = (
    await db.raw('select project_id as id from events group by 1 order by count(*) desc limit 1')
  ).rows;
  for (const [name, ask] of queries(projects[0]?.id ?? 0)) {
    const [own, other] = [
      await median(
        () => ask(columns),
        () => columns.forgetResults(),
      ),
      await median(() => ask(clickhouse.columnsOver(columns))),
    ];
    console.log(
      `${name}: engine ${own.toFixed(0)} ms, nothing of it counted before; ClickHouse ${other.toFixed(0)} ms`,
    );
  }
  const write = openWritePool(config, log);
  const allProjects = createProjects({ db, clock: systemClock, log, write });
  await compareGenerated({ db, clickhouse, columns, projects: allProjects, home });
  await write.end();
  await clickhouse.stop();
  await columns.stop();
  await db.destroy();
}

interface Compared {
  db: ReturnType<typeof openDb>;
  clickhouse: Clickhouse;
  columns: Columns;
  projects: Projects;
  /** Folder for DuckDB's files. */
  home: string;
}

/** Some 180 generated queries over the two largest projects: whether both engines say the same, and the time of each. */
async function compareGenerated({ db, clickhouse, columns, projects, home }: Compared): Promise<void> {
  const rows = async <Row>(text: string) => (await db.raw(text)).rows as Row[];
  const largest = await rows<{ id: number }>(
    'select project_id as id from events group by 1 order by count(*) desc limit 2',
  );
  const sums = { queries: 0, equal: 0, engine: 0, clickhouse: 0 };
  for (const { id } of largest) {
    const project = await projects.byRef(String(id));
    if (project === null) continue;
    const names = await rows<{ name: string }>(
      `select name from event_names join events on events.project_id = event_names.project_id and events.event = number
        where event_names.project_id = ${id} group by 1 order by count(*) desc limit 3`,
    );
    const other = clickhouse.columnsOver(columns);
    const duckdb = await openDuckdb(join(home, `${id}.duckdb`));
    if (duckdb !== null) await fillDuckdb(duckdb, { url: process.env['DATABASE_URL'] ?? '', project: id, home });
    const now = systemClock.now();
    for (const { name, kind, input, duckdb: sqlOf } of generateQueries(names.map((each) => each.name))) {
      const ask = async (over: Columns) => {
        const begin = performance.now();
        const parts = {
          clock: { now: () => now },
          columns: over,
          goals: { get: async () => null, use: async () => null, list: async () => [] },
          cache: createQueryCache({ ...systemClock, now: () => now }, { version: () => null }),
        };
        const found = await runQuery(parts, kind, { ...project, seesPersons: true }, kind.input.parse(input) as never);
        return { found, ms: performance.now() - begin };
      };
      // A copy that is older than a minute is not asked.
      await clickhouse.shipAll();
      columns.forgetResults();
      const [one, two] = [await ask(columns), await ask(other)];
      const isEqual = isDeepStrictEqual(rounded(one.found), rounded(two.found));
      sums.queries++;
      sums.equal += Number(isEqual);
      sums.engine += one.ms;
      sums.clickhouse += two.ms;
      const third = duckdb && sqlOf && (await timeOf(duckdb, sqlOf(spanOf(one.found, now))));
      console.log(
        `${isEqual ? 'equal' : 'NOT EQUAL'} ${name}: engine ${one.ms.toFixed(0)} ms, ClickHouse ${two.ms.toFixed(0)} ms${third ? `, DuckDB ${third.toFixed(0)} ms` : ''}`,
      );
    }
  }
  console.log(
    `${sums.equal} of ${sums.queries} equal; all together: engine ${sums.engine.toFixed(0)} ms, ClickHouse ${sums.clickhouse.toFixed(0)} ms`,
  );
  console.log(`answered: ${JSON.stringify(answers)}`);
}

/** The range of an answer; else the last 30 days. */
function spanOf(found: unknown, now: number): { from: number; until: number } {
  const { range } = found as { range?: { from: number; to: number } };
  return range === undefined
    ? { from: now - 30 * DAY_MS, until: now }
    : { from: range.from, until: Math.min(range.to, now) };
}

async function timeOf(duckdb: Duckdb, statements: readonly string[]): Promise<number> {
  const begin = performance.now();
  for (const statement of statements) await duckdb.rows(statement);
  return performance.now() - begin;
}

/** Sums of fractions depend on their order in the last digits. */
function rounded(value: unknown): unknown {
  if (typeof value === 'number') return Number(value.toPrecision(12));
  if (Array.isArray(value)) return value.map(rounded);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, rounded(each)]));
}

/** Queries by who answered. */
const answers: Record<string, number> = {};

type Asked = Pick<Columns, 'trends' | 'funnel' | 'retention' | 'activity'>;

function queries(projectId: number): [string, (columns: Asked) => Promise<unknown>][] {
  const until = Math.ceil(Date.now() / DAY_MS) * DAY_MS;
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
