/**
 * The load bench of intake: real requests with prepared bodies against the built server, with a sender of its own, beside two
 * baselines in the same run. Everything is in: decoding, steps, persons, sessions, dedup, counts, commit.
 *
 * `node build.mjs && node_modules/.bin/node bench/ingest.ts [--seconds 60] [--rate 20000] [--events-before 0]`
 *
 * `--events-before` stores so many events first, to see what a filled database costs.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { cpuSecondsOf, openPostgres, type Postgres } from '#test/faults/kit/postgres.ts';
import { openScene, type Scene, TOKEN } from '#test/faults/kit/scene.ts';
import type { Server } from '#test/faults/kit/server.ts';
import { writeBodies } from './ingest-bodies.ts';
import type { Sending, SendOptions } from './ingest-sender.ts';

const { values: given } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    rate: { type: 'string', default: '20000' },
    'events-before': { type: 'string', default: '0' },
  },
});
const seconds = Number(given.seconds);
const rate = Number(given.rate);
const eventsBefore = Number(given['events-before']);

const root = process.cwd();
const BATCH = 100;
const BATCH_CONNECTIONS = 8;
const SINGLE_CONNECTIONS = 64;
const WARM_SECONDS = Math.min(5, seconds);
/** Bodies are prepared for a machine that is faster than any target, so that none runs out. */
const MOST_EVENTS_PER_SECOND = 30_000;
const MOST_REQUESTS_PER_SECOND = 8000;
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
  await chmod(scratch, 0o755);
  const postgres = await openPostgres(root, join(scratch, 'postgres'), PORT);
  await postgres.start();
  const scene = await openScene({ root, scratch, postgres, name: 'bench', firstPort: PORT + 1 });
  try {
    await run(scene, postgres, scratch);
  } finally {
    await scene.close();
    await postgres.stop();
    await rm(scratch, { recursive: true, force: true });
  }
}

async function run(scene: Scene, postgres: Postgres, scratch: string): Promise<void> {
  console.log(`${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}, ${seconds} s a phase`);
  const server = scene.server({ env: { LOG_LEVEL: 'warn' } });
  await server.ready();
  await sleep(2000);
  console.log(`idle: ${server.rssMb().toFixed(0)} MB`);
  let used = 0;
  const bodies = (count: number, perBody: number) => {
    const file = join(scratch, `bodies-${used}`);
    const jsonBytes = writeBodies(file, { token: TOKEN, from: used, bodies: count, perBody, nowMs: Date.now() });
    used += count * perBody;
    return { file, jsonBytes };
  };
  const batchUrl = `${server.url}/ingest/batch/`;
  const batches = { url: batchUrl, perBody: BATCH, connections: BATCH_CONNECTIONS, rate: 0 };
  const perPhase = Math.ceil((seconds * MOST_EVENTS_PER_SECOND) / BATCH);

  const warm = bodies(Math.ceil((WARM_SECONDS * MOST_EVENTS_PER_SECOND) / BATCH), BATCH);
  console.log(`an event is ${warm.jsonBytes.toFixed(0)} B of JSON`);
  await send({ ...batches, file: warm.file, seconds: WARM_SECONDS });
  if (eventsBefore > 0) await fill(batches, bodies, eventsBefore);

  report(
    await phase(`batches of ${BATCH}, ${BATCH_CONNECTIONS} connections`, server, postgres, {
      ...batches,
      ...bodies(perPhase, BATCH),
      seconds,
    }),
  );
  await sleep(2000);
  report(
    await phase(`batches of ${BATCH} at a fixed ${rate} events/s`, server, postgres, {
      ...batches,
      connections: 256,
      ...bodies(Math.ceil((seconds * rate) / BATCH) + 10, BATCH),
      seconds,
      rate,
    }),
  );
  await sleep(2000);
  const singles = bodies(seconds * MOST_REQUESTS_PER_SECOND, 1);
  const single = { perBody: 1, connections: SINGLE_CONNECTIONS, rate: 0, seconds };
  report(
    await phase(`single events, ${SINGLE_CONNECTIONS} connections`, server, postgres, {
      ...single,
      url: `${server.url}/ingest/e/`,
      file: singles.file,
    }),
  );

  await bareCopy(scene, postgres);
  await server.end('SIGTERM');
  await plainInserts(scene, postgres, { ...single, file: singles.file });
  await sizes(scene);
}

