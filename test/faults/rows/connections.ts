/** Database plans of few connections. */
import { execFile } from 'node:child_process';
import { chown, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { postgresAccount } from '#src/store/embedded/account.ts';
import { setUpOwner } from '#test/kit/sign-in.ts';
import { hasPgbouncer, startPgbouncer } from '../kit/pgbouncer.ts';
import { openPostgres } from '../kit/postgres.ts';
import { check, countsOf, nothingLost, type Result, type Row, type Stage, time } from '../kit/row.ts';
import { addProject, type Scene } from '../kit/scene.ts';
import type { Server } from '../kit/server.ts';

const ALLOWED = 30;
/** Of a web process without jobs, and of a worker: what they need at least. */
const OF_WEB = '11';
const OF_WORKER = '8';
const AUTH_SECRET = 'of the few connections, and of nothing else: 0123456789';

/** Of a small plan, for everybody: three of them are kept for superusers. */
const OF_PLAN = 20;
const OF_ROLES = OF_PLAN - 3;
const FEW = 'few';
/** Between two pages of a reader: six of them open some four pages a second. */
const READER_PAUSE_MS = 1_000;

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
    return underLightLoad(stage, scene, { webs, worker, allowed: ALLOWED, role: FEW });
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
      const result = await underLightLoad(stage, scene, { webs: [web], worker: null, allowed: OF_ROLES, role: FEW });
      await scene.close();
      return result;
    } finally {
      await postgres.stop();
    }
  },
};

const run = promisify(execFile);
const HOSTED = 'hosted';

export const r30: Row = {
  id: 'R30',
  title: `a hosted PostgreSQL: TLS alone, no superuser, ${OF_PLAN} connections, a statement_timeout of 15 s; then behind pgbouncer`,
  async run(stage) {
    const [home, port] = [`${stage.scratch}/r30-postgres`, await stage.freePort()];
    const tls = await makeCertificate(`${stage.scratch}/r30-tls`);
    const settings = {
      ssl: 'on',
      ssl_cert_file: tls.certificate,
      ssl_key_file: tls.key,
      hba_file: tls.hba,
      shared_buffers: '64MB',
    };
    const postgres = await openPostgres(stage.root, home, port, settings);
    await postgres.start();
    try {
      const direct = await onHosted(await stage.open('r30_direct', { postgres, isMigrated: false }), stage, tls, false);
      if (!hasPgbouncer()) {
        return { ...direct, figures: [...direct.figures, 'pgbouncer is not installed: not tried behind it'] };
      }
      const pooled = await onHosted(await stage.open('r30_pooled', { postgres, isMigrated: false }), stage, tls, true);
      return { figures: [...direct.figures, ...pooled.figures], checks: [...direct.checks, ...pooled.checks] };
    } finally {
      await postgres.stop();
    }
  },
};

interface Certificate {
  certificate: string;
  key: string;
  /** Who may come in how: the hosted role by TLS alone. */
  hba: string;
}

