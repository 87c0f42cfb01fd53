/** A slow upstream in relay mode. */

import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import { type SeenRequest, startUpstream } from '#test/kit/upstream.ts';
import { check, countsOf, nothingLost, percentile, type Row, time } from '../kit/row.ts';
import { type Scene, TOKEN } from '../kit/scene.ts';
import type { Server } from '../kit/server.ts';

type Behaviour = (req: IncomingMessage, res: ServerResponse) => void;

const behaviours: { name: string; respond: Behaviour }[] = [
  {
    name: '30 s to the first byte',
    respond: (req, res) => {
      req.resume();
      const timer = setTimeout(() => res.end('late'), 30_000);
      res.on('close', () => clearTimeout(timer));
    },
  },
  { name: 'hangs', respond: (req) => void req.resume() },
  {
    name: 'resets in the middle',
    respond: (req, res) => {
      res.writeHead(200, { 'content-length': '1000' });
      res.write('half');
      setTimeout(() => req.socket.resetAndDestroy(), 200);
    },
  },
  {
    name: 'a byte a second',
    respond: (req, res) => {
      req.resume();
      const dripping = setInterval(() => res.write('x'), 1000);
      res.on('close', () => clearInterval(dripping));
    },
  },
];

export const r13: Row = {
  id: 'R13',
  title: 'a slow upstream in relay mode, 200 requests in parallel',
  async run(stage) {
    const scene = await stage.open();
    const upstream = await startUpstream();
    const server = scene.server({ env: { PUBLIC_POSTHOG_HOST: upstream.url } });
    await server.ready();
    await pagesP95(server, 60);
    const before = await pagesP95(server, 200);
    const filesBefore = server.openFiles();
    const figures = [`other pages before: p95 ${before.toFixed(1)} ms`];
    const checks = [];
    const chosen = stage.pace === 'full' ? behaviours : behaviours.slice(1, 3);
    for (const { name, respond } of chosen) {
      upstream.respond = respond;
      const leaving = new AbortController();
      const storm = Array.from({ length: 200 }, () => post(server, leaving.signal));
      await sleep(500);
      const during = await pagesP95(server, 200);
      const answered = await Promise.race([Promise.all(storm), sleep(20_000, null)]);
      leaving.abort();
      const all = await Promise.all(storm);
      const endedAt = performance.now();
      let sockets = upstream.connections;
      let files = server.openFiles();
      // The clients' own ends of their connections take a moment as well.
      while ((sockets > 0 || files > filesBefore + 20) && performance.now() - endedAt < 15_000) {
        await sleep(250);
        sockets = upstream.connections;
        files = server.openFiles();
      }
      const backMs = performance.now() - endedAt;
      const longest = Math.max(...all.map(({ tookMs }) => tookMs));
      figures.push(
        `${name}: pages p95 ${during.toFixed(1)} ms; ${statuses(all)}; longest ${(longest / 1000).toFixed(1)} s${answered ? '' : ', then the client left'}; ${sockets} sockets upstream ${time(backMs)} later, open files ${filesBefore} before, ${files} after`,
      );
      checks.push(
        // Two or three milliseconds are the noise of a page; a fifth is what the table allows.
        check(
          `${name}: other pages' p95 within 20 %`,
          during <= before * 1.2 + 3,
          `${before.toFixed(1)} → ${during.toFixed(1)} ms`,
        ),
        check(`${name}: sockets are back within 15 s`, sockets === 0 && files <= filesBefore + 20, time(backMs)),
      );
      if (name === 'hangs' || name.startsWith('30 s')) {
        checks.push(
          check(
            `${name}: 504 at the limit`,
            all.every(({ status }) => status === 504),
          ),
        );
      }
      upstream.respond = (_req, res) => void res.end('fine');
    }
    await upstream.stop();
    return { figures: ['lost 0, twice 0: nothing is acknowledged here', ...figures], checks };
  },
};

export const m1: Row = {
  id: 'M1',
  title: 'mirror: PostgreSQL stopped, then the upstream away, then the server killed',
  async run(stage) {
    const scene = await stage.open();
    const seconds = stage.pace === 'full' ? 20 : 3;
    let upstream = await startUpstream();
    const { url } = upstream;
    const seen = new Set<string>();
    const env = { PUBLIC_POSTHOG_HOST: url, INGEST_MODE: 'mirror' };
    const first = scene.server({ env });
    await first.ready();
    const port = Number(new URL(first.url).port);
    const sender = scene.sender(first.url, { rate: 200 });
    await sleep(seconds * 1000);
    await scene.postgres.stop();
    await sleep(seconds * 1000);
    await scene.postgres.start();
    await sleep(seconds * 1000);
    collect(upstream.seen, seen);
    await upstream.stop();
    await sleep(seconds * 1000);
    upstream = await startUpstream(Number(new URL(url).port));
    await first.end('SIGKILL');
    const second = scene.server({ env, port });
    await second.ready();
    await sleep(2000);
    await sender.stop();
    await scene.caughtUp(60_000);
    const since = performance.now();
    let waiting = await inQueue(scene);
    while (waiting > 0 && performance.now() - since < 90_000) {
      await sleep(500);
      waiting = await inQueue(scene);
    }
    collect(upstream.seen, seen);
    await upstream.stop();
    const verdict = await scene.verdict();
    const acked = (await readFile(join(scene.folder, 'acked.txt'), 'utf8')).split('\n').filter((uuid) => uuid !== '');
    const missing = acked.filter((uuid) => !seen.has(uuid)).length;
    return {
      figures: [
        countsOf(verdict),
        `the upstream has ${seen.size} different events, ${missing} of the acknowledged are missing there, ${waiting} requests wait`,
      ],
      checks: [
        ...nothingLost(verdict),
        check('the upstream misses nothing that was acknowledged', missing === 0, missing),
      ],
    };
  },
};

