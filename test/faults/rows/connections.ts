/** Database plans of few connections. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { setUpOwner } from '#test/kit/sign-in.ts';
import { openPostgres } from '../kit/postgres.ts';
import { check, countsOf, nothingLost, type Result, type Row, type Stage } from '../kit/row.ts';
import type { Scene } from '../kit/scene.ts';
import type { Server } from '../kit/server.ts';

const ALLOWED = 30;
/** Of a web process without jobs, and of a worker: what they need at least. */
const OF_WEB = '11';
const OF_WORKER = '8';
const AUTH_SECRET = 'of the few connections, and of nothing else: 0123456789';

/** Of a small plan, for everybody: three of them are kept for superusers. */
const OF_PLAN = 20;
const OF_ROLES = OF_PLAN - 3;

export const r28: Row = {
  id: 'R28',
  title: `two web processes and a worker on ${ALLOWED} connections, under light load`,
  async run(stage) {
    const scene = await stage.open();
    const databaseUrl = await asRoleOf(scene, ALLOWED);
    const env = { AUTH_SECRET, JOBS: 'worker', DATABASE_CONNECTIONS: OF_WEB };
    const worker = scene.server({
      databaseUrl,
      entry: 'worker.js',
      env: { AUTH_SECRET, DATABASE_CONNECTIONS: OF_WORKER },
    });
    const webs = [0, 1].map(() => scene.server({ databaseUrl, env }));
    return underLightLoad(stage, scene, { webs, worker, allowed: ALLOWED });
  },
};

export const r29: Row = {
  id: 'R29',
  title: `one process with everything on a PostgreSQL of ${OF_PLAN} connections, nothing set, under light load`,
  async run(stage) {
    const [home, port] = [`${stage.scratch}/r29-postgres`, await stage.freePort()];
    const settings = { max_connections: String(OF_PLAN), shared_buffers: '64MB' };
    const postgres = await openPostgres(stage.root, home, port, settings);
    await postgres.start();
    try {
      const scene = await stage.open('r29', { postgres });
      const databaseUrl = await asRoleOf(scene, -1);
      const web = scene.server({ databaseUrl, env: { AUTH_SECRET } });
      const result = await underLightLoad(stage, scene, { webs: [web], worker: null, allowed: OF_ROLES });
      await scene.close();
      return result;
    } finally {
      await postgres.stop();
    }
  },
};

/** The address of the scene's database for a role that may open so many connections and is no superuser. */
async function asRoleOf(scene: Scene, limit: number): Promise<string> {
  const url = new URL(scene.databaseUrl);
  const role = 'few';
  await asSuperuser(scene.postgres.urlOf('postgres'), [
    `create role ${role} login connection limit ${limit} password 'few'`,
    `grant pg_read_all_data, pg_write_all_data to ${role}`,
  ]);
  await asSuperuser(scene.databaseUrl, [
    `reassign owned by ${url.username} to ${role}`,
    `alter schema public owner to ${role}`,
  ]).catch(async () => {
    // The role of the cluster cannot give all it owns away: the new one acts with its rights instead.
    await asSuperuser(scene.postgres.urlOf('postgres'), [`grant ${url.username} to ${role}`]);
  });
  url.username = role;
  url.password = 'few';
  return url.href;
}

interface LightLoad {
  webs: readonly Server[];
  worker: Server | null;
  /** Connections that the role may have. */
  allowed: number;
}

/** Senders and readers of every web process for a while. */
async function underLightLoad(stage: Stage, scene: Scene, { webs, worker, allowed }: LightLoad): Promise<Result> {
  for (const web of webs) await web.ready(60_000);
  const [first] = webs as [Server];
  const { cookie, project } = await setUpOwner(first.url);
  const senders = webs.map((web) => scene.sender(web.url, { rate: 100, batch: 5 }));
  const answers = new Map<number, number>();
  let most = 0;
  const until = performance.now() + (stage.pace === 'full' ? 120_000 : 20_000);
  const readers = webs.flatMap((web) =>
    ['overview', 'events', 'live'].map(async (screen) => {
      while (performance.now() < until) {
        const answer = await fetch(`${web.url}/project/${project}/${screen}`, { headers: { cookie } });
        const text = await answer.text();
        const failed = text.includes('unavailable') ? 503 : answer.status;
        answers.set(failed, (answers.get(failed) ?? 0) + 1);
        await sleep(200);
      }
    }),
  );
  const counting = withClient(scene.postgres.urlOf('postgres'), async (client) => {
    while (performance.now() < until) {
      most = Math.max(most, await connectionsOf(client));
      await sleep(250);
    }
  });
  await Promise.all([...readers, counting]);
  for (const sender of senders) await sender.stop();
  await scene.caughtUp(60_000);
  const verdict = await scene.verdict();
  const statuses = [...answers].map(([status, count]) => `${status}: ${count}`).join(', ');
  const refusals = [...webs, ...(worker ? [worker] : [])].filter((server) => server.log().includes('53300'));
  return {
    figures: [countsOf(verdict), `pages ${statuses}`, `at most ${most} connections of ${allowed}`],
    checks: [
      ...nothingLost(verdict),
      check(
        'every page is answered',
        [...answers.keys()].every((status) => status === 200),
        statuses,
      ),
      check('the role has connections left', most < allowed, most),
      check('no connection was refused', refusals.length === 0, refusals.length),
      check('the worker runs', !worker?.hasEnded, worker?.hasEnded ? worker.log().slice(-500) : 'yes'),
    ],
  };
}

async function connectionsOf(client: Client): Promise<number> {
  const { rows } = await client.query<{ n: number }>(
    "select count(*)::int as n from pg_stat_activity where usename = 'few'",
  );
  return rows[0]?.n ?? 0;
}

function asSuperuser(url: string, statements: readonly string[]): Promise<void> {
  return withClient(url, async (client) => {
    for (const statement of statements) await client.query(statement);
  });
}

async function withClient<Result>(url: string, run: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await run(client);
  } finally {
    await client.end();
  }
}
