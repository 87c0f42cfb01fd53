/** Processes that die, stop and start. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { check, countsOf, nothingLost, type Row, share, time } from '../kit/row.ts';
import { addProject, type Scene, TOKEN } from '../kit/scene.ts';
import type { Server } from '../kit/server.ts';
import { startProxy } from '../kit/tcp-proxy.ts';

export const r4: Row = {
  id: 'R4',
  title: 'kill -9 of the server at random moments, PostgreSQL up',
  async run(stage) {
    const scene = await stage.open();
    const kills = stage.pace === 'full' ? 20 : 3;
    let server = scene.server();
    await server.ready();
    const port = Number(new URL(server.url).port);
    const sender = scene.sender(server.url, { rate: 500, batch: 10 });
    let slowestMs = 0;
    for (let n = 0; n < kills; n++) {
      await sleep(500 + Math.random() * 1000);
      await server.end('SIGKILL');
      server = scene.server({ port });
      slowestMs = Math.max(slowestMs, await server.ready());
    }
    await sleep(500);
    await sender.stop();
    await scene.caughtUp(20_000);
    const verdict = await scene.verdict();
    return {
      figures: [countsOf(verdict), `${kills} kills; ready again within ${slowestMs.toFixed(0)} ms`],
      checks: [...nothingLost(verdict), check('something was stored', verdict.stored > 0, verdict.stored)],
    };
  },
};

export const r9: Row = {
  id: 'R9',
  title: 'SIGTERM at 500 events/s',
  async run(stage) {
    const scene = await stage.open();
    const server = scene.server();
    await server.ready();
    // The short rows run beside other tests, which leave little of the processors: 20 requests a second, where the full ones are 500.
    const sender = scene.sender(server.url, { rate: 500, batch: stage.pace === 'full' ? 1 : 25 });
    await sleep(stage.pace === 'full' ? 5000 : 2000);
    // A machine with other work may have begun to send only now.
    const limit = performance.now() + 30_000;
    while (!(await sender.answers()).some(({ status }) => status === 200) && performance.now() < limit)
      await sleep(100);
    const stoppedAt = Date.now();
    const ending = server.end('SIGTERM', 20_000);
    // The signal has to get through to a process that shares its processors with the sender.
    await sleep(250);
    const isStillReady = await server.isReady();
    const { code, tookMs } = await ending;
    await sender.stop();
    // On a busy machine the sender connects and writes long after it began: what was not written yet could not be read.
    const broken = (await sender.answers()).filter(
      ({ writtenAt, status }) => status === 0 && writtenAt > 0 && writtenAt < stoppedAt,
    ).length;
    // What a slow database had not taken yet waits on disk for the next start.
    await scene.server().ready();
    await scene.caughtUp(20_000);
    const verdict = await scene.verdict();
    return {
      figures: [
        countsOf(verdict),
        `ended with ${code} after ${tookMs.toFixed(0)} ms; ${broken} requests under way were broken off`,
      ],
      checks: [
        ...nothingLost(verdict),
        check('something was stored', verdict.stored > 0, verdict.stored),
        check('exit 0 within 10 s', code === 0 && tookMs <= 10_000, time(tookMs)),
        check('not ready at once', !isStillReady),
        check('no request under way was broken off', broken === 0, broken),
      ],
    };
  },
};

export const r10: Row = {
  id: 'R10',
  title: 'rolling restart: two processes, one restarted every 5 s, behind a proxy that follows readiness',
  async run(stage) {
    const scene = await stage.open();
    const servers: Server[] = [scene.server(), scene.server()];
    await Promise.all(servers.map((server) => server.ready()));
    const ready = servers.map(() => true);
    let turn = 0;
    const proxy = await startProxy(() => {
      for (let n = 0; n < servers.length; n++) {
        const index = (turn + n) % servers.length;
        if (!ready[index]) continue;
        turn = index + 1;
        return { host: '127.0.0.1', port: portOf(servers[index] as Server) };
      }
      return null;
    });
    const following = setInterval(() => {
      for (const [index, server] of servers.entries()) {
        void server.isReady().then((isReady) => {
          ready[index] = isReady;
        });
      }
    }, 25);
    const sender = scene.sender(`http://127.0.0.1:${proxy.port}`, { rate: 300, retry: 'browser' });
    const seconds = stage.pace === 'full' ? 120 : 15;
    let restarts = 0;
    for (const since = performance.now(); performance.now() - since < seconds * 1000; restarts++) {
      await sleep(5000);
      const index = restarts % servers.length;
      const old = servers[index] as Server;
      await old.end('SIGTERM', 20_000);
      servers[index] = scene.server({ port: portOf(old) });
      await (servers[index] as Server).ready();
    }
    await sleep(1000);
    await sender.stop();
    clearInterval(following);
    const answers = await sender.answers();
    await scene.caughtUp(20_000);
    const verdict = await scene.verdict();
    await proxy.close();
    const failed = answers.filter(({ status }) => status >= 500).length;
    const broken = answers.filter(({ status }) => status === 0).length;
    return {
      figures: [
        countsOf(verdict),
        `${restarts} restarts; of ${answers.length} answers ${share(failed, answers.length)} were 5xx, ${broken} connections broken`,
      ],
      checks: [
        ...nothingLost(verdict),
        check('at most 0.1 % are 5xx', failed <= answers.length * 0.001, share(failed, answers.length)),
      ],
    };
  },
};

export const r19: Row = {
  id: 'R19',
  title: 'two processes start on an empty database',
  async run(stage) {
    const times = stage.pace === 'full' ? 10 : 1;
    let slowestMs = 0;
    let migrated = 0;
    const stored: number[] = [];
    for (let n = 0; n < times; n++) {
      const scene = await stage.open(`r19_${n}`, { isMigrated: false });
      const servers = [scene.server(), scene.server()];
      await Promise.all([1, 2].map(() => runMigrator(scene)));
      for (const server of servers) slowestMs = Math.max(slowestMs, await server.ready(60_000));
      const rows = await scene.query<{ times: string }>('select count(*) as times from knex_migrations');
      const names = await scene.query<{ times: string }>('select count(distinct name) as times from knex_migrations');
      if (rows[0]?.times === names[0]?.times) migrated++;
      await addProject(scene.databaseUrl);
      stored.push(await sendOneEach(servers, scene));
      await scene.close();
    }
    return {
      figures: [
        `${times} times; both ready within ${slowestMs.toFixed(0)} ms; each migration ran once ${migrated} of ${times} times`,
      ],
      checks: [
        check('each migration ran once', migrated === times),
        check(
          'both store what they are sent',
          stored.every((count) => count === 2),
        ),
      ],
    };
  },
};

/** What the release step of a deployment runs. */
async function runMigrator({ root, folder, databaseUrl }: Scene): Promise<void> {
  const env = { PATH: process.env['PATH'], DATABASE_URL: databaseUrl, PUBLIC_APP_URL: 'http://127.0.0.1:3000' };
  await promisify(execFile)(process.execPath, [join(root, 'dist/launch.js'), 'migrate'], { cwd: folder, env });
}

async function sendOneEach(servers: Server[], scene: Scene): Promise<number> {
  for (const server of servers) {
    const body = JSON.stringify({ api_key: TOKEN, event: 'probe', distinct_id: server.url });
    const answer = await fetch(`${server.url}/ingest/e/`, { method: 'POST', body });
    if (answer.status !== 200) throw new Error(`/ingest answered ${answer.status}`);
  }
  const rows = await scene.query<{ count: string }>(
    `select count(*) from events where project_id = (select project_id from project_tokens where token = $1)`,
    [TOKEN],
  );
  return Number(rows[0]?.count);
}

function portOf(server: Server): number {
  return Number(new URL(server.url).port);
}
