/**
 * Session replay: generated sessions of a single-page app, sent as recorders do. Prints the rate of intake with its CPU, what a recorded minute takes as it
 * arrives and packed, the latency of events beside recorders, and how fast the player is with a recording of an hour (of the built program).
 *
 * `node build.mjs run bench/replay.ts [--sessions 8] [--minutes 10] [--mutations 3000] [--recorders 50] [--seconds 20] [--hour 60] [--port 4798]`
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { loadConfig } from '#src/config.ts';
import { systemClock } from '#src/kit/clock.ts';
import { uuidV7 } from '#src/kit/ids.ts';
import { createLog } from '#src/kit/log.ts';
import { noReplay } from '#src/projects/replay/contract.ts';
import { migrate } from '#src/store/db.ts';
import { startCollector, type TestCollector } from '#test/kit/wire/collector.ts';
import { openServer } from './questions-data.ts';
import { type AppSession, appSession } from './recorded-app.ts';
import { measurePlayer } from './replay-player.ts';

const { values: given } = parseArgs({
  options: {
    sessions: { type: 'string', default: '8' },
    minutes: { type: 'string', default: '10' },
    mutations: { type: 'string', default: '3000' },
    recorders: { type: 'string', default: '50' },
    seconds: { type: 'string', default: '20' },
    hour: { type: 'string', default: '60' },
    port: { type: 'string', default: '4798' },
  },
});
const [sessions, minutes, mutations, recorders, seconds, hour] = (
  ['sessions', 'minutes', 'mutations', 'recorders', 'seconds', 'hour'] as const
).map((name) => Number(given[name])) as [number, number, number, number, number, number];

const home = await mkdtemp(join(tmpdir(), 'luneta-bench-'));
const postgres = await openServer(home, Number(given.port));
try {
  const url = postgres.urlOf('postgres');
  await migrate(loadConfig({ DATABASE_URL: url, PUBLIC_APP_URL: 'http://localhost:3000' }), createLog('warn'));
  const collector = await startCollector(url, { clock: systemClock as never });
  await measure(collector);
  await collector.stop();
  if (hour > 0) {
    const databaseUrl = postgres.urlOf('player');
    await postgres.createDatabase('player');
    await migrate(
      loadConfig({ DATABASE_URL: databaseUrl, PUBLIC_APP_URL: 'http://localhost:3000' }),
      createLog('warn'),
    );
    await measurePlayer({ databaseUrl, folder: home, port: Number(given.port) + 1, minutes: hour, mutations, post });
  }
} finally {
  await postgres.stop();
  await rm(home, { recursive: true, force: true });
}

async function measure(collector: TestCollector): Promise<void> {
  const project = await collector.projects.create({
    name: 'App',
    timeZone: 'UTC',
    settings: { replay: { ...noReplay, mode: 'all' } },
  });
  const now = Date.now();
  const made = (seed: number, length = minutes): AppSession =>
    appSession({
      token: project.token,
      session: uuidV7(now + seed),
      from: now - length * 60_000,
      minutes: length,
      mutationsPerMinute: mutations,
      seed,
    });
  const all = Array.from({ length: sessions }, (_, seed) => made(seed + 1));
  const raw = all.reduce((sum, { rawBytes }) => sum + rawBytes, 0);
  const sent = all.flatMap(({ bodies }) => bodies).reduce((sum, { length }) => sum + length, 0);
  const requests = all.reduce((sum, { bodies }) => sum + bodies.length, 0);
  const recorded = sessions * minutes;
  console.log(
    `${sessions} sessions of ${minutes} min, ${mutations} changed nodes a minute: ${mb(raw)} MB of JSON, ${mb(sent)} MB sent in ${requests} requests`,
  );

  const cpu = process.cpuUsage();
  const begun = performance.now();
  await Promise.all(
    all.map(async ({ bodies }) => {
      for (const body of bodies) await post(collector.url, '/ingest/s/', body);
    }),
  );
  const tookMs = performance.now() - begun;
  const used = process.cpuUsage(cpu);
  const cpuMs = (used.user + used.system) / 1000;
  console.log(
    `intake: ${(raw / 1e6 / (tookMs / 1000)).toFixed(1)} MB of JSON/s, ${(raw / 1e6 / (cpuMs / 1000)).toFixed(1)} MB per CPU second of Node (sender included), ${(cpuMs / requests).toFixed(2)} ms of CPU a request of ${(sent / requests / 1000).toFixed(1)} kB`,
  );
  const stored = async () => (await collector.replays.total()).bytes;
  console.log(
    `stored as it came: ${((await stored()) / recorded / 1000).toFixed(1)} kB a recorded minute; as sent: ${(sent / recorded / 1000).toFixed(1)} kB`,
  );

  await collector.deps.db.raw(`update replay_sessions set received_at = received_at - interval '1 hour'`);
  const packing = performance.now();
  await collector.replays.pack();
  console.log(
    `packed: ${((await stored()) / recorded / 1000).toFixed(1)} kB a recorded minute, in ${((performance.now() - packing) / recorded).toFixed(0)} ms each`,
  );

  const alone = await events(collector.url, project.token);
  let isOver = false;
  const beside = made(1_000, Math.ceil(seconds / 60) + 1);
  const recording = Array.from({ length: recorders }, async (_, place) => {
    await sleep((2_000 * place) / recorders);
    const own = appSession({
      token: project.token,
      session: uuidV7(now),
      from: now,
      minutes: beside.minutes,
      mutationsPerMinute: mutations,
      seed: 2_000 + (place % 4),
    });
    for (const body of own.bodies) {
      if (isOver) return;
      await Promise.all([post(collector.url, '/ingest/s/', body), sleep(2_000)]);
    }
  });
  await sleep(2_500);
  const together = await events(collector.url, project.token);
  isOver = true;
  await Promise.all(recording);
  console.log(
    `events p50/p99: ${alone.join(' / ')} ms alone, ${together.join(' / ')} ms beside ${recorders} recorders`,
  );
}

/** Latency of single events at 100/s: median and p99, ms. */
async function events(url: string, token: string): Promise<[string, string]> {
  const took: number[] = [];
  const body = () =>
    Buffer.from(
      JSON.stringify({ api_key: token, event: 'x', distinct_id: `d${took.length % 50}`, uuid: uuidV7(Date.now()) }),
    );
  const running: Promise<void>[] = [];
  for (let sent = 0; sent < seconds * 100; sent++) {
    running.push(
      (async () => {
        const at = performance.now();
        await post(url, '/ingest/e/', body());
        took.push(performance.now() - at);
      })(),
    );
    await sleep(10);
  }
  await Promise.all(running);
  took.sort((one, other) => one - other);
  return [0.5, 0.99].map((part) => (took[Math.floor(took.length * part)] ?? 0).toFixed(1)) as [string, string];
}

function post(url: string, path: string, body: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const sending = request(
      new URL(path, url),
      { method: 'POST', headers: { 'content-type': 'text/plain', 'content-length': body.length } },
      (response) => {
        response.resume();
        response.on('end', () =>
          response.statusCode === 200 ? resolve() : reject(new Error(`${path}: ${response.statusCode}`)),
        );
      },
    );
    sending.on('error', reject);
    sending.end(body);
  });
}

function mb(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}
