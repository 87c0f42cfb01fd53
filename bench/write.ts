/**
 * What it costs to store events that the steps are done with: the whole write transaction in batches of 1,000, against a bare COPY
 * of the same rows into a bare table in the same run.
 * `DATABASE_URL=… node_modules/.bin/node bench/write.ts [events] [batch size] [lanes] [visits]`: works in a database of its own on that server.
 */
import { readFileSync } from 'node:fs';
import { Pool } from 'pg';
import { createLookups } from '#src/collect/lookups.ts';
import type { StepContext } from '#src/collect/steps/draft.ts';
import { createGroupCache } from '#src/collect/steps/group-cache.ts';
import { runSteps } from '#src/collect/steps.ts';
import { loadConfig } from '#src/config.ts';
import type { FinishedEvent } from '#src/events/contract.ts';
import { createEvents } from '#src/events/events.ts';
import { systemClock } from '#src/kit/clock.ts';
import type { JsonObject } from '#src/kit/json.ts';
import { createLog } from '#src/kit/log.ts';
import { createPersons } from '#src/persons/persons.ts';
import { projectSettings } from '#src/projects/contract.ts';
import { createProjects } from '#src/projects/projects.ts';
import { migrate, openDb, openWritePool } from '#src/store/db.ts';
import { openBareCopy } from './bare-copy.ts';
import { browserEvents } from './browser-events.ts';
import { reportSizes } from './sizes.ts';

const total = Number(process.argv[2] ?? 60_000);
const batchSize = Number(process.argv[3] ?? 1_000);
const lanes = Number(process.argv[4] ?? 2);
/** Visits under way at once: how many sessions a batch touches. */
const visits = Number(process.argv[5] ?? 400);
/** The generator's visits begin together: time has to move on with each round of them. */
const ROUND = visits * 8;
const ROUND_MS = 160_000;
/**
 * With VACUUM=1 the changing tables are vacuumed after so many batches, as autovacuum would in the minutes that such traffic takes
 * in life: for the bytes an event, not for the speed.
 */
const CHUNK = process.env['VACUUM'] === '1' ? 10 : Number.POSITIVE_INFINITY;
/** With WITHOUT=index,index those are dropped before: what they cost is what the same run takes less. */
const without = (process.env['WITHOUT'] ?? '').split(',').filter(Boolean);
/** The first events warm caches and the compiler up, and are not counted. */
const warmUp = Math.min(40_000, total);
const adminUrl = process.env['DATABASE_URL'];
if (!adminUrl) throw new Error('Set DATABASE_URL to a PostgreSQL server on which a database may be made.');
const name = 'luneta_bench_write';
const log = createLog('warn');

async function main(): Promise<void> {
  const admin = new Pool({ connectionString: adminUrl, max: 1 });
  await admin.query(`drop database if exists ${name} with (force)`);
  await admin.query(`create database ${name}`);
  const url = new URL(adminUrl as string);
  url.pathname = `/${name}`;
  const config = loadConfig({ DATABASE_URL: url.href, PUBLIC_APP_URL: 'http://localhost:3000' });
  await migrate(config, log);
  for (const index of without) await dropIndex(url.href, index);
  const write = openWritePool(config, log);
  const db = openDb(config, log);
  const deps = { config, write, db, clock: systemClock, log };
  const projects = createProjects(deps);
  const { id } = await projects.create({ name: 'Bench', timeZone: 'America/Sao_Paulo' });
  const events = createEvents(deps, { persons: createPersons(deps), projects });
  await events.maintain();

  const finished = await finishedEvents(id, warmUp + total);
  const batches: FinishedEvent[][] = [];
  for (let at = 0; at < finished.length; at += batchSize) batches.push(finished.slice(at, at + batchSize));
  const warming = Math.ceil(warmUp / batchSize);
  await inLanes(batches.slice(0, warming), (batch) => events.store(batch));
  const whole = await measure(write, async () => {
    for (let at = warming; at < batches.length; at += CHUNK) {
      await inLanes(batches.slice(at, at + CHUNK), (batch) => events.store(batch));
      if (process.env['VACUUM'] === '1') await db.raw('vacuum sessions, persons, distinct_ids, event_counts');
    }
  });
  report('the whole transaction', whole);
  if (process.env['PROFILE'] === undefined) {
    const { written, ready } = await measureBareCopy(write);
    report('bare COPY, one connection', written);
    report('bare COPY of rows written down before', ready);
    console.log(`the whole transaction is ${((100 * written.seconds) / whole.seconds).toFixed(1)} % of the bare COPY`);
    await reportSizes(async (text) => (await write.query(text)).rows);
  }
  await events.stop();
  await write.end();
  await db.destroy();
  if (process.env['KEEP_DB'] !== '1') await admin.query(`drop database ${name} with (force)`);
  await admin.end();
}