const DROPPED = 50;

export const m2: Row = {
  id: 'M2',
  title: 'mirror with a worker beside the web process: the worker killed, the web process stopped, both begun again',
  async run(stage) {
    const scene = await stage.open();
    const seconds = stage.pace === 'full' ? 15 : 4;
    const upstream = await startUpstream();
    const env = { PUBLIC_POSTHOG_HOST: upstream.url, INGEST_MODE: 'mirror', JOBS: 'worker' };
    const worker = () => scene.server({ env, entry: 'worker.js' });
    const first = scene.server({ env });
    await first.ready();
    let working = worker();
    const port = Number(new URL(first.url).port);
    const sender = scene.sender(first.url, { rate: 200 });
    for (let n = 0; n < DROPPED; n++) await sendNobodys(first);
    await sleep(seconds * 1000);
    await working.end('SIGKILL');
    working = worker();
    await sleep(seconds * 1000);
    const before = await warningsOf(scene);
    const { code } = await first.end('SIGTERM');
    const second = scene.server({ env, port });
    await second.ready();
    await sleep(seconds * 1000);
    await sender.stop();
    const since = performance.now();
    let waiting = await inQueue(scene);
    while (waiting > 0 && performance.now() - since < 150_000) {
      await sleep(500);
      waiting = await inQueue(scene);
    }
    await working.end('SIGTERM');
    await second.end('SIGTERM');
    await upstream.stop();
    const seen = new Set<string>();
    collect(upstream.seen, seen);
    const verdict = await scene.verdict();
    const [counts] = await scene.query<{ passed: string; failed: string }>(
      'select sum(passed) as passed, sum(failed) as failed from relay_counts',
    );
    const [stored] = await scene.query<{ events: string }>(
      `select sum(m.events) as events from ingestion_minutes m join projects p on p.id = m.project_id
        where p.name = 'Faults' and m.outcome = 'stored'`,
    );
    const after = await warningsOf(scene);
    const passed = Number(counts?.passed);
    return {
      figures: [
        countsOf(verdict),
        `the upstream has ${seen.size} different requests of ${upstream.seen.length}, ${passed} are counted as passed on and ${counts?.failed} as failed, ${waiting} wait; ${stored?.events} counted as stored; warnings ${before} → ${after}`,
      ],
      checks: [
        ...nothingLost(verdict),
        check('the web process ends with 0', code === 0),
        check('nothing waits', waiting === 0, waiting),
        check('each request is counted as passed on once', passed === seen.size, `${passed} of ${seen.size}`),
        check('each event is counted as stored once', Number(stored?.events) === verdict.stored, stored?.events),
        check(
          'warnings are the same after the restart',
          after === before && before === DROPPED,
          `${before} → ${after}`,
        ),
      ],
    };
  },
};

/** An event that nobody did: dropped here, and passed on all the same. */
async function sendNobodys(server: Server): Promise<void> {
  const body = gzipSync(JSON.stringify({ api_key: TOKEN, batch: [{ event: 'nobody', uuid: randomUUID() }] }));
  await fetch(`${server.url}/ingest/batch/`, { method: 'POST', body });
}

async function warningsOf(scene: Scene): Promise<number> {
  const [row] = await scene.query<{ times: string }>(
    `select coalesce(sum(times), 0) as times from ingestion_warnings where reason = 'no_distinct_id'`,
  );
  return Number(row?.times);
}

/** The uuids in the bodies that the upstream got. */
function collect(requests: SeenRequest[], into: Set<string>): void {
  for (const { body } of requests) {
    const { batch } = JSON.parse(gunzipSync(body).toString()) as { batch: { uuid: string }[] };
    for (const { uuid } of batch) into.add(uuid);
  }
}

async function inQueue(scene: Scene): Promise<number> {
  const [row] = await scene.query<{ count: string }>('select count(*) from relay_queue where refused is null');
  return Number(row?.count);
}

/** On a connection of its own, so that the server's open files say what the relay holds. */
function post(server: Server, signal: AbortSignal): Promise<{ status: number; tookMs: number }> {
  const since = performance.now();
  return new Promise((resolve) => {
    const over = (status: number) => resolve({ status, tookMs: performance.now() - since });
    const call = request(`${server.url}/ingest/e/`, { agent: false, method: 'POST', signal }, (res) => {
      res.on('end', () => over(res.statusCode ?? 0)).on('error', () => over(0));
      res.resume();
    });
    call.on('error', () => over(0));
    call.end('{}');
  });
}

async function pagesP95(server: Server, times: number): Promise<number> {
  const tooks: number[] = [];
  for (let n = 0; n < times; n++) {
    const since = performance.now();
    const answer = await fetch(`${server.url}/_app`);
    await answer.text();
    tooks.push(performance.now() - since);
  }
  return percentile(tooks, 0.95);
}

function statuses(answers: { status: number }[]): string {
  const counts = new Map<number, number>();
  for (const { status } of answers) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts].map(([status, times]) => `${times} × ${status === 0 ? 'broken off' : status}`).join(', ');
}
