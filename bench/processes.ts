/**
 * One process against two web processes and a worker, on one PostgreSQL: batches and single events as fast as they are answered, pages while
 * events arrive, how soon one process shows what another took in, memory, CPU and connections of each.
 *
 * `node build.mjs run bench/processes.ts [--home /a/folder] [--events 1000000] [--seconds 20] [--rate 1000] [--viewers 4]`
 *
 * `--home`: what `bench/questions.ts` was filled with is used, and gets the events of this bench as well.
 */
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { systemClock } from '#src/kit/clock.ts';
import { type Server, startServer } from '#test/faults/kit/server.ts';
import { writeBodies } from './ingest-bodies.ts';
import { type Sending, send } from './ingest-sending.ts';
import { type Data, openData, openServer, sealEverything } from './questions-data.ts';
import { look, type Opened, openScreen, shown } from './questions-screen.ts';

const { values: given } = parseArgs({
  options: {
    home: { type: 'string' },
    events: { type: 'string', default: '1000000' },
    seconds: { type: 'string', default: '20' },
    rate: { type: 'string', default: '1000' },
    viewers: { type: 'string', default: '4' },
    port: { type: 'string', default: '4797' },
  },
});
const [seconds, rate, viewers] = [Number(given.seconds), Number(given.rate), Number(given.viewers)];
const DAYS = 28;
/** More than is answered within the time. */
const MAX_EVENTS_PER_SECOND = 24_000;
const MAX_REQUESTS_PER_SECOND = 7_000;
let used = systemClock.now() % 1_000_000_000;

const home = given.home ?? (await mkdtemp(join(tmpdir(), 'luneta-bench-')));
await mkdir(home, { recursive: true });
await chmod(home, 0o755);
const postgres = await openServer(home, Number(given.port));
try {
  const data = await openData(postgres, Number(given.events), Number(given.events) / 100);
  await sealEverything(data, postgres, false);
  const [{ token }] = (await data.text(
    `select token from project_tokens where project_id = ${data.project.id} limit 1`,
  )) as [{ token: string }];
  console.log(`${data.events} events stored`);
  for (const webs of [1, 2]) await measure(data, token, webs);
  await data.close();
} finally {
  await postgres.stop();
  if (given.home === undefined) await rm(home, { recursive: true, force: true });
}
process.exit(0);

async function measure(data: Data, token: string, webs: number): Promise<void> {
  const first = Number(given.port) + 1;
  const jobs = webs === 1 ? 'web' : 'worker';
  const screens: Opened[] = [];
  for (let place = 0; place < webs; place++)
    screens.push(await openScreen(data, { days: DAYS, folder: home, port: first }, place, { JOBS: jobs }));
  const worker =
    webs === 1
      ? null
      : startServer({
          ...{ root: process.cwd(), port: first + webs, databaseUrl: data.url, folder: home, entry: 'worker.js' },
          env: { LOG_LEVEL: 'warn', JOBS: 'worker' },
        });
  const servers = [...screens.map(({ server }) => server), ...(worker ? [worker] : [])];
  await sleep(3_000);
  console.log(`\n${webs === 1 ? 'one process' : `${webs} web processes and a worker`}`);
  const batches = { perBody: 100, connections: 8, rate: 0 };
  const singles = { perBody: 1, connections: 64, rate: 0 };
  await sendTo(screens, token, 'warming up', { ...batches, seconds: 3 }, servers);
  await sendTo(screens, token, 'batches of 100, 8 connections', { ...batches, seconds }, servers);
  await sleep(2_000);
  await sendTo(screens, token, 'single events, 64 connections', { ...singles, seconds }, servers);
  await sleep(2_000);
  const pages: number[] = [];
  const over = new AbortController();
  const looking = Array.from({ length: viewers }, (_, viewer) =>
    look(screens[viewer % webs] as Opened, `${viewer}-${used}`, pages, over.signal),
  );
  await sendTo(
    screens,
    token,
    `${viewers} people look, ${rate} events/s`,
    { perBody: 10, connections: 64, rate, seconds },
    servers,
  );
  over.abort();
  await Promise.all(looking);
  console.log(`    ${pages.length} pages of ${shown(pages)} ms`);
  await showSeen(screens, token, data.project.id);
  const connections = await data.text<{ application_name: string; n: string }>(
    `select application_name, count(*) as n from pg_stat_activity where datname = current_database() and application_name like 'luneta%' group by 1 order by 1`,
  );
  console.log(
    `  memory ${servers.map((server) => server.rssMb().toFixed(0)).join(' + ')} MB; connections (those of the bench among them): ${connections.map(({ application_name, n }) => `${application_name} ${n}`).join(', ')}`,
  );
  await Promise.all(servers.map((server) => server.end('SIGTERM')));
}

