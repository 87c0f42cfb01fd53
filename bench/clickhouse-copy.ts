/**
 * How fast stored events are copied to ClickHouse, and queries of both engines side by side, in one run. ClickHouse is the library of `npm run test:clickhouse` on the same machine.
 * `DATABASE_URL=… node build.mjs run bench/clickhouse-copy.ts`, on a database that holds events (such as `KEEP_DB=1 … bench/write.ts` leaves).
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createClickhouse } from '#src/clickhouse/clickhouse.ts';
import { switchProjects } from '#src/clickhouse/state.ts';
import { type Columns, createColumns } from '#src/columns/columns.ts';
import { loadConfig } from '#src/config.ts';
import { systemClock } from '#src/kit/clock.ts';
import { createLog } from '#src/kit/log.ts';
import { migrate, openDb } from '#src/store/db.ts';

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
    await compare(config);
  } finally {
    server.kill('SIGKILL');
    rmSync(home, { recursive: true, force: true });
  }
}

async function compare(config: ReturnType<typeof loadConfig>): Promise<void> {
  const log = createLog('warn');
  await migrate(config, log);
  const db = openDb(config, log);
  const clickhouse = createClickhouse({ config, db, clock: systemClock, log });
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
  const { findings } = await clickhouse.verify();
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
  await clickhouse.stop();
  await columns.stop();
  await db.destroy();
}

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
