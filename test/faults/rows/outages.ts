/** PostgreSQL is away, or as good as away. */
import { lookup } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { hostname, networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { setUpOwner } from '#test/kit/sign-in.ts';
import { check, countsOf, nothingLost, percentile, type Result, type Row, share, time } from '../kit/row.ts';
import { type Answer, type Scene, type Sender, TOKEN } from '../kit/scene.ts';
import type { Server } from '../kit/server.ts';
import { startProxy, type TcpProxy } from '../kit/tcp-proxy.ts';

interface Outage {
  downAt: number;
  upAt: number;
  /** Answers to requests that began while the database was away. */
  during: Answer[];
  /** The same, without the first 3 s. */
  settled: Answer[];
  rssGrowthMb: number;
  caughtUpMs: number | null;
}

/** Traffic, fault, `seconds` of outage with `meanwhile`, end of the fault, and the wait until all is stored. */
async function outage(
  scene: Scene,
  server: Server,
  sender: Sender,
  seconds: number,
  fault: { begin(): Promise<void> | void; end(): Promise<void> | void },
  meanwhile: () => Promise<void> = async () => undefined,
): Promise<Outage> {
  await sleep(5000);
  const rssBefore = server.rssMb();
  let rssMost = rssBefore;
  const watching = setInterval(() => {
    rssMost = Math.max(rssMost, server.rssMb());
  }, 250);
  const downAt = Date.now();
  await fault.begin();
  await Promise.all([sleep(seconds * 1000), meanwhile()]);
  const upAt = Date.now();
  await fault.end();
  const returned = performance.now();
  await sleep(5000);
  await sender.stop();
  const waited = await scene.caughtUp(120_000);
  const caughtUpMs = waited === null ? null : performance.now() - returned;
  clearInterval(watching);
  const during = (await sender.answers()).filter(({ at }) => at >= downAt && at < upAt);
  const settled = during.filter(({ at }) => at >= downAt + 3000);
  return { downAt, upAt, during, settled, rssGrowthMb: rssMost - rssBefore, caughtUpMs };
}

function describeOutage({ during, settled, rssGrowthMb, caughtUpMs }: Outage): string[] {
  const accepted = during.filter(({ status }) => status === 200).length;
  const p99 = percentile(
    settled.map(({ tookMs }) => tookMs),
    0.99,
  );
  const slowest = Math.max(0, ...during.map(({ tookMs }) => tookMs));
  return [
    `during the outage: ${during.length} answers, ${share(accepted, during.length)} of them 200, p99 ${p99.toFixed(0)} ms after the first 3 s, slowest ${slowest.toFixed(0)} ms`,
    `caught up ${caughtUpMs === null ? 'never' : `${(caughtUpMs / 1000).toFixed(1)} s`} after the return, memory grew by ${rssGrowthMb.toFixed(0)} MB`,
  ];
}

async function durableOutage(
  scene: Scene,
  seconds: number,
  fault: { begin(): Promise<void> | void; end(): Promise<void> | void },
  more: (server: Server, checks: Result['checks'], figures: string[]) => Promise<void> = async () => undefined,
): Promise<Result> {
  const server = scene.server();
  await server.ready();
  const sender = scene.sender(server.url, { rate: 500 });
  const extraChecks: Result['checks'] = [];
  const extraFigures: string[] = [];
  const result = await outage(scene, server, sender, seconds, fault, () => more(server, extraChecks, extraFigures));
  const verdict = await scene.verdict();
  const accepted = result.during.filter(({ status }) => status === 200).length;
  const p99 = percentile(
    result.settled.map(({ tookMs }) => tookMs),
    0.99,
  );
  const slowest = Math.max(0, ...result.during.map(({ tookMs }) => tookMs));
  return {
    figures: [countsOf(verdict), ...describeOutage(result), ...extraFigures],
    checks: [
      ...nothingLost(verdict),
      check(
        '99 % of the answers during the outage are 200',
        accepted >= result.during.length * 0.99,
        share(accepted, result.during.length),
      ),
      check('p99 at most 250 ms after the first 3 s', p99 <= 250, time(p99)),
      check(
        'caught up within 60 s',
        result.caughtUpMs !== null && result.caughtUpMs <= 60_000,
        time(result.caughtUpMs ?? Number.POSITIVE_INFINITY),
      ),
      check('memory grows by at most 150 MB', result.rssGrowthMb <= 150, `${result.rssGrowthMb.toFixed(0)} MB`),
      check('no request open longer than 5 s', slowest <= 5000, time(slowest)),
      ...extraChecks,
    ],
  };
}

export const r1: Row = {
  id: 'R1',
  title: 'PostgreSQL stopped for 60 s at 500 events/s, durable spool',
  async run(stage) {
    const scene = await stage.open();
    const seconds = stage.pace === 'full' ? 60 : 6;
    return durableOutage(scene, seconds, {
      begin: () => scene.postgres.stop(),
      end: () => scene.postgres.start(),
    });
  },
};

export const r3: Row = {
  id: 'R3',
  title: 'PostgreSQL frozen for 60 s: no socket closes',
  async run(stage) {
    const scene = await stage.open();
    const seconds = stage.pace === 'full' ? 60 : 8;
    const fault = { begin: () => scene.postgres.freeze(), end: () => scene.postgres.thaw() };
    return durableOutage(scene, seconds, fault, async (server, checks, figures) => {
      await sleep(3000);
      const since = performance.now();
      const { status } = await fetch(`${server.url}/project/1/overview`, { headers: { accept: 'text/html' } });
      const tookMs = performance.now() - since;
      figures.push(`a screen answered ${status} after ${tookMs.toFixed(0)} ms`);
      checks.push(
        check('screens answer an error within 5 s', tookMs <= 5000 && status >= 500, `${status} after ${time(tookMs)}`),
      );
    });
  },
};

export const r2: Row = {
  id: 'R2',
  title: 'PostgreSQL stopped for 60 s, ephemeral spool',
  async run(stage) {
    const seconds = stage.pace === 'full' ? 60 : 8;
    const results: Result[] = [];
    for (const retry of ['browser', 'none'] as const) results.push(await ephemeralOutage(stage.open, seconds, retry));
    results.push(await ephemeralStop(stage.open));
    return {
      figures: results.flatMap(({ figures }) => figures),
      checks: results.flatMap(({ checks }) => checks),
    };
  },
};

/** A server whose spool is on a disk that it must take for ephemeral: its database is elsewhere. */
async function startEphemeral(scene: Scene): Promise<{ server: Server; database: TcpProxy }> {
  const database = await startProxy(() => ({ host: '127.0.0.1', port: scene.postgres.port }), '0.0.0.0');
  const url = new URL(scene.databaseUrl);
  url.hostname = await remoteName();
  url.port = String(database.port);
  const server = scene.server({ databaseUrl: url.href, env: { SPOOL_DIR: '' } });
  await server.ready();
  return { server, database };
}

/** SIGTERM in the middle of the outage: the rescue spool has the grace period to get its events into the database. */
async function ephemeralStop(open: (name?: string) => Promise<Scene>): Promise<Result> {
  const scene = await open('r2_stop');
  const { server, database } = await startEphemeral(scene);
  const sender = scene.sender(server.url, { rate: 300 });
  await sleep(2000);
  await scene.postgres.stop();
  await sleep(4000);
  await sender.stop();
  const ending = server.end('SIGTERM');
  await sleep(4000);
  await scene.postgres.start();
  const { code, tookMs } = await ending;
  const verdict = await scene.verdict();
  await database.close();
  await scene.close();
  return {
    figures: [
      `stopped in the middle of the outage: ${countsOf(verdict)}; PostgreSQL returned 4 s after SIGTERM, the server ended with ${code} after ${(tookMs / 1000).toFixed(1)} s`,
    ],
    checks: [
      ...nothingLost(verdict),
      check(
        'the rescue spool is drained before the end',
        verdict.stored === verdict.sent,
        `${verdict.stored} of ${verdict.sent}`,
      ),
      check('exit 0 within 30 s', code === 0 && tookMs <= 30_000, time(tookMs)),
    ],
  };
}

async function ephemeralOutage(
  open: (name?: string) => Promise<Scene>,
  seconds: number,
  retry: 'browser' | 'none',
): Promise<Result> {
  const scene = await open(`r2_${retry}`);
  const { server, database } = await startEphemeral(scene);
  const sender = scene.sender(server.url, { rate: 500, retry });
  let retryAfter: string | null = null;
  const result = await outage(
    scene,
    server,
    sender,
    seconds,
    { begin: () => scene.postgres.stop(), end: () => scene.postgres.start() },
    async () => {
      await sleep(4000);
      const body = JSON.stringify({ api_key: TOKEN, event: 'probe', distinct_id: 'x' });
      const answer = await fetch(`${server.url}/ingest/e/`, { method: 'POST', body });
      retryAfter = answer.headers.get('retry-after');
    },
  );
  await everythingStored(scene);
  const verdict = await scene.verdict();
  await database.close();
  const accepted = result.during.filter(({ status, at, tookMs }) => status === 200 && at + tookMs < result.upAt).length;
  // The requests that the stop itself met have the 2 s limit in front of their answer.
  const late = result.during.filter(({ tookMs }) => tookMs > 3000).length;
  const stored = verdict.stored / verdict.sent;
  await scene.close();
  return {
    figures: [
      `${retry === 'none' ? 'a sender that never retries' : 'a sender that retries as browsers do'}: ${countsOf(verdict)}`,
      ...describeOutage(result),
      `Retry-After: ${retryAfter}; stored of all sent: ${(stored * 100).toFixed(3)} %`,
    ],
    checks: [
      ...nothingLost(verdict),
      check('no 200 while down', accepted === 0, accepted),
      check('503 within 3 s', late === 0, time(Math.max(0, ...result.during.map(({ tookMs }) => tookMs)))),
      check('Retry-After is present', retryAfter !== null, `${retryAfter} s`),
      check('99.9 % of everything sent is stored', stored >= 0.999, share(verdict.stored, verdict.sent)),
    ],
  };
}

/** The rescue spool and retrying browsers need their time; what is stored then stops growing. */
async function everythingStored(scene: Scene): Promise<void> {
  for (const since = performance.now(); performance.now() - since < 60_000; ) {
    const { sent, stored } = await scene.verdict();
    if (stored === sent) return;
    await sleep(1000);
  }
}

/** A name or address of this machine that does not say so: the server must take the database for a remote one. */
async function remoteName(): Promise<string> {
  const own = Object.values(networkInterfaces())
    .flat()
    .find((address) => address?.family === 'IPv4' && !address.internal);
  if (own) return own.address;
  await lookup(hostname());
  return hostname();
}

export const r5: Row = {
  id: 'R5',
  title: 'kill -9 of the server 20 times while PostgreSQL comes and goes; start with 100,000 spooled',
  async run(stage) {
    const scene = await stage.open();
    const kills = stage.pace === 'full' ? 20 : 4;
    const spooled = stage.pace === 'full' ? 100_000 : 5000;
    const first = scene.server();
    await first.ready();
    const sender = scene.sender(first.url, { rate: 500 });
    const port = Number(new URL(first.url).port);
    let server = first;
    await sleep(1000);
    for (let n = 0; n < kills; n++) {
      // Even kills meet the spooling, odd ones the replay.
      if (n % 2 === 0) await scene.postgres.stop();
      else await scene.postgres.start();
      await sleep(300 + Math.random() * 1200);
      await server.end('SIGKILL');
      server = scene.server({ port });
      await server.ready();
    }
    if (kills % 2 === 1) await scene.postgres.start();
    await sender.stop();
    await scene.postgres.stop();
    const bulk = scene.sender(server.url, { rate: Math.min(spooled / 5, 20_000), batch: 100 });
    await waitForSpooled(scene, spooled);
    await bulk.stop();
    await server.end('SIGKILL');
    const restarted = scene.server({ port });
    const readyMs = await restarted.ready();
    await scene.postgres.start();
    const caughtUpMs = await scene.caughtUp(180_000);
    const verdict = await scene.verdict();
    return {
      figures: [
        countsOf(verdict),
        `ready ${readyMs.toFixed(0)} ms after the start with ${spooled} spooled events, stored ${((caughtUpMs ?? 0) / 1000).toFixed(1)} s after PostgreSQL's return`,
      ],
      checks: [
        ...nothingLost(verdict),
        check('ready within 5 s', readyMs <= 5000, time(readyMs)),
        check('everything is stored', caughtUpMs !== null),
      ],
    };
  },
};

async function waitForSpooled(scene: Scene, events: number): Promise<void> {
  const before = await countAcked(scene);
  for (const since = performance.now(); performance.now() - since < 120_000; ) {
    if ((await countAcked(scene)) - before >= events) return;
    await sleep(250);
  }
  throw new Error(`${events} events could not be spooled within 120 s`);
}

async function countAcked(scene: Scene): Promise<number> {
  const text = await readFile(join(scene.folder, 'acked.txt'), 'utf8');
  return text.split('\n').length - 1;
}

export const r17: Row = {
  id: 'R17',
  title: '50 slow questions at once',
  async run(stage) {
    const scene = await stage.open();
    const server = scene.server();
    await server.ready();
    const { cookie, project } = await setUpOwner(server.url);
    const sender = scene.sender(server.url, { rate: 200 });
    await sleep(2000);
    // Queries read this table and ingestion does not: a lock on it blocks only queries.
    const holder = new Client({ connectionString: scene.databaseUrl });
    await holder.connect();
    await holder.query('begin');
    await holder.query('lock table person_overrides in access exclusive mode');
    const beganAt = Date.now();
    const questions = Array.from({ length: 50 }, async () => {
      const since = performance.now();
      const answer = await fetch(`${server.url}/project/${project}/overview`, {
        headers: { cookie, accept: 'text/html' },
      });
      await answer.text();
      return performance.now() - since;
    });
    const tooks = await Promise.all(questions);
    const endedAt = Date.now();
    await holder.query('rollback');
    await holder.end();
    await sender.stop();
    const during = (await sender.answers()).filter(({ at }) => at >= beganAt && at < endedAt);
    const p99 = percentile(
      during.map(({ tookMs }) => tookMs),
      0.99,
    );
    const longest = Math.max(...tooks);
    const verdict = await scene.verdict();
    return {
      figures: [
        countsOf(verdict),
        `/ingest p99 ${p99.toFixed(0)} ms over ${during.length} answers meanwhile; the longest question ended after ${(longest / 1000).toFixed(1)} s`,
      ],
      checks: [
        ...nothingLost(verdict),
        check('/ingest p99 at most 500 ms', p99 <= 500, time(p99)),
        check('a time limit ends the questions', longest <= 25_000, time(longest)),
      ],
    };
  },
};
