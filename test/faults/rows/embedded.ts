/** The embedded PostgreSQL and we ourselves are killed, in every combination. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { ours } from '../kit/children.ts';
import { check, type Row, time } from '../kit/row.ts';

interface Owner {
  child: ChildProcess;
  url: string;
  dataDir: string;
}

export const r21: Row = {
  id: 'R21',
  title: 'the embedded PostgreSQL killed; we killed; both; a stale pid file that names a living process',
  async run(stage) {
    const home = join(stage.scratch, 'r21');
    await mkdir(home, { recursive: true });
    const figures: string[] = [];
    const checks = [];
    let rows = 0;
    let owner = await startOwner(stage.root, home);
    await withClient(owner.url, (client) => client.query('create table if not exists kept (n int)'));

    const cases: { name: string; fault(): Promise<void> }[] = [
      {
        name: 'kill -9 of PostgreSQL',
        fault: async () => {
          process.kill(postmasterOf(owner.dataDir), 'SIGKILL');
        },
      },
      {
        name: 'kill -9 of us',
        fault: async () => {
          await killOwner(owner);
          owner = await startOwner(stage.root, home);
        },
      },
      {
        name: 'kill -9 of both',
        fault: async () => {
          const postmaster = postmasterOf(owner.dataDir);
          await killOwner(owner);
          process.kill(postmaster, 'SIGKILL');
          owner = await startOwner(stage.root, home);
        },
      },
      {
        name: 'a stale pid file that names a living process',
        fault: async () => {
          const postmaster = postmasterOf(owner.dataDir);
          await killOwner(owner);
          process.kill(postmaster, 'SIGKILL');
          await until(() => !isRunning(postmaster));
          const file = join(owner.dataDir, 'postmaster.pid');
          const lines = readFileSync(file, 'utf8').split('\n');
          await writeFile(file, [String(process.pid), ...lines.slice(1)].join('\n'));
          owner = await startOwner(stage.root, home);
        },
      },
    ];
    for (const { name, fault } of cases) {
      const marker = ++rows;
      await withClient(owner.url, (client) => client.query('insert into kept values ($1)', [marker]));
      const since = performance.now();
      await fault();
      await until(() => answers(owner.url));
      const tookMs = performance.now() - since;
      const found = await withClient(owner.url, async (client) => {
        const { rows: counted } = await client.query<{ count: string }>('select count(*) from kept');
        return Number(counted[0]?.count);
      });
      const postmasters = postmastersOn(owner.dataDir);
      figures.push(
        `${name}: ready again after ${(tookMs / 1000).toFixed(1)} s, ${found} of ${rows} rows there, ${postmasters} postmaster`,
      );
      checks.push(
        check(`${name}: ready within 10 s`, tookMs <= 10_000, time(tookMs)),
        check(`${name}: committed rows are there`, found === rows, `${found} of ${rows}`),
        check(`${name}: one postmaster`, postmasters === 1, postmasters),
      );
    }
    owner.child.kill('SIGTERM');
    await until(() => owner.child.exitCode !== null || owner.child.signalCode !== null);
    checks.push(check('PostgreSQL stops with us', postmastersOn(owner.dataDir) === 0));
    return { figures: ['lost 0, twice 0 by row', ...figures], checks };
  },
};

async function startOwner(root: string, home: string): Promise<Owner> {
  const script = fileURLToPath(new URL('../kit/embedded-owner.ts', import.meta.url));
  const child = ours(
    spawn(process.execPath, [script, root, home], { stdio: ['ignore', 'pipe', 'inherit'], detached: true }),
  );
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  for await (const line of lines) {
    const { url, home: place } = JSON.parse(line) as { url: string; home: string };
    const version = readdirSync(place).find((name) => /^postgres-\d+$/.test(name)) as string;
    return { child, url, dataDir: join(place, version) };
  }
  throw new Error('the owner of the embedded PostgreSQL ended');
}

async function killOwner({ child }: Owner): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
}

function postmasterOf(dataDir: string): number {
  return Number(readFileSync(join(dataDir, 'postmaster.pid'), 'utf8').split('\n')[0]);
}

/** Living postmasters that were started with this data folder. */
function postmastersOn(dataDir: string): number {
  return readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      const args = readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0');
      return args[0]?.endsWith('postgres') && args.includes(dataDir);
    } catch {
      // It ended between listing and reading.
      return false;
    }
  }).length;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    await withClient(url, (client) => client.query('select 1'));
    return true;
  } catch {
    // Starting, recovering or away: the caller asks again.
    return false;
  }
}

async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  for (const since = performance.now(); performance.now() - since < 60_000; ) {
    if (await isTrue()) return;
    await sleep(50);
  }
  throw new Error('waited in vain');
}