/** Stores events until there are enough. */
async function fill(
  batches: Omit<SendOptions, 'file' | 'seconds'>,
  bodies: (count: number, perBody: number) => { file: string },
  events: number,
): Promise<void> {
  const atATime = 200_000;
  for (let stored = 0; stored < events; stored += atATime) {
    const { file } = bodies(atATime / BATCH, BATCH);
    await send({ ...batches, file, seconds: 600 });
    await rm(file);
    console.log(`${stored + atATime} events stored beforehand`);
  }
}

async function send(options: SendOptions): Promise<Sending> {
  const script = fileURLToPath(new URL('./ingest-sender.ts', import.meta.url));
  const child = spawn(process.execPath, ['--no-warnings', script, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout })) return JSON.parse(line) as Sending;
  throw new Error('the sender ended without a result');
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
  console.log(
    [
      name,
      `  ${eventsPerSecond.toFixed(0)} events/s in ${requestsPerSecond.toFixed(0)} requests/s; acknowledged p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`,
      `  CPU seconds in ${sending.seconds.toFixed(1)} s: sender ${cpuSeconds.toFixed(1)}, Node ${nodeCpu.toFixed(1)}, PostgreSQL ${postgresCpu.toFixed(1)}; Node's memory at most ${rssMb.toFixed(0)} MB`,
      ...(Object.keys(others).length > 0 ? [`  not 200: ${JSON.stringify(others)}`] : []),
      ...(ranOut ? ['  (the prepared bodies ran out)'] : []),
    ].join('\n'),
  );
}

/** The limit: rows that were stored, copied into a table without indexes or partitions, 1,000 to a commit, over one connection. */
async function bareCopy(scene: Scene, postgres: Postgres): Promise<void> {
  const rowsPerCommit = 1000;
  const client = new Client({ connectionString: scene.databaseUrl });
  await client.connect();
  await client.query('create table bare (like events)');
  const chunks: Buffer[] = [];
  for (let offset = 0; offset < 100_000; offset += rowsPerCommit) {
    const parts: Buffer[] = [];
    const text = `copy (select * from events offset ${offset} limit ${rowsPerCommit}) to stdout (format binary)`;
    for await (const part of client.query(copyTo(text))) parts.push(part as Buffer);
    chunks.push(Buffer.concat(parts));
  }
  const database = postgres.cpuSeconds();
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  let rows = 0;
  while (performance.now() - startedAt < Math.min(seconds, 20) * 1000) {
    for (const chunk of chunks) {
      const stream = client.query(copyFrom('copy bare from stdin (format binary)'));
      await new Promise((resolve, reject) => stream.on('finish', resolve).on('error', reject).end(chunk));
      rows += rowsPerCommit;
    }
  }
  const took = (performance.now() - startedAt) / 1000;
  const used = process.cpuUsage(cpu);
  await client.query('drop table bare');
  await client.end();
  console.log(
    `baseline: COPY of the same rows into a bare table, one connection\n  ${(rows / took).toFixed(0)} events/s; CPU seconds in ${took.toFixed(1)} s: Node ${((used.user + used.system) / 1e6).toFixed(1)}, PostgreSQL ${(postgres.cpuSeconds() - database).toFixed(1)}`,
  );
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

/** Bytes on disk per stored event, the uuid ledger's window apart. */
async function sizes(scene: Scene): Promise<void> {
  await scene.query('vacuum analyze');
  const [row] = await scene.query<{ events: string; all: string; ledger: string }>(
    `select (select count(*) from events) as events,
       sum(pg_total_relation_size(c.oid)) as all,
       sum(pg_total_relation_size(c.oid)) filter (where c.relname like 'event_uuids%') as ledger
     from pg_class c
     where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and c.relname <> 'plain_events'`,
  );
  const events = Number(row?.events);
  const ledger = Number(row?.ledger) / events;
  console.log(
    `on disk: ${events} events, ${(Number(row?.all) / events - ledger).toFixed(0)} B an event, and ${ledger.toFixed(0)} B in the uuid ledger`,
  );
}

await main();
