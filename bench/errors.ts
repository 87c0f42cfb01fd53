/**
 * What exceptions cost other events: the time of single events (p50, p99), alone, while 500 other events a second of the same size come in, and
 * while 500 exceptions a second do, in turns; and how long after the last one all are grouped. Against the built server with its background jobs, as `npm start` runs them.
 *
 * `node build.mjs run bench/errors.ts [--seconds 20] [--turns 3] [--rate 200] [--exceptions 500]`
 */
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { uuidV7 } from '#src/kit/ids.ts';
import { asStarted, openPostgres } from '#test/faults/kit/postgres.ts';
import { openScene, TOKEN } from '#test/faults/kit/scene.ts';
import type { Server } from '#test/faults/kit/server.ts';

const { values: given } = parseArgs({
  options: {
    seconds: { type: 'string', default: '20' },
    turns: { type: 'string', default: '3' },
    rate: { type: 'string', default: '200' },
    exceptions: { type: 'string', default: '500' },
  },
});
const seconds = Number(given.seconds);
const rate = Number(given.rate);
const exceptionRate = Number(given.exceptions);
const PORT = 5740;
/** Exceptions of one request, as a busy page sends them. */
const PER_REQUEST = 10;
/** Different places that throw. */
const CAUSES = 200;

const home = await mkdtemp(join(tmpdir(), 'luneta-bench-errors-'));
const scratch = join(home, 'scratch');
await mkdir(scratch, { recursive: true });
for (const folder of [home, scratch]) await chmod(folder, 0o755);
const postgres = await openPostgres(process.cwd(), join(home, 'postgres'), PORT, {}, asStarted);
await postgres.start();
try {
  const scene = await openScene({ root: process.cwd(), scratch, postgres, name: 'errors', firstPort: PORT + 1 });
  const server = scene.server({ env: { LOG_LEVEL: 'warn' } });
  await server.ready();
  await measure(server.url, 5, 0);
  for (let turn = 1; turn <= Number(given.turns); turn += 1) {
    const alone = await phase(server, () => measure(server.url, seconds, 0));
    const besideOthers = await phase(server, () => measure(server.url, seconds, exceptionRate, 'log'));
    const beside = await phase(server, () => measure(server.url, seconds, exceptionRate));
    const grouped = await secondsUntilGrouped(async () => {
      const [row] = await scene.query<{ n: number }>('select count(*)::int as n from new_exceptions');
      return row?.n ?? 0;
    });
    say(
      `turn ${turn}\n  alone: ${alone}\n  beside ${exceptionRate} others/s: ${besideOthers}\n  beside ${exceptionRate} exceptions/s: ${beside}; grouped ${grouped} s after the last`,
    );
  }
  const [sums] = await scene.query<{ issues: number; events: string }>(
    'select count(*)::int as issues, coalesce(sum(events), 0)::text as events from issues',
  );
  say(`${sums?.issues} issues of ${CAUSES} causes, ${sums?.events} exceptions counted`);
  await scene.close();
} finally {
  await postgres.stop();
  await rm(home, { recursive: true, force: true });
}

/** What it took, in words. */
async function phase(server: Server, run: () => Promise<number[]>): Promise<string> {
  const [node, database] = [server.cpuSeconds(), postgres.cpuSeconds()];
  const begun = performance.now();
  const times = await run();
  const took = (performance.now() - begun) / 1_000;
  const share = (used: number) => `${((1_000 * used) / took).toFixed(0)} ms/s`;
  return `${inWords(times)}; CPU of Node ${share(server.cpuSeconds() - node)}, of PostgreSQL ${share(postgres.cpuSeconds() - database)}`;
}

/** Times of single events at a steady rate, ms, sorted. */
async function measure(url: string, length: number, exceptions: number, name = '$exception'): Promise<number[]> {
  const times: number[] = [];
  const sent: Promise<void>[] = [];
  const begun = performance.now();
  const interval = 1_000 / rate;
  const exceptionInterval = exceptions === 0 ? Number.POSITIVE_INFINITY : (1_000 * PER_REQUEST) / exceptions;
  let nextEvent = 0;
  let nextException = 0;
  while (performance.now() - begun < length * 1_000) {
    const now = performance.now() - begun;
    for (; nextEvent <= now; nextEvent += interval) sent.push(timed(`${url}/ingest/e/`, single(), times));
    for (; nextException <= now && exceptions > 0; nextException += exceptionInterval) {
      sent.push(timed(`${url}/ingest/batch/`, thrown(name), null));
    }
    await sleep(1);
  }
  await Promise.all(sent);
  return times.sort((one, other) => one - other);
}

async function timed(url: string, body: object, times: number[] | null): Promise<void> {
  const begun = performance.now();
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`answer ${response.status}`);
  times?.push(performance.now() - begun);
}

function single(): object {
  const now = Date.now();
  return {
    api_key: TOKEN,
    event: '$pageview',
    uuid: uuidV7(now),
    timestamp: new Date(now).toISOString(),
    properties: {
      token: TOKEN,
      distinct_id: `d${Math.floor(Math.random() * 500)}`,
      $pathname: '/',
      $current_url: 'https://shop.example/',
    },
  };
}

/** Messages differ, places do not. */
function thrown(event: string): object {
  const now = Date.now();
  const batch = Array.from({ length: PER_REQUEST }, () => {
    const cause = Math.floor(Math.random() * CAUSES);
    const frames = Array.from({ length: 12 }, (_, depth) => ({
      platform: 'web:javascript',
      filename: `https://shop.example/src/part${(cause + depth) % 40}.ts`,
      in_app: true,
      function: `step${depth}of${cause}`,
      lineno: 10 + depth,
      colno: 5,
    }));
    const exception = {
      type: 'TypeError',
      value: `Order ${Math.random()} failed`,
      mechanism: { handled: false },
      stacktrace: { type: 'raw', frames },
    };
    return {
      uuid: uuidV7(now),
      event,
      timestamp: new Date(now).toISOString(),
      properties: {
        distinct_id: `d${Math.floor(Math.random() * 500)}`,
        $exception_list: [exception],
        $exception_level: 'error',
      },
    };
  });
  return { api_key: TOKEN, batch };
}

async function secondsUntilGrouped(waiting: () => Promise<number>): Promise<string> {
  const begun = performance.now();
  while ((await waiting()) > 0) await sleep(100);
  return ((performance.now() - begun) / 1_000).toFixed(1);
}

function inWords(times: readonly number[]): string {
  const at = (share: number) => (times[Math.floor(times.length * share)] ?? 0).toFixed(1);
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms of ${times.length}`;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