/** Sends to all web processes, the same share to each. */
async function sendTo(
  screens: readonly Opened[],
  token: string,
  name: string,
  options: { perBody: number; connections: number; rate: number; seconds: number },
  servers: readonly Server[],
): Promise<void> {
  const { perBody, connections, rate: perSecond } = options;
  const most = perSecond || (perBody === 1 ? MAX_REQUESTS_PER_SECOND : MAX_EVENTS_PER_SECOND);
  const nowMs = systemClock.now();
  const files = screens.map((_, place) => {
    const file = join(home, `processes-bodies-${place}`);
    const bodies = Math.ceil((most * options.seconds) / perBody / screens.length) + 20;
    writeBodies(file, { token, from: used, bodies, perBody, nowMs });
    used += bodies * perBody;
    return file;
  });
  const [before, database] = [servers.map((server) => server.cpuSeconds()), postgres.cpuSeconds()];
  const sendings = await Promise.all(
    screens.map(({ server }, place) =>
      send({
        ...options,
        url: `${server.url}/ingest/${perBody === 1 ? 'e' : 'batch'}/`,
        file: files[place] as string,
        connections: connections / screens.length,
        rate: perSecond / screens.length,
      }),
    ),
  );
  await Promise.all(files.map((file) => rm(file)));
  const sum = (value: (sending: Sending) => number) => sendings.reduce((total, sending) => total + value(sending), 0);
  const took = Math.max(...sendings.map((sending) => sending.seconds));
  const others = sendings.flatMap((sending) => Object.entries(sending.others));
  const cpu = servers.map((server, place) => (server.cpuSeconds() - (before[place] as number)).toFixed(1));
  console.log(
    `  ${name}: ${((sum((sending) => sending.accepted) * perBody) / took).toFixed(0)} events/s, p50 ${sendings.map(({ p50 }) => p50.toFixed(1)).join(' and ')}, p99 ${sendings.map(({ p99 }) => p99.toFixed(1)).join(' and ')} ms` +
      `${others.length > 0 ? `, not 200: ${JSON.stringify(others)}` : ''}; CPU seconds: Node ${cpu.join(' + ')}, PostgreSQL ${(postgres.cpuSeconds() - database).toFixed(1)}, senders ${sum((sending) => sending.cpuSeconds).toFixed(1)}; load ${loadavg()[0]?.toFixed(1)}`,
  );
}

/** How soon each process names an event that the first one took in, in the list of *Events*. */
async function showSeen(screens: readonly Opened[], token: string, project: number): Promise<void> {
  for (const [place, screen] of screens.entries()) {
    const tooks: number[] = [];
    for (let round = 0; round < 10; round++) {
      const event = `seen_${place}_${round}_${used++}`;
      const since = performance.now();
      const body = gzipSync(JSON.stringify({ api_key: token, event, distinct_id: `seen-${used}`, properties: {} }));
      const answer = await fetch(`${screens[0]?.server.url}/ingest/e/`, { method: 'POST', body });
      if (answer.status !== 200) throw new Error(`the event was answered ${answer.status}`);
      const address = `${screen.server.url}/project/${project}/events`;
      for (let isThere = false; !isThere; ) {
        const page = await fetch(address, { headers: { cookie: screen.cookie }, redirect: 'manual' });
        const text = await page.text();
        if (page.status !== 200) throw new Error(`${address} was answered ${page.status}`);
        isThere = text.includes(event);
        if (performance.now() - since > 20_000) throw new Error(`${event} did not appear within 20 s`);
        await sleep(20);
      }
      tooks.push(performance.now() - since);
    }
    console.log(`  an event sent to process 1 is listed by process ${place + 1} after ${shown(tooks)} ms`);
  }
}
