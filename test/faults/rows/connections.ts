/** A database plan of few connections. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { setUpOwner } from '#test/kit/sign-in.ts';
import { check, countsOf, nothingLost, type Row } from '../kit/row.ts';

const ALLOWED = 30;
/** Of a web process without jobs, and of a worker: what they need at least. */
const OF_WEB = '11';
const OF_WORKER = '8';
const AUTH_SECRET = 'of the few connections, and of nothing else: 0123456789';

export const r28: Row = {
  id: 'R28',
  title: `two web processes and a worker on ${ALLOWED} connections, under light load`,
  async run(stage) {
    const scene = await stage.open();
    const url = new URL(scene.databaseUrl);
    const role = 'few';
    await asSuperuser(scene.postgres.urlOf('postgres'), [
      `create role ${role} login connection limit ${ALLOWED} password 'few'`,
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
    const few = { databaseUrl: url.href };
    const env = { AUTH_SECRET, JOBS: 'worker' };
    const worker = scene.server({ ...few, entry: 'worker.js', env: { AUTH_SECRET, DATABASE_CONNECTIONS: OF_WORKER } });
    const webs = [0, 1].map(() => scene.server({ ...few, env: { ...env, DATABASE_CONNECTIONS: OF_WEB } }));
    for (const web of webs) await web.ready(60_000);
    const [first] = webs as [(typeof webs)[number]];
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
    const counting = (async () => {
      while (performance.now() < until) {
        most = Math.max(most, await connectionsOf(scene.postgres.urlOf('postgres'), role));
        await sleep(250);
      }
    })();
    await Promise.all([...readers, counting]);
    for (const sender of senders) await sender.stop();
    await scene.caughtUp(60_000);
    const verdict = await scene.verdict();
    const statuses = [...answers].map(([status, count]) => `${status}: ${count}`).join(', ');
    return {
      figures: [countsOf(verdict), `pages ${statuses}`, `at most ${most} connections of ${ALLOWED}`],
      checks: [
        ...nothingLost(verdict),
        check(
          'every page is answered',
          [...answers.keys()].every((status) => status === 200),
          statuses,
        ),
        check('the role has connections left', most < ALLOWED, most),
        check('the worker runs', !worker.hasEnded, worker.hasEnded ? worker.log().slice(-500) : 'yes'),
      ],
    };
  },
};

async function connectionsOf(url: string, role: string): Promise<number> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ n: number }>(
      'select count(*)::int as n from pg_stat_activity where usename = $1',
      [role],
    );
    return rows[0]?.n ?? 0;
  });
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
