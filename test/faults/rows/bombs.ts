/** What strangers send to keep the processor or the memory busy: to the calls of the screens without a session, to `/ingest` without a project. */
import { setTimeout as sleep } from 'node:timers/promises';
import { makeBombs } from '#test/kit/bombs.ts';
import { doorBomb, doorBombs } from '#test/kit/door-bombs.ts';
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

/** One door after the other, whichever bomb is next: at the full pace each bomb comes once. */
const doors: readonly [method: string, path: string][] = [
  ...['/', '/sign-in', '/sign-in/link', '/sign-in/new-password', '/invite/no-token', '/setup', '/_app'].map(get),
  ...['/project/1/overview', '/project/1/events', '/project/1/persons', '/team/1/members', '/status'].map(get),
  ...['/project/1/overview/table.csv', '/project/1/events/export', '/project/1/persons/export', '/api/exports/1/1'].map(
    get,
  ),
  ...['/api/v1/projects', '/api/v1/projects/1/events', '/api/v1/projects/1/query/overview', '/api/openapi.json'].map(
    get,
  ),
  ...['/ingest/flags/', '/ingest/array/lnt_x/config', '/ingest/static/array.js', '/ingest/e/', '/metrics'].map(get),
  ...['/api/sign-in/password', '/api/sign-in/link', '/api/sign-in/link/use', '/api/sign-in/second-step'].map(post),
  ...['/api/sign-in/passkey', '/api/v1/projects/1/annotations', '/preferences', '/sign-out'].map(post),
  ...['/ingest/e/', '/ingest/batch/', '/ingest/flags/', '/ingest/va/view', '/ingest/i/v1/analytics/events'].map(post),
];

function get(path: string): [string, string] {
  return ['GET', path];
}

function post(path: string): [string, string] {
  return ['POST', path];
}

/** Of the bombs so many are left out at the short pace. */
const SHORT_STEP = 23;

export const r27: Row = {
  id: 'R27',
  title: 'long texts of every kind in every part of requests to every door, sent by strangers',
  run: (stage) =>
    bombard(
      stage,
      ({ url }) => {
        const step = stage.pace === 'full' ? 1 : SHORT_STEP;
        return Array.from({ length: Math.floor(doorBombs / step) }, (_, at): Shot => {
          const { kind, search, headers, body } = doorBomb(at * step);
          const [method, path] = doors[at % doors.length] as [string, string];
          const isSent = method === 'POST';
          return {
            kind: `${method} ${path} ${kind}`,
            path: `${path}${search === '' ? '' : `?${search}`}`,
            init: {
              method,
              redirect: 'manual',
              headers: isSent ? { origin: url, ...headers } : headers,
              body: isSent ? new Uint8Array(body ?? Buffer.from('{}')) : null,
            },
          };
        });
      },
      { rounds: 1, refusals: new Set([...REFUSALS, 0, 200, 302, 303, 304, 404, 408, 415]) },
    ),
};

async function bombard(
  stage: Stage,
  shotsAt: (server: Server) => Shot[],
  {
    rounds = stage.pace === 'full' ? 5 : 1,
    refusals = REFUSALS,
  }: { rounds?: number; refusals?: ReadonlySet<number> } = {},
): Promise<Result> {
  const scene = await stage.open();
  const server = scene.server();
  await server.ready();
  // The thread that draws begins with the first page.
  await (await fetch(`${server.url}/sign-in`)).text();
  const shots = shotsAt(server);
  const before = server.rssMb();
  const health = watchHealth(server);
  let slowest = { kind: '', ms: 0 };
  const unexpected = new Map<string, number>();
  for (let round = 0; round < rounds; round++) {
    for (const { kind, path, init } of shots) {
      health.now(kind);
      const since = performance.now();
      const status = await statusOf(fetch(`${server.url}${path}`, init));
      const ms = performance.now() - since;
      if (ms > slowest.ms) slowest = { kind, ms };
      if (!refusals.has(status)) {
        const what = `${status} ${kind}`;
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

/** 0: the connection was closed before all was sent, or before the answer was read. */
async function statusOf(asked: Promise<Response>): Promise<number> {
  try {
    const answer = await asked;
    await answer.text();
    return answer.status;
  } catch {
    return 0;
  }
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
      // A connection that a bomb was refused on may be the one that is taken.
      while ((await statusOf(fetch(`${server.url}/healthz`))) === 0 && !server.hasEnded) await sleep(1);
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
