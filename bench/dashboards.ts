/**
 * Dashboards of many people while events arrive, a page shared by link, and alerts. The built server, with sealing in it.
 *
 * `node build.mjs run bench/dashboards.ts [--home /a/folder] [--events 10000000] [--rate 1000] [--seconds 20] [--people 20] [--alerts 1000] [--cache MB]`
 *
 * `--home`: what `bench/questions.ts` was filled with is used, and gets the events and dashboards of this bench as well.
 */
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { evaluateDue } from '#src/alerts/evaluate.ts';
import { createLedger } from '#src/alerts/ledger.ts';
import { createColumns } from '#src/columns/columns.ts';
import { createInsights } from '#src/insights/insights.ts';
import { fixedClock, systemClock } from '#src/kit/clock.ts';
import { writeBodies } from './ingest-bodies.ts';
import { send } from './ingest-sending.ts';
import { type Data, openData, openServer, sealEverything } from './questions-data.ts';
import { type Opened, openScreen } from './questions-screen.ts';

const { values: given } = parseArgs({
  options: {
    home: { type: 'string' },
    events: { type: 'string', default: '10000000' },
    rate: { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '20' },
    people: { type: 'string', default: '20' },
    alerts: { type: 'string', default: '1000' },
    cache: { type: 'string' },
    port: { type: 'string', default: '4794' },
  },
});
const [rate, seconds, people] = [Number(given.rate), Number(given.seconds), Number(given.people)];
const BATCH = 10;
/** What a person looks at before the page is opened again. */
const LOOKING_MS = 15_000;
const HOUR_MS = 3_600_000;
/** What a tile with a number has, and its skeleton has not. */
const NUMBER = '<b class="num">';
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';

const home = given.home ?? (await mkdtemp(join(tmpdir(), 'luneta-bench-')));
await mkdir(home, { recursive: true });
await chmod(home, 0o755);
const postgres = await openServer(home, Number(given.port));
try {
  const data = await openData(postgres, Number(given.events), Number(given.events) / 100);
  await sealEverything(data, postgres, false);
  const options = { days: 90, folder: home, port: Number(given.port) + 1 };
  const screen = await openScreen(data, options, 0, {
    JOBS: 'web',
    TRUST_PROXY: '1',
    ...(given.cache !== undefined && { COLUMN_CACHE_MB: given.cache }),
  });
  const dashboards = await insertDashboards(data);
  console.log(`${data.events} events stored, ${people} dashboards of 12 tiles over 28 days`);
  await sleep(3_000);
  await measurePeople(screen, dashboards, 'nothing arrives', null);
  await measurePeople(screen, dashboards, `${rate} events/s arrive`, rate);
  await measureShared(screen, dashboards[0] ?? 0);
  console.log(`memory of the server: ${screen.server.rssMb().toFixed(0)} MB`);
  await screen.server.end('SIGTERM');
  await measureAlerts(data, Number(given.alerts));
  await data.close();
} finally {
  await postgres.stop();
  if (given.home === undefined) await rm(home, { recursive: true, force: true });
}
process.exit(0);

/** One per person, each with a different filter, so that no two share answers. @returns their ids */
async function insertDashboards({ text, project }: Data): Promise<number[]> {
  const number = (metric: string) => ({ kind: 'metric', metric, width: 3, height: 1 });
  const table = (dimension: string) => ({ kind: 'breakdown', dimension, width: 4, height: 2 });
  const tiles = [
    ...['visitors', 'visits', 'views', 'bounceRate'].map(number),
    ...['channel', 'source', 'page', 'country', 'deviceType', 'browser', 'entryPage'].map(table),
    { kind: 'heatmap', width: 8, height: 2 },
  ].map((tile, at) => ({ id: `tile-${at}`, ...tile }));
  await text(`delete from dashboards where project_id = ${project.id} and name like 'Bench %'`);
  const ids: number[] = [];
  for (let person = 0; person < people; person++) {
    const filters = {
      match: 'all',
      of: [{ about: 'event', name: '$pathname', operator: 'notEquals', values: [`/nothing-${person}`] }],
    };
    const content = { version: 1, tiles, range: 'last_28_days', compare: 'previous', filters };
    const [row] = await text<{ id: number }>(
      `insert into dashboards (project_id, name, description, tags, content, owner, created_at, changed_at, revision)
       values (${project.id}, 'Bench ${person}', '', '{}', '${JSON.stringify(content)}', 1, now(), now(), 1) returning id`,
    );
    ids.push(row?.id ?? 0);
  }
  return ids;
}