async function dropIndex(url: string, index: string): Promise<void> {
  const pool = new Pool({ connectionString: url, max: 1 });
  await pool.query(`drop index ${index.replace(/\W/g, '')}`);
  await pool.end();
}

/** Events of visitors, one in five of them identified, as the collector finishes them. */
async function finishedEvents(projectId: number, count: number): Promise<FinishedEvent[]> {
  const now = systemClock.now();
  const lookups = await createLookups();
  const context: StepContext = {
    project: { id: projectId, timeZone: 'America/Sao_Paulo', settings: projectSettings.parse({}), closedUntil: null },
    facts: {
      ...{ receivedAt: now, token: null, sentAt: now, address: '177.32.1.1', userAgent: 'Mozilla/5.0', origin: null },
      ...{ historical: false, unclean: false, maxEventLength: 1024 * 1024, small: true },
    },
    lookups,
    cache: createGroupCache(),
    salts: new Map(),
    earlier: null,
    warn: () => {},
  };
  const identified = new Set<string>();
  const rounds = Math.ceil(count / ROUND);
  return Array.from({ length: rounds }, (_, round) => {
    const at = now - (rounds - round) * ROUND_MS;
    Object.assign(context.facts, { receivedAt: at, sentAt: at });
    return browserEvents(round * ROUND, ROUND, at, visits).map((raw) => {
      const event = runSteps(withIdentity(raw, identified), context);
      if ('drop' in event) throw new Error(`dropped: ${event.drop}`);
      return event;
    });
  }).flat();
}

/** One visitor in five signs in with the first event we see of them, and sends person properties from then on. */
function withIdentity(raw: JsonObject, identified: Set<string>): JsonObject {
  const properties = raw['properties'] as JsonObject;
  const anonymous = properties['distinct_id'] as string;
  if (Number.parseInt(anonymous.slice(-6), 16) % 5 !== 0) return raw;
  const distinct_id = `user-${anonymous.slice(-12)}@loja.example`;
  Object.assign(properties, {
    distinct_id,
    $is_identified: true,
    $process_person_profile: true,
    $user_id: distinct_id,
  });
  if (identified.has(distinct_id)) return raw;
  identified.add(distinct_id);
  properties['$anon_distinct_id'] = anonymous;
  return {
    ...raw,
    event: '$identify',
    $set: { email: distinct_id, plan: 'pro' },
    $set_once: { first_seen_at: 'bench' },
  };
}

async function inLanes<T>(items: T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const waiting = [...items];
  const lane = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

interface Measured {
  seconds: number;
  nodeSeconds: number;
  postgresSeconds: number | null;
}

async function measure(pool: Pool, work: () => Promise<void>): Promise<Measured> {
  const pids = await backendPids(pool);
  const postgres = cpuSeconds(pids);
  const cpu = process.cpuUsage();
  const from = performance.now();
  await work();
  const seconds = (performance.now() - from) / 1000;
  const used = process.cpuUsage(cpu);
  const after = cpuSeconds(pids);
  return {
    seconds,
    nodeSeconds: (used.user + used.system) / 1e6,
    postgresSeconds: [...after].reduce((sum, [pid, until]) => sum + until - (postgres.get(pid) ?? until), 0) || null,
  };
}

function report(what: string, { seconds, nodeSeconds, postgresSeconds }: Measured): void {
  const us = (value: number) => `${((value / total) * 1e6).toFixed(1)} µs`;
  const postgres = postgresSeconds === null ? 'not known' : us(postgresSeconds);
  console.log(
    `${what}: ${Math.round(total / seconds)} events/s, ${us(seconds)} an event; CPU of Node ${us(nodeSeconds)}, of PostgreSQL ${postgres}`,
  );
}

async function backendPids(pool: Pool): Promise<number[]> {
  return (await pool.query<{ pid: number }>('select pid from pg_stat_activity')).rows.map(({ pid }) => pid);
}

/** Of the server's processes, where it runs on this machine under Linux; helpers that came and went are left out. */
function cpuSeconds(pids: number[]): Map<number, number> {
  const seconds = new Map<number, number>();
  for (const pid of pids) {
    try {
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /, '')
        .split(' ');
      seconds.set(pid, (Number(fields[11]) + Number(fields[12])) / 100);
    } catch {
      seconds.delete(pid);
    }
  }
  return seconds;
}

/** In the same batches as the events were stored in. */
async function measureBareCopy(pool: Pool): Promise<{ written: Measured; ready: Measured }> {
  const client = await pool.connect();
  const bare = await openBareCopy(client, total, batchSize);
  await bare.written();
  await client.query('truncate bare');
  const written = await measure(pool, bare.written);
  await client.query('truncate bare');
  const ready = await measure(pool, bare.ready);
  client.release(true);
  return { written, ready };
}

await main();
