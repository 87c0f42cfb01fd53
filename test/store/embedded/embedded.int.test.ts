/** The supervisor against a real PostgreSQL: what is committed stays, and there is never a second postmaster. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '#src/kit/clock.ts';
import { createLog } from '#src/kit/log.ts';
import { postgresAccount } from '#src/store/embedded/account.ts';
import { type Embedded, type EmbeddedOptions, startEmbedded } from '#src/store/embedded/embedded.ts';
import { withClient } from '#test/kit/server.ts';
import { until } from '#test/kit/until.ts';

const READY_LIMIT_MS = 10_000;

let home: string;
/** With a data folder: making one takes a second, and several on a busy machine. */
let made: string;
const running: Embedded[] = [];
const owners: ChildProcess[] = [];

beforeAll(async () => {
  made = newHome();
  await (await startEmbedded({ root: process.cwd(), home: made, log: createLog('silent'), clock: systemClock })).stop();
});
afterAll(() => rmSync(made, { recursive: true }));

beforeEach(() => {
  home = newHome();
});

function newHome(): string {
  const folder = mkdtempSync(join(tmpdir(), 'luneta-embedded-'));
  chmodSync(folder, 0o755);
  return folder;
}

/** A folder as the last start left it, with whose it is: PostgreSQL may run under another account. */
function takeMadeHome(): void {
  execFileSync('cp', ['-a', `${made}/.`, home]);
}

afterEach(async () => {
  for (const owner of owners.splice(0)) if (owner.exitCode === null && owner.signalCode === null) owner.kill('SIGKILL');
  for (const embedded of running.splice(0)) await embedded.stop();
  for (const left of postmasters()) process.kill(left, 'SIGQUIT'); // of an owner that was killed
  rmSync(home, { recursive: true });
});

async function start(options: Partial<EmbeddedOptions> = {}): Promise<Embedded> {
  const log = createLog('silent');
  const embedded = await startEmbedded({ root: process.cwd(), home, log, clock: systemClock, ...options });
  running.push(embedded);
  return embedded;
}

/** Another process of ours that owns the server. */
async function startOwner(): Promise<{ owner: ChildProcess; pid: number; url: string }> {
  const owner = spawn(process.execPath, ['--no-warnings', join(__dirname, 'owner.ts'), home], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  owners.push(owner);
  const [line] = (await once(owner.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
  const [pid = '', url = ''] = line.toString().trim().split(' ');
  return { owner, pid: Number(pid), url };
}

async function write(url: string, text: string): Promise<void> {
  await withClient(url, async (client) => {
    await client.query('create table if not exists kept (text text)');
    await client.query('insert into kept values ($1)', [text]);
  });
}

async function read(url: string): Promise<string[]> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ text: string }>('select text from kept order by 1');
    return rows.map(({ text }) => text);
  });
}

/** Numbers of the postmasters that run on this test's data folder. */
function postmasters(): number[] {
  const found = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => readOrEmpty(`/proc/${pid}/cmdline`).includes(`-D\0${home}/postgres-`));
  // What has just been started for a connection still goes by the command line of its postmaster.
  return found.filter((pid) => !found.includes(parentOf(pid))).map(Number);
}

function parentOf(pid: string): string {
  return /\) \S (\d+) /.exec(readOrEmpty(`/proc/${pid}/stat`))?.[1] ?? '';
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return ''; // gone while we looked
  }
}

async function untilAnswers(url: string, begin: number): Promise<number> {
  for (;;) {
    const answered = await withClient(url, (client) => client.query('select 1')).then(
      () => true,
      () => false,
    );
    if (answered) return performance.now() - begin;
    if (performance.now() - begin > READY_LIMIT_MS) throw new Error('PostgreSQL did not come back');
    await sleep(20);
  }
}

