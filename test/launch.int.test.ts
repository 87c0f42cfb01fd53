/** The commands of the README as processes, on a database of the test's own. Builds first when the build is old. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileCache } from '#test/kit/compile-cache.ts';
import { createDatabase } from '#test/kit/database.ts';
import { freePort } from '#test/kit/free-port.ts';
import { withClient } from '#test/kit/server.ts';

const root = process.cwd();
const folder = mkdtempSync(join(tmpdir(), 'luneta-launch-'));
const started: ChildProcess[] = [];

afterAll(() => {
  for (const child of started) if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

interface Process {
  child: ChildProcess;
  output(): string;
  ended: Promise<number | null>;
  until(words: RegExp): Promise<RegExpExecArray>;
}

/** Runs `node build.mjs …` with this environment and no other, but for where its code is kept compiled. */
function command(words: string[], env: Record<string, string>): Process {
  let text = '';
  const child = spawn(process.execPath, [join(root, 'build.mjs'), ...words], {
    cwd: root,
    env: { PATH: process.env['PATH'], HOME: folder, NODE_ENV: 'test', ...compileCache, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.push(child);
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const waiting = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (data) => {
      text += data;
      for (const look of waiting) look();
    });
  }
  return {
    child,
    output: () => text,
    ended,
    until: (expected) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = expected.exec(text);
          if (found) resolve(found);
        };
        waiting.add(look);
        look();
        void ended.then(() => reject(new Error(`ended without ${expected}:\n${text}`)));
      }),
  };
}

describe('npm start', () => {
  it('migrates, serves, says where, and stops in order', async () => {
    const { url, drop } = await createDatabase({ migrated: false });
    const port = await freePort();
    const server = command(['start'], { DATABASE_URL: url, PORT: `${port}`, SPOOL_DIR: join(folder, 'spool') });
    await server.until(new RegExp(`Luneta is running at http://localhost:${port}`));
    expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
    expect(await (await fetch(`http://127.0.0.1:${port}/`, { redirect: 'follow' })).text()).toContain('Luneta');

    const second = command(['start'], { DATABASE_URL: url, PORT: `${port}` });
    expect(await second.ended).toBe(1);
    expect(second.output()).toContain(
      `Port ${port} is already in use. Stop the other process or set PORT to another port.`,
    );

    server.child.kill('SIGTERM');
    expect(await server.ended).toBe(0);
    expect(server.output()).toContain('Shutting down');
    await drop();
  });

  it.each([
    ['wrong settings', [], { AUTH_SECRET: 'hunter2' }, 'AUTH_SECRET must be at least 32 characters long.'],
    ['an option that is none', ['--demmo'], {}, 'Unknown option "--demmo". Available: --demo.'],
    [
      'a database that is away',
      [],
      { DATABASE_URL: 'postgres://u:hunter2@127.0.0.1:1/x' },
      'Can’t connect to database 127.0.0.1:1/x (ECONNREFUSED)',
    ],
  ])('says one sentence about %s', async (_, words, env, sentence) => {
    const { ended, output } = command(['start', ...words], { PORT: '0', ...env });
    expect(await ended).toBe(1);
    expect(output()).toContain(sentence);
    expect(output()).not.toContain('hunter2');
    expect(output()).not.toMatch(/^\s+at /m);
  });
});

describe('npm run migrate, backup, restore', () => {
  it('take everything from one database into another', async () => {
    const [source, target] = await Promise.all([
      createDatabase({ migrated: false }),
      createDatabase({ migrated: false }),
    ]);
    expect(await command(['migrate'], { DATABASE_URL: source.url }).ended).toBe(0);
    await withClient(source.url, (client) =>
      client.query(`insert into projects (name, created_at) values ('Café', '2026-01-01Z')`),
    );
    const file = join(folder, 'backup.gz');
    const backup = command(['backup', file], { DATABASE_URL: source.url });
    expect(await backup.ended).toBe(0);
    expect(backup.output()).toContain(`npm run restore -- ${file}`);
    expect(await command(['restore', file], { DATABASE_URL: target.url }).ended).toBe(0);
    const { rows } = await withClient(target.url, (client) => client.query('select name from projects'));
    expect(rows).toEqual([{ name: 'Café' }]);

    const again = command(['restore', file], { DATABASE_URL: target.url });
    expect(await again.ended).toBe(1);
    expect(again.output()).toContain('The database is not empty');
    const nameless = command(['restore'], { DATABASE_URL: target.url });
    expect(await nameless.ended).toBe(1);
    expect(nameless.output()).toContain('Missing file name');
    await Promise.all([source.drop(), target.drop()]);
  });
});

