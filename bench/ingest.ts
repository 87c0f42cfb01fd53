/**
 * The load bench of intake: real requests with prepared bodies against the built server, started as `npm start` does it, with a
 * sender of its own, beside its baselines in the same run. Everything is in: decoding, steps, persons, sessions, dedup, counts, commit.
 *
 * `node build.mjs run bench/ingest.ts [--seconds 60] [--rate 20000] [--preload 10000000] [--phases batches,rate,singles,baselines]`
 *
 * `--preload` stores so many events first, to see what a filled database costs; with `--home D` they stay in that folder and the next run finds
 * them there (`--phases none` only fills it). `--jobs web` lets recurring work (sealing among it) run in the same process; by default it is
 * intake alone that is measured. `--connection loopback` reaches PostgreSQL by TCP, and not by the socket that `npm start` uses.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { loadConfig } from '#src/config.ts';
import { createLog } from '#src/kit/log.ts';
import { openWritePool } from '#src/store/db.ts';
import { asStarted, cpuSecondsOf, openPostgres, type Postgres } from '#test/faults/kit/postgres.ts';
import { openScene, type Scene, TOKEN } from '#test/faults/kit/scene.ts';
import type { Server } from '#test/faults/kit/server.ts';
import { openBareCopy } from './bare-copy.ts';
import { writeBodies } from './ingest-bodies.ts';
import { type Sending, type SendOptions, send } from './ingest-sending.ts';
import { preload } from './preload.ts';
import { reportSizes } from './sizes.ts';

const { values: given } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    rate: { type: 'string', default: '20000' },
    preload: { type: 'string', default: '0' },
    home: { type: 'string' },
    jobs: { type: 'string', default: 'worker' },
    connection: { type: 'string', default: asStarted },
    phases: { type: 'string', default: 'batches,rate,singles,baselines' },
    singles: { type: 'string', default: '64' },
    'per-visitor': { type: 'string' },
  },
});
const seconds = Number(given.seconds);
const connection = given.connection === 'loopback' ? 'loopback' : 'socket';
const rate = Number(given.rate);
/** Events of a visitor, who comes once; absent: a person for some 25 events. */
const perVisitor = given['per-visitor'] === undefined ? undefined : Number(given['per-visitor']);
const stored = Number(given.preload);
/** Stands in a home whose database was filled. */
const FILLED = 'filled';
const phases = new Set(given.phases.split(','));

const root = process.cwd();
const BATCH = 100;
const BATCH_CONNECTIONS = 8;
/** Of single events. */
const SINGLE_CONNECTIONS = Number(given.singles);
const WARM_SECONDS = Math.min(5, seconds);
/** Real events that the preloaded ones are copies of. */
const SEED = 100_000;
/** Bodies are prepared for a machine that is faster than any target, so that none runs out. */
const MAX_EVENTS_PER_SECOND = 30_000;
const MAX_REQUESTS_PER_SECOND = 7000;
const PORT = 4790;

interface Phase {
  name: string;
  eventsPerSecond: number;
  requestsPerSecond: number;
  sending: Sending;
  nodeCpu: number;
  postgresCpu: number;
  rssMb: number;
}

async function main(): Promise<void> {
  if (!existsSync(join(root, 'dist/main.js'))) throw new Error('Build first: node build.mjs');
  const scratch = await mkdtemp(join(tmpdir(), 'luneta-bench-'));
  const home = given.home ?? scratch;
  await mkdir(home, { recursive: true });
  for (const folder of [scratch, home]) await chmod(folder, 0o755);
  const isKept = existsSync(join(home, FILLED));
  const postgres = await openPostgres(root, join(home, 'postgres'), PORT, {}, connection);
  await postgres.start();
  const scene = await openScene({ root, scratch, postgres, name: 'bench', firstPort: PORT + 1, isKept });
  try {
    await run(scene, postgres, { scratch, home, isKept });
  } finally {
    await scene.close();
    await postgres.stop();
    await rm(scratch, { recursive: true, force: true });
  }
}

interface Place {
  scratch: string;
  home: string;
  /** The database was filled by an earlier run. */
  isKept: boolean;
}