describe('startEmbedded', () => {
  it('makes a server that only this machine and this user can reach', async () => {
    const embedded = await start();
    expect(embedded.found).toBe('nothing');
    const settings = await withClient(embedded.url, async (client) => {
      const { rows } = await client.query(
        `select current_setting('listen_addresses') as addresses, current_setting('synchronous_commit') as sync,
                datlocprovider as provider, datlocale as locale, datcollate as collate, current_database() as name
           from pg_database where datname = current_database()`,
      );
      return rows[0];
    });
    expect(settings).toEqual({
      addresses: '',
      sync: 'on',
      provider: 'b',
      locale: 'C.UTF-8',
      collate: 'C',
      name: 'luneta',
    });
    expect(statSync(join(home, 'run')).mode & 0o777).toBe(0o700);
  });

  it('runs in a session of its own, which Ctrl-C does not reach', async () => {
    takeMadeHome();
    const embedded = await start();
    const pid = await embedded.pid();
    const stat = readOrEmpty(`/proc/${pid}/stat`);
    const [, , group, session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    expect([group, session].map(Number)).toEqual([pid, pid]);
  });

  it('listens on loopback with a password where there are no sockets', async () => {
    const embedded = await start({ kind: 'loopback', port: 41_873 });
    expect(new URL(embedded.url).password.length).toBeGreaterThanOrEqual(32);
    const wrong = embedded.url.replace(/:[^:@]+@/, ':wrong@');
    await expect(withClient(wrong, async () => undefined)).rejects.toMatchObject({ code: '28P01' });
    await expect(withClient(embedded.url, async () => 'in')).resolves.toBe('in');
  });

  it('finds its data after a stop', async () => {
    takeMadeHome();
    const first = await start();
    await write(first.url, 'a');
    await first.stop();
    expect(postmasters()).toEqual([]);
    const second = await start();
    expect(second.found).toBe('data');
    expect(await read(second.url)).toEqual(['a']);
  });

  it('joins the running server, and the last to leave stops it', async () => {
    takeMadeHome();
    const first = await start();
    const second = await start();
    expect(second.found).toBe('server');
    expect(await second.pid()).toBe(await first.pid());
    await first.stop();
    await write(second.url, 'a');
    await second.stop();
    expect(postmasters()).toEqual([]);
  });

  it('is there again when something removed its socket', async () => {
    takeMadeHome();
    const embedded = await start();
    await write(embedded.url, 'a');
    const begin = performance.now();
    rmSync(join(home, 'run/.s.PGSQL.5432'));
    await untilAnswers(embedded.url, begin);
    expect(await read(embedded.url)).toEqual(['a']);
    expect(postmasters()).toHaveLength(1);
  });

  it('makes one server when three start at once', async () => {
    const started = await Promise.all([start(), start(), start()]);
    expect(postmasters()).toHaveLength(1);
    for (const { url } of started) await withClient(url, (client) => client.query('select 1'));
  });

  it('clears away what an interrupted initdb left', async () => {
    const leftover = join(home, 'postgres-18.tmp-999999-abc');
    mkdirSync(leftover);
    writeFileSync(join(leftover, 'PG_VERSION'), '18');
    await start();
    expect(readdirSync(home)).not.toContain('postgres-18.tmp-999999-abc');
  });

  it('says what to do about data of another version', async () => {
    mkdirSync(join(home, 'postgres-11'));
    await expect(start()).rejects.toThrow(
      /postgres-11 was created by a different PostgreSQL version .* "npm run backup"/,
    );
    rmSync(join(home, 'postgres-11'), { recursive: true });
  });
});

describe('R21: kill -9', () => {
  beforeEach(takeMadeHome);

  it('of PostgreSQL: it is started again, committed rows are there', async () => {
    const embedded = await start();
    await write(embedded.url, 'a');
    const killed = await embedded.pid();
    const begin = performance.now();
    process.kill(killed as number, 'SIGKILL');
    await sleep(50);
    expect(await untilAnswers(embedded.url, begin)).toBeLessThan(READY_LIMIT_MS);
    expect(await read(embedded.url)).toEqual(['a']);
    expect(await embedded.pid()).not.toBe(killed);
    expect(postmasters()).toHaveLength(1);
  });

  it('of us: PostgreSQL lives on and is found again', async () => {
    const { owner, pid, url } = await startOwner();
    await write(url, 'a');
    owner.kill('SIGKILL');
    await once(owner, 'exit');
    const embedded = await start();
    expect(embedded.found).toBe('server');
    expect(await embedded.pid()).toBe(pid);
    expect(await read(embedded.url)).toEqual(['a']);
    await embedded.stop();
    expect(postmasters()).toEqual([]);
  });

  it('of both: the next start recovers', async () => {
    const { owner, pid, url } = await startOwner();
    await write(url, 'a');
    process.kill(pid, 'SIGKILL');
    owner.kill('SIGKILL');
    await once(owner, 'exit');
    const begin = performance.now();
    const embedded = await start();
    expect(performance.now() - begin).toBeLessThan(READY_LIMIT_MS);
    expect(await read(embedded.url)).toEqual(['a']);
    expect(postmasters()).toHaveLength(1);
  });

  it('with a stale pid file that names a living process of the same user', async () => {
    const { owner, pid, url } = await startOwner();
    await write(url, 'a');
    const files = [join(home, 'postgres-18/postmaster.pid'), join(home, 'run/.s.PGSQL.5432.lock')];
    const stale = files.map((file) => readFileSync(file, 'utf8'));
    owner.kill('SIGKILL');
    await once(owner, 'exit');
    process.kill(pid, 'SIGKILL');
    await until(() => postmasters().length === 0);

    const account = await postgresAccount();
    const innocent = spawn('sleep', ['60'], account ? { uid: account.uid, gid: account.gid } : {});
    files.forEach((file, index) => {
      writeFileSync(file, (stale[index] as string).replace(String(pid), String(innocent.pid)), { mode: 0o644 });
    });
    const embedded = await start();
    expect(await read(embedded.url)).toEqual(['a']);
    expect(postmasters()).toHaveLength(1);
    expect(innocent.exitCode ?? innocent.signalCode).toBeNull();
    innocent.kill();
  });

  it('five times in a row: no more than five restarts a minute', async () => {
    const embedded = await start();
    for (let kill = 1; kill <= 5; kill++) {
      const begin = performance.now();
      process.kill((await embedded.pid()) as number, 'SIGKILL');
      await sleep(50);
      await untilAnswers(embedded.url, begin);
    }
    process.kill((await embedded.pid()) as number, 'SIGKILL');
    await sleep(2000);
    expect(postmasters()).toEqual([]);
  });
});
