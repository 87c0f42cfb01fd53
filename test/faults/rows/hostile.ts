/** A hostile PostgreSQL set-up: a role with few rights and defaults that would lose events or refuse work, and optionally a pooler. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { hasPgbouncer, startPgbouncer } from '../kit/pgbouncer.ts';
import type { Postgres } from '../kit/postgres.ts';
import { type Check, check, countsOf, nothingLost, type Row, type Stage } from '../kit/row.ts';
import { addProject, type Scene } from '../kit/scene.ts';

/** Defaults of the role. Each alone breaks a program that inherits it. */
const hostile: Record<string, string> = {
  synchronous_commit: 'off',
  statement_timeout: '20ms',
  lock_timeout: '1ms',
  idle_in_transaction_session_timeout: '20ms',
  default_transaction_read_only: 'on',
  default_transaction_isolation: 'serializable',
  timezone: 'Pacific/Chatham',
  datestyle: 'German, DMY',
  intervalstyle: 'sql_standard',
  bytea_output: 'escape',
  extra_float_digits: '-10',
  search_path: 'elsewhere',
};

export const r26: Row = {
  id: 'R26',
  title: 'a foreign PostgreSQL with hostile defaults of the role, killed with -9 while events arrive',
  async run(stage) {
    const direct = await bear(stage, 'r26_direct', false);
    if (!hasPgbouncer()) {
      return { ...direct, figures: [...direct.figures, 'pgbouncer is not installed: not tried behind it'] };
    }
    const pooled = await bear(stage, 'r26_pooled', true);
    return { figures: [...direct.figures, ...pooled.figures], checks: [...direct.checks, ...pooled.checks] };
  },
};

async function bear(stage: Stage, name: string, isPooled: boolean): Promise<{ figures: string[]; checks: Check[] }> {
  const scene = await stage.open(name, { isMigrated: false });
  const url = await makeForeign(scene, `role_${name}`);
  const inherited = await settingOf(url, 'synchronous_commit');
  await promisify(execFile)(process.execPath, [join(scene.root, 'dist/launch.js'), 'migrate'], {
    cwd: scene.folder,
    env: { PATH: process.env['PATH'], DATABASE_URL: url, PUBLIC_APP_URL: 'http://127.0.0.1:3000' },
  });
  await addProject(scene.databaseUrl);
  const port = Number(new URL(url).port) + 90;
  const pooler = isPooled ? await startPgbouncer({ folder: scene.folder, port, databaseUrl: url }) : null;
  const server = scene.server(
    pooler === null ? { databaseUrl: url } : { databaseUrl: pooler, env: { DIRECT_DATABASE_URL: url } },
  );
  await server.ready(60_000);
  const sender = scene.sender(server.url, { rate: 300, batch: 5 });
  const kills = stage.pace === 'full' ? 10 : 2;
  for (let n = 0; n < kills; n++) {
    await sleep(1_500 + Math.random() * 1_000);
    await scene.postgres.kill();
    await startAgain(scene.postgres);
  }
  await sleep(2_000);
  await sender.stop();
  await scene.caughtUp(60_000);
  const verdict = await scene.verdict();
  // What follows counts on its own time zone and on every statement being let through.
  const page = await fetch(`${server.url}/sign-in`);
  await page.text();
  const where = isPooled ? 'behind pgbouncer' : 'directly';
  return {
    figures: [`${where}: ${countsOf(verdict)}, ${kills} kills of PostgreSQL`],
    checks: [
      check(`${where}: the role's own default is off`, inherited === 'off', inherited),
      ...nothingLost(verdict).map((each) => ({ ...each, what: `${where}: ${each.what}` })),
      check(`${where}: something was stored`, verdict.stored > 0, verdict.stored),
      check(`${where}: pages are answered`, page.status === 200, page.status),
    ],
  };
}

/** Children of a killed postmaster leave a moment later, and until then no other starts. */
async function startAgain(postgres: Postgres): Promise<void> {
  for (let left = START_TRIES; ; left--) {
    try {
      return await postgres.start();
    } catch (error) {
      if (left === 0) throw error;
      await sleep(250);
    }
  }
}

const START_TRIES = 40;

/** Gives the scene's database to a role that may do nothing else. @returns its address for that role */
async function makeForeign({ databaseUrl, postgres }: Scene, role: string): Promise<string> {
  const url = new URL(databaseUrl);
  const database = url.pathname.slice(1);
  const client = new Client({ connectionString: postgres.urlOf('postgres') });
  await client.connect();
  try {
    await client.query(`create role ${role} login password 'foreign'`);
    await client.query(`alter database ${database} owner to ${role}`);
    for (const [setting, value] of Object.entries(hostile)) {
      await client.query(`alter role ${role} set ${setting} = ${client.escapeLiteral(value)}`);
    }
  } finally {
    await client.end();
  }
  url.username = role;
  url.password = 'foreign';
  return url.href;
}

/** What a connection of the role has that sets nothing itself. */
async function settingOf(url: string, name: string): Promise<string> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, string>>(`show ${name}`);
    return rows[0]?.[name] ?? '';
  } finally {
    await client.end();
  }
}