async function run(scene: Scene, postgres: Postgres, { scratch, home, isKept }: Place): Promise<void> {
  const flags = await launcherFlags();
  console.log(
    `${cpus().length} × ${cpus()[0]?.model}, Node ${process.version} ${flags.join(' ')}, ${seconds} s a phase`,
  );
  const server = scene.server({ env: { LOG_LEVEL: 'warn', JOBS: given.jobs }, flags });
  await server.ready();
  await sleep(5000);
  console.log(`idle: ${server.rssMb().toFixed(0)} MB`);
  let used = 0;
  const bodies = (count: number, perBody: number) => {
    const file = join(scratch, `bodies-${used}`);
    const jsonBytes = writeBodies(file, {
      token: TOKEN,
      from: used,
      bodies: count,
      perBody,
      nowMs: Date.now(),
      perVisitor,
    });
    used += count * perBody;
    return { file, jsonBytes };
  };
  const batchUrl = `${server.url}/ingest/batch/`;
  const batches = { url: batchUrl, perBody: BATCH, connections: BATCH_CONNECTIONS, rate: 0 };
  const perPhase = phases.has('batches') ? Math.ceil((seconds * MAX_EVENTS_PER_SECOND) / BATCH) : 0;

  const warm = bodies(Math.ceil((WARM_SECONDS * MAX_EVENTS_PER_SECOND) / BATCH), BATCH);
  console.log(`an event is ${warm.jsonBytes.toFixed(0)} B of JSON`);
  await send({ ...batches, file: warm.file, seconds: WARM_SECONDS });
  if (stored > 0 && !isKept) {
    await send({ ...batches, file: bodies(SEED / BATCH, BATCH).file, seconds: 600 });
    await fill(scene);
    await writeFile(join(home, FILLED), String(stored));
  }
  if (isKept) await withClient(scene, sayWhatIsThere);

  const rates: number[] = [];
  if (phases.has('batches')) {
    const result = await phase(`batches of ${BATCH}, ${BATCH_CONNECTIONS} connections`, server, postgres, {
      ...batches,
      ...bodies(perPhase, BATCH),
      seconds,
    });
    report(result);
    rates.push(result.eventsPerSecond);
    await sleep(2000);
  }
  if (phases.has('rate')) {
    const result = await phase(`batches of ${BATCH} at a fixed ${rate} events/s`, server, postgres, {
      ...batches,
      connections: 256,
      ...bodies(Math.ceil((seconds * rate) / BATCH) + 10, BATCH),
      seconds,
      rate,
    });
    report(result);
    rates.push(result.eventsPerSecond);
    await sleep(2000);
  }
  const wantsSingles = phases.has('singles') || phases.has('baselines');
  const singles = bodies(wantsSingles ? seconds * MAX_REQUESTS_PER_SECOND : 0, 1);
  const single = { perBody: 1, connections: SINGLE_CONNECTIONS, rate: 0, seconds };
  if (phases.has('singles')) {
    const url = `${server.url}/ingest/e/`;
    const name = `single events, ${SINGLE_CONNECTIONS} connections`;
    report(await phase(name, server, postgres, { ...single, url, file: singles.file }));
  }
  await server.end('SIGTERM');
  if (phases.has('baselines')) {
    await bareCopy(scene, postgres, Math.max(...rates));
    await plainInserts(scene, postgres, { ...single, file: singles.file });
  }
  if (!phases.has('none')) await withClient(scene, (query) => reportSizes(query));
}

/** Written in plain JavaScript, for a Node that runs nothing else yet. */
async function launcherFlags(): Promise<string[]> {
  const file = new URL('../build.flags.mjs', import.meta.url).href;
  const { serverFlags } = (await import(file)) as { serverFlags(): string[] };
  return serverFlags();
}

/** On a connection without time limits. */
async function withClient(
  scene: Scene,
  work: (query: (text: string) => Promise<unknown[]>) => Promise<void>,
): Promise<void> {
  const client = new Client({ connectionString: scene.databaseUrl });
  await client.connect();
  await work(async (text) => (await client.query(text)).rows).finally(() => client.end());
}

/** An estimate: counting ten million rows takes as long as a phase. */
async function sayWhatIsThere(query: (text: string) => Promise<unknown[]>): Promise<void> {
  const [row] = (await query(
    `select sum(reltuples)::bigint as n from pg_class where relkind = 'r' and relname ~ '^events_(\\d{6}|default)$' and reltuples > 0`,
  )) as { n: string }[];
  console.log(`some ${row?.n} events are stored from before`);
}

async function fill(scene: Scene): Promise<void> {
  const since = performance.now();
  await withClient(scene, (query) => preload(query, stored));
  console.log(`  in ${((performance.now() - since) / 1000).toFixed(0)} s`);
}

