/** What strangers send to keep the processor or the memory busy: to the calls of the screens without a session, to `/ingest` without a project. */
import { setTimeout as sleep } from 'node:timers/promises';
import { makeBombs } from '#test/kit/bombs.ts';
import { callBombs } from '../kit/call-bombs.ts';
import { check, type Result, type Row, type Stage, time } from '../kit/row.ts';
import type { Server } from '../kit/server.ts';

const MAX_STALL_MS = 500;
const MAX_ANSWER_MS = 1_000;
const INFLATED_BYTES = 16 * 1024 * 1024;

interface Shot {
  kind: string;
  path: string;
  init: RequestInit;
}

export const r23: Row = {
  id: 'R23',
  title: 'bombs for the calls of the screens, sent without a session',
  run: (stage) =>
    bombard(stage, (server) =>
      callBombs().map(({ kind, method, path, body }) => ({
        kind: `${method} ${kind}`,
        path,
        init: {
          method,
          headers: { 'content-type': 'application/json', origin: server.url },
          body: body ?? null,
        },
      })),
    ),
};

export const r24: Row = {
  id: 'R24',
  title: 'bombs for /ingest, sent without a project',
  run: (stage) =>
    bombard(stage, () =>
      makeBombs(INFLATED_BYTES).map(({ kind, body, contentType = 'text/plain', compression }) => ({
        kind,
        path: `/ingest/e/${compression === undefined ? '' : `?compression=${compression}`}`,
        init: { method: 'POST', headers: { 'content-type': contentType }, body: new Uint8Array(body) },
      })),
    ),
};

async function bombard(stage: Stage, shotsAt: (server: Server) => Shot[]): Promise<Result> {
  const scene = await stage.open();
  const server = scene.server();
  await server.ready();
  // The thread that draws begins with the first page.
  await (await fetch(`${server.url}/sign-in`)).text();
  const shots = shotsAt(server);
  const rounds = stage.pace === 'full' ? 5 : 1;
  const before = server.rssMb();
  const health = watchHealth(server);
  let slowest = { kind: '', ms: 0 };
  const unexpected = new Map<string, number>();
  for (let round = 0; round < rounds; round++) {
    for (const { kind, path, init } of shots) {
      health.now(kind);
      const since = performance.now();
      const answer = await fetch(`${server.url}${path}`, init);
      await answer.text();
      const ms = performance.now() - since;
      if (ms > slowest.ms) slowest = { kind, ms };
      if (!REFUSALS.has(answer.status)) {
        const what = `${answer.status} ${kind}`;
        unexpected.set(what, (unexpected.get(what) ?? 0) + 1);
      }
      // What strangers may call is counted by minute: the next one is to be looked at again.
      await scene.query('delete from rate_limits');
    }
  }
  const stall = await health.stop();
  const grown = server.rssMb() - before;
  return {
    figures: [
      `${rounds * shots.length} bombs; slowest answer ${time(slowest.ms)} (${slowest.kind}); worst stall of /healthz ${time(stall.ms)} (${stall.during}); memory ${before.toFixed(0)} MB, then ${grown.toFixed(0)} more`,
    ],
    checks: [
      check('each refused', unexpected.size === 0, JSON.stringify(Object.fromEntries(unexpected))),
      check('each answered within 1 s', slowest.ms <= MAX_ANSWER_MS, time(slowest.ms)),
      check('no stall of /healthz over 500 ms', stall.ms <= MAX_STALL_MS, time(stall.ms)),
      check('the process is there', !server.hasEnded),
    ],
  };
}

/** 207: a batch of several refusals. 429: so many were refused already that the rest is not looked at. */
const REFUSALS: ReadonlySet<number> = new Set([207, 400, 401, 403, 405, 413, 414, 429, 431]);

/** Asks `/healthz` all the time, and keeps the longest wait. */
function watchHealth(server: Server) {
  let longest = { during: '', ms: 0 };
  let during = '';
  let isOver = false;
  const asking = (async () => {
    while (!isOver) {
      const since = performance.now();
      await (await fetch(`${server.url}/healthz`)).text();
      const ms = performance.now() - since;
      if (ms > longest.ms) longest = { during, ms };
      await sleep(10);
    }
  })();
  return {
    now(kind: string) {
      during = kind;
    },
    async stop() {
      isOver = true;
      await asking;
      return longest;
    },
  };
}