describe('npm run rederive', () => {
  it('derives by the rules of today and says how much', async () => {
    const { url, drop } = await createDatabase({ migrated: true });
    await withClient(url, (client) =>
      client.query(`insert into property_groups (project_id, kind, number, hash, properties) values
        (1, 3, 1, 'a', '{"$session_entry_referring_domain": "www.google.com", "$channel_type": "Referral", "$rules_version": 0}')`),
    );
    const first = command(['rederive'], { DATABASE_URL: url });
    expect(await first.ended).toBe(0);
    expect(first.output()).toContain('Updated 1 of 1 source groups.');
    const { rows } = await withClient(url, (client) =>
      client.query(`select properties ->> '$channel_type' as channel from property_groups`),
    );
    expect(rows).toEqual([{ channel: 'Organic Search' }]);
    const second = command(['rederive'], { DATABASE_URL: url });
    expect(await second.ended).toBe(0);
    expect(second.output()).toContain('Updated 0 of 1 source groups.');
    await drop();
  });
});

describe('npm run reset-password', () => {
  it('prints a link for an owner, whom it asks for when there are several', async () => {
    const { url, drop } = await createDatabase({ migrated: true });
    const env = { DATABASE_URL: url, PUBLIC_APP_URL: 'https://luneta.serrana.example' };
    const nobody = command(['reset-password'], env);
    expect(await nobody.ended).toBe(1);
    expect(nobody.output()).toContain('No accounts yet');
    const addOwner = (name: string) =>
      withClient(url, (client) =>
        client.query(
          `with person as (insert into users (uuid, email, email_key, name, language, time_zone, created_at)
             values (gen_random_uuid(), $1 || '@serrana.example', $1 || '@serrana.example', $1, 'en', 'UTC', now()) returning id),
           made as (insert into teams (name, created_at) values ($1, now()) returning id)
           insert into members (team_id, user_id, role, joined_at) select made.id, person.id, 'owner', now() from made, person`,
          [name],
        ),
      );
    await addOwner('marina');
    const alone = command(['reset-password'], env);
    expect(await alone.ended).toBe(0);
    const [, token = ''] =
      /https:\/\/luneta\.serrana\.example\/sign-in\/new-password\?token=([\w-]{43})\n/.exec(alone.output()) ?? [];
    const { rows } = await withClient(url, (client) =>
      client.query(`select user_id, purpose, hash = sha256($1) as is_it from one_time_links`, [Buffer.from(token)]),
    );
    expect(rows).toEqual([{ user_id: 1, purpose: 'reset', is_it: true }]);
    await addOwner('rafael');
    const unnamed = command(['reset-password'], env);
    expect(await unnamed.ended).toBe(1);
    expect(unnamed.output()).toMatch(/1 {2}marina .*\n {2}2 {2}rafael .*\n.*npm run reset-password -- EMAIL/);
    const named = command(['reset-password', 'Rafael@serrana.example'], env);
    expect(await named.ended).toBe(0);
    expect(named.output()).toContain('Password reset link for rafael (rafael@serrana.example)');
    const stranger = command(['reset-password', 'nobody@serrana.example'], env);
    expect(await stranger.ended).toBe(1);
    await drop();
  });
});

describe('node build.mjs', () => {
  it('names its commands', async () => {
    const { ended, output } = command(['begin'], {});
    expect(await ended).toBe(1);
    expect(output()).toMatch(/Unknown command "begin". Available: build, dev, /);
  });
});

describe('node dist/worker.js', () => {
  it('says once which settings are wrong, on the build that is there by now', () => {
    const env = { DATABASE_URL: 'postgresql:///nowhere', PORT: 'many', INGEST_MODE: 'sideways' };
    const worker = join(root, 'dist', 'worker.js');
    const { status, stdout, stderr } = spawnSync(process.execPath, [worker], { cwd: folder, env, encoding: 'utf8' });
    expect(status).toBe(1);
    const lines = `${stdout}${stderr}`.trim().split('\n');
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/Invalid environment variables: PORT must be .*; INGEST_MODE must be .*/);
  });
});