interface Looked {
  /** Ms until the first tile was there, and all of them. */
  first: number;
  all: number;
}

async function openDashboard({ server, cookie, data }: Opened, id: number): Promise<Looked> {
  const begin = performance.now();
  const headers = { cookie, 'user-agent': BROWSER, 'accept-encoding': 'identity' };
  const answer = await fetch(`${server.url}/project/${data.project.id}/dashboards/${id}`, {
    headers,
    redirect: 'manual',
  });
  if (answer.status !== 200 || answer.body === null) throw new Error(`dashboard ${id} was answered ${answer.status}`);
  let first = Number.NaN;
  let html = '';
  for await (const chunk of answer.body.pipeThrough(new TextDecoderStream())) {
    html += chunk;
    if (Number.isNaN(first) && html.includes(NUMBER)) first = performance.now() - begin;
  }
  if (Number.isNaN(first)) throw new Error(`dashboard ${id} has no number`);
  return { first, all: performance.now() - begin };
}

/** @param arriving events per second meanwhile; null: none */
async function measurePeople(screen: Opened, ids: readonly number[], title: string, arriving: number | null) {
  const over = new AbortController();
  const looked: Looked[] = [];
  const cpu = screen.server.cpuSeconds();
  const looking = ids.map(async (id, person) => {
    // People do not come at one moment.
    await sleep((person * LOOKING_MS) / ids.length);
    while (!over.signal.aborted) {
      looked.push(await openDashboard(screen, id));
      await sleep(LOOKING_MS, undefined, { signal: over.signal }).catch(() => undefined); // it is over
    }
  });
  const sending = arriving === null ? await sleep(seconds * 1000) : await sendEvents(screen, arriving);
  over.abort();
  await Promise.all(looking);
  const acknowledged = sending ? `, acknowledged p99 ${sending.p99.toFixed(1)} ms` : '';
  console.log(
    `  ${title}: ${looked.length} pages, first tile ${shown(looked.map(({ first }) => first))} ms, all ${shown(looked.map(({ all }) => all))} ms (p50 / p95); ` +
      `Node ${(screen.server.cpuSeconds() - cpu).toFixed(1)} s of CPU${acknowledged}; load ${loadavg()[0]?.toFixed(1)}`,
  );
}

async function sendEvents({ server, data }: Opened, perSecond: number) {
  const [{ token }] = (await data.text(
    `select token from project_tokens where project_id = ${data.project.id} limit 1`,
  )) as [{ token: string }];
  const file = join(home, 'dashboard-bodies');
  const nowMs = systemClock.now();
  const bodies = Math.ceil((seconds * perSecond) / BATCH) + 20;
  writeBodies(file, { token, from: Math.floor(nowMs / 10) % 1_000_000_000, bodies, perBody: BATCH, nowMs });
  const url = `${server.url}/ingest/batch/`;
  const sending = await send({ url, file, perBody: BATCH, connections: 64, rate: perSecond, seconds });
  await rm(file);
  return sending;
}