async function phase(name: string, server: Server, postgres: Postgres, options: SendOptions): Promise<Phase> {
  let rssMb = server.rssMb();
  const watching = setInterval(() => {
    rssMb = Math.max(rssMb, server.rssMb());
  }, 250);
  const [node, database] = [server.cpuSeconds(), postgres.cpuSeconds()];
  const sending = await send(options);
  clearInterval(watching);
  const perSecond = sending.accepted / sending.seconds;
  return {
    name,
    requestsPerSecond: perSecond,
    eventsPerSecond: perSecond * options.perBody,
    sending,
    nodeCpu: server.cpuSeconds() - node,
    postgresCpu: postgres.cpuSeconds() - database,
    rssMb,
  };
}

function report({ name, eventsPerSecond, requestsPerSecond, sending, nodeCpu, postgresCpu, rssMb }: Phase): void {
  const { p50, p99, cpuSeconds, others, ranOut } = sending;
  const events = eventsPerSecond * sending.seconds;
  const us = (cpu: number) => `${((cpu / events) * 1e6).toFixed(0)} µs`;
  console.log(
    [
      name,
      `  ${eventsPerSecond.toFixed(0)} events/s in ${requestsPerSecond.toFixed(0)} requests/s; acknowledged p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`,
      `  CPU seconds in ${sending.seconds.toFixed(1)} s: sender ${cpuSeconds.toFixed(1)}, Node ${nodeCpu.toFixed(1)}, PostgreSQL ${postgresCpu.toFixed(1)} (an event: ${us(nodeCpu)} and ${us(postgresCpu)})`,
      ...(rssMb > 0 ? [`  Node's memory at most ${rssMb.toFixed(0)} MB`] : []),
      ...(Object.keys(others).length > 0 ? [`  not 200: ${JSON.stringify(others)}`] : []),
      ...(ranOut ? ['  (the prepared bodies ran out)'] : []),
    ].join('\n'),
  );
}

/** The limit: rows that were stored, into a table without indexes or partitions, 1,000 to a commit, over one connection. */
async function bareCopy(scene: Scene, postgres: Postgres, ingested: number): Promise<void> {
  const config = loadConfig({ DATABASE_URL: scene.databaseUrl, PUBLIC_APP_URL: 'http://localhost:3000' });
  const pool = openWritePool(config, createLog('warn'));
  const client = await pool.connect();
  const bare = await openBareCopy(client, 100_000, 1_000);
  const measure = async (name: string, copy: () => Promise<void>) => {
    await copy();
    await client.query('truncate bare');
    const [database, cpu, startedAt] = [postgres.cpuSeconds(), process.cpuUsage(), performance.now()];
    let rows = 0;
    for (; performance.now() - startedAt < Math.min(seconds, 20) * 1000; rows += bare.rows) await copy();
    const took = (performance.now() - startedAt) / 1000;
    const used = process.cpuUsage(cpu);
    const node = (used.user + used.system) / 1e6;
    console.log(
      [
        name,
        `  ${(rows / took).toFixed(0)} events/s; CPU seconds in ${took.toFixed(1)} s: Node ${node.toFixed(1)}, PostgreSQL ${(postgres.cpuSeconds() - database).toFixed(1)}`,
        `  the best of the phases above is ${((100 * ingested * took) / rows).toFixed(1)} % of it`,
      ].join('\n'),
    );
    await client.query('truncate bare');
  };
  await measure('baseline: COPY of the same rows into a bare table, one connection', bare.written);
  await measure('baseline: the same with rows written down before, the server alone', bare.ready);
  await client.query('drop table bare');
  client.release(true);
  await pool.end();
}

async function plainInserts(scene: Scene, postgres: Postgres, options: Omit<SendOptions, 'url'>): Promise<void> {
  const port = PORT + 5;
  const child = spawn(process.execPath, ['--no-warnings', join(root, 'bench/plain-insert.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'] ?? '', DATABASE_URL: scene.databaseUrl, PORT: String(port) },
  });
  for await (const line of createInterface({ input: child.stdout })) if (line === 'listening') break;
  const pid = (child as ChildProcess).pid as number;
  const [node, database] = [cpuSecondsOf(pid, false), postgres.cpuSeconds()];
  const sending = await send({ ...options, url: `http://127.0.0.1:${port}/` });
  const perSecond = sending.accepted / sending.seconds;
  report({
    name: 'baseline: one plain JSON insert per request, the same single events',
    eventsPerSecond: perSecond,
    requestsPerSecond: perSecond,
    sending,
    nodeCpu: cpuSecondsOf(pid, false) - node,
    postgresCpu: postgres.cpuSeconds() - database,
    rssMb: 0,
  });
  child.kill();
}

await main();