async function makeCertificate(folder: string): Promise<Certificate> {
  await mkdir(folder);
  const files = {
    certificate: join(folder, 'cert.pem'),
    key: join(folder, 'key.pem'),
    hba: join(folder, 'pg_hba.conf'),
  };
  const names = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const output = ['-keyout', files.key, '-out', files.certificate];
  await run('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...names, ...output]);
  const local = '127.0.0.1/32 scram-sha-256';
  const entries = [
    `hostssl all ${HOSTED} ${local}`,
    `hostnossl all ${HOSTED} 0.0.0.0/0 reject`,
    `host all all ${local}`,
  ];
  await writeFile(files.hba, `${entries.join('\n')}\n`);
  const account = await postgresAccount();
  if (account !== null) await Promise.all(Object.values(files).map((file) => chown(file, account.uid, account.gid)));
  return files;
}

async function onHosted(scene: Scene, stage: Stage, tls: Certificate, isPooled: boolean): Promise<Result> {
  const database = new URL(scene.databaseUrl).pathname.slice(1);
  await asSuperuser(scene.postgres.urlOf('postgres'), [
    `drop role if exists ${HOSTED}`,
    `create role ${HOSTED} login connection limit ${OF_PLAN} password '${HOSTED}'`,
    `alter role ${HOSTED} set statement_timeout = '15s'`,
    `alter database ${database} owner to ${HOSTED}`,
  ]);
  const url = new URL(scene.databaseUrl);
  url.username = HOSTED;
  url.password = HOSTED;
  const plain = url.href;
  url.searchParams.set('sslmode', 'verify-full');
  url.searchParams.set('sslrootcert', tls.certificate);
  const refused = await withClient(plain, async () => null).catch(({ message }: Error) => message);
  await run(process.execPath, [join(scene.root, 'dist/launch.js'), 'migrate'], {
    cwd: scene.folder,
    env: { PATH: process.env['PATH'], DATABASE_URL: url.href, PUBLIC_APP_URL: 'http://127.0.0.1:3000' },
  });
  await addProject(scene.databaseUrl);
  const pooler = isPooled
    ? await startPgbouncer({
        folder: scene.folder,
        port: await stage.freePort(),
        databaseUrl: plain,
        isEncrypted: true,
      })
    : null;
  const web = scene.server(
    pooler === null
      ? { databaseUrl: url.href, env: { AUTH_SECRET } }
      : { databaseUrl: pooler, env: { AUTH_SECRET, DIRECT_DATABASE_URL: url.href } },
  );
  const where = isPooled ? 'behind pgbouncer' : 'directly';
  const load = { webs: [web], worker: null, allowed: OF_PLAN, role: HOSTED };
  const { figures, checks } = await underLightLoad(stage, scene, load);
  await scene.close();
  await asSuperuser(scene.databaseUrl, [`reassign owned by ${HOSTED} to current_user`]);
  return {
    figures: figures.map((each) => `${where}: ${each}`),
    checks: [
      check(`${where}: without TLS it is refused`, refused !== null, refused ?? 'let in'),
      ...checks.map((each) => ({ ...each, what: `${where}: ${each.what}` })),
    ],
  };
}

/** The address of the scene's database for a role that may open so many connections and is no superuser. */
async function asRoleOf(scene: Scene, limit: number): Promise<string> {
  const url = new URL(scene.databaseUrl);
  const role = FEW;
  await asSuperuser(scene.postgres.urlOf('postgres'), [
    `create role ${role} login connection limit ${limit} password '${role}'`,
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
  url.password = FEW;
  return url.href;
}

interface LightLoad {
  webs: readonly Server[];
  worker: Server | null;
  /** Connections that the role may have. */
  allowed: number;
  role: string;
}

/** Senders and readers of every web process for a while. */
async function underLightLoad(stage: Stage, scene: Scene, { webs, worker, allowed, role }: LightLoad): Promise<Result> {
  for (const web of webs) await web.ready(60_000);
  const [first] = webs as [Server];
  const { cookie, project } = await setUpOwner(first.url);
  const senders = webs.map((web) => scene.sender(web.url, { rate: 100, batch: 5 }));
  const answers = new Map<number, number>();
  const failures: string[] = [];
  let most = 0;
  const until = performance.now() + (stage.pace === 'full' ? 120_000 : 20_000);
  const readers = webs.flatMap((web) =>
    ['overview', 'events', 'live'].map(async (screen) => {
      while (performance.now() < until) {
        const answer = await fetch(`${web.url}/project/${project}/${screen}`, { headers: { cookie } });
        const text = await answer.text();
        const failed = text.includes('unavailable') ? 503 : answer.status;
        answers.set(failed, (answers.get(failed) ?? 0) + 1);
        if (failed !== 200) failures.push(`${screen}: ${excerptOf(text)}`);
        await sleep(READER_PAUSE_MS);
      }
    }),
  );
  const counting = withClient(scene.postgres.urlOf('postgres'), async (client) => {
    while (performance.now() < until) {
      most = Math.max(most, await connectionsOf(client, role));
      await sleep(250);
    }
  });
  await Promise.all([...readers, counting]);
  for (const sender of senders) await sender.stop();
  const drainedMs = await scene.caughtUp(60_000);
  const verdict = await scene.verdict();
  const statuses = [...answers].map(([status, count]) => `${status}: ${count}`).join(', ');
  const refusals = [...webs, ...(worker ? [worker] : [])].filter((server) => server.log().includes('53300'));
  return {
    figures: [
      countsOf(verdict),
      drainedMs === null ? 'not all stored within 60 s' : `all stored after ${time(drainedMs)}`,
      `pages ${statuses}`,
      `at most ${most} connections of ${allowed}`,
    ],
    checks: [
      ...nothingLost(verdict),
      check(
        'every page is answered',
        [...answers.keys()].every((status) => status === 200),
        [statuses, ...failures.slice(0, 2)].join('; '),
      ),
      check('the role has connections left', most < allowed, most),
      check('no connection was refused', refusals.length === 0, refusals.length),
      check('the worker runs', !worker?.hasEnded, worker?.hasEnded ? worker.log().slice(-500) : 'yes'),
    ],
  };
}

/** What a page says around its failure. */
function excerptOf(text: string): string {
  const at = Math.max(0, text.indexOf('unavailable') - 200);
  return text
    .slice(at, at + 400)
    .replaceAll('|', '/')
    .replaceAll(/\s+/g, ' ');
}

async function connectionsOf(client: Client, role: string): Promise<number> {
  const { rows } = await client.query<{ n: number }>(
    'select count(*)::int as n from pg_stat_activity where usename = $1',
    [role],
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