/** As many requests as there are answers, by 8 connections; each from another client address, since a client may ask 120 times a minute. */
async function measureShared({ server, cookie, data }: Opened, dashboard: number): Promise<void> {
  const settings = {
    expiresAt: null,
    open: false,
    filters: [],
    language: 'en',
    theme: 'light',
    origins: [],
    password: null,
  };
  const input = { project: String(data.project.id), of: { kind: 'dashboard', id: dashboard }, settings };
  const made = await fetch(`${server.url}/api/trpc/sharing.create`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json', origin: server.url },
    body: JSON.stringify({ json: input }),
  });
  const text = await made.text();
  const path = /\/shared\/[\w-]+/.exec(text)?.[0];
  if (path === undefined) throw new Error(`no link was made: ${text.slice(0, 300)}`);
  const times: number[] = [];
  const open = async () => {
    const begin = performance.now();
    const client = `203.0.${Math.floor(times.length / 250) % 250}.${times.length % 250}`;
    const headers = { 'x-forwarded-for': client, 'user-agent': BROWSER };
    const answer = await fetch(server.url + path, { headers });
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`the shared page was answered ${answer.status}`);
    times.push(performance.now() - begin);
  };
  await open();
  times.length = 0;
  const [begin, cpu] = [performance.now(), server.cpuSeconds()];
  const until = begin + 10_000;
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      while (performance.now() < until) await open();
    }),
  );
  const took = (performance.now() - begin) / 1000;
  const perCpu = times.length / (server.cpuSeconds() - cpu);
  console.log(
    `  shared page: ${(times.length / took).toFixed(0)} requests/s, ${shown(times)} ms; ${perCpu.toFixed(0)} a CPU second`,
  );
}

/** One hour of alerts on numbers of Overview, none of which fires. */
async function measureAlerts(data: Data, count: number): Promise<void> {
  const { deps, project, text } = data;
  const metrics = ['visitors', 'visits', 'views', 'bounceRate', 'viewsPerVisit'];
  await text(`delete from alert_evaluations; delete from alerts`);
  const hour = Math.floor(data.now / HOUR_MS) * HOUR_MS;
  await text(
    `insert into alerts (project_id, created_by, language, name, subject, interval, condition, active, since, state, state_at, revision,
                         created_at, changed_at)
     select ${project.id}, 1, 'en', 'Alert ' || at,
            jsonb_build_object('kind', 'metric', 'metric', (array['${metrics.join("','")}'])[1 + at % ${metrics.length}]),
            'hour', '{"kind": "above", "value": 1000000000}', true, to_timestamp(${hour / 1000 - 3600}), 'ok', now(), 1, now(), now()
       from generate_series(1, ${count}) at`,
  );
  const columns = createColumns(deps, { threads: 2 });
  const insights = createInsights(deps, { columns, changes: { version: () => null } });
  const clock = fixedClock(hour + HOUR_MS / 2);
  const parts = {
    clock,
    log: deps.log,
    ledger: createLedger(deps.db),
    insights: { ...insights, signals: {} as never, minutes: async () => [] },
    notify: async () => undefined,
  };
  const scope = { ...project, seesPersons: true, teamId: 1 };
  const before = process.cpuUsage();
  await evaluateDue({ ...parts, subjectName: async () => null }, async () => scope);
  const { user, system } = process.cpuUsage(before);
  const cpu = (user + system) / 1e6;
  const [found] = await text<{ done: string; failed: string }>(
    `select count(*) filter (where outcome = 'done') as done, count(*) filter (where outcome <> 'done') as failed from alert_evaluations`,
  );
  console.log(
    `  ${count} hourly alerts: ${found?.done} evaluated, ${found?.failed} not; ${cpu.toFixed(1)} s of CPU, ${((cpu / 3600) * 100).toFixed(2)} % of a core over the hour`,
  );
  await columns.stop();
}

function shown(times: readonly number[]): string {
  const sorted = times.toSorted((one, other) => one - other);
  const at = (share: number) => (sorted[Math.ceil(share * (sorted.length - 1))] ?? Number.NaN).toFixed(0);
  return `${at(0.5)} / ${at(0.95)}`;
}
