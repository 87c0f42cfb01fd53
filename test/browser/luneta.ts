/** The built program as a process of its own on a test's database: what the journeys visit. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { compileCache } from '#test/kit/compile-cache.ts';
import type { TestDatabase } from '#test/kit/database.ts';
import { freePort } from '#test/kit/free-port.ts';
import { setUpOwner } from '#test/kit/sign-in.ts';

export interface Luneta {
  /** Where it is reached. */
  readonly url: string;
  /** Of the owner's session, as a `Cookie` header; '' while nobody has an account. */
  readonly cookie: string;
  stop(): Promise<void>;
}

export interface LunetaOptions {
  /** Further settings. */
  env?: Record<string, string>;
  /** False: nobody has set it up. Default: the kit's owner has, whose team has the built-in project (1) and another (2). */
  owner?: boolean;
}

/** Starts it for the file, and stops it in order afterwards. */
export function runLuneta(database: TestDatabase, { env = {}, owner = true }: LunetaOptions = {}): Luneta {
  let url = '';
  let cookie = '';
  let child: ChildProcess | null = null;
  let folder = '';

  async function stop(): Promise<void> {
    if (child === null) return;
    const ended = new Promise((resolve) => child?.once('exit', resolve));
    if (child.exitCode === null) {
      child.kill('SIGTERM');
      await ended;
    }
    child = null;
    await rm(folder, { recursive: true, force: true });
  }

  beforeAll(async () => {
    const program = join(process.cwd(), 'dist/main.js');
    if (!existsSync(program)) throw new Error('The journeys visit the built program: npm run build');
    const port = await freePort();
    url = `http://localhost:${port}`;
    folder = await mkdtemp(join(tmpdir(), 'luneta-journey-'));
    let output = '';
    child = spawn(process.execPath, ['--max-http-header-size=65536', program], {
      env: {
        PATH: process.env['PATH'] ?? '',
        DATABASE_URL: database.url,
        PUBLIC_APP_URL: url,
        PORT: String(port),
        NODE_ENV: 'production',
        SPOOL_DIR: folder,
        ...compileCache,
        ...env,
      },
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (text: Buffer) => {
        output = `${output}${text}`.slice(-4_000);
      });
    }
    const deadline = performance.now() + 120_000;
    while (!(await isReady(url))) {
      if (child.exitCode !== null || performance.now() > deadline) throw new Error(`Luneta did not start: ${output}`);
      await sleep(50);
    }
    if (owner) cookie = (await setUpOwner(url)).cookie;
  });
  afterAll(stop);

  return {
    get url() {
      return url;
    },
    get cookie() {
      return cookie;
    },
    stop,
  };
}

async function isReady(url: string): Promise<boolean> {
  return fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** Has a background job run now. By itself it does at the next full minute, which `test/jobs/jobs.int.test.ts` holds. */
export async function runJob(database: TestDatabase, name: string): Promise<void> {
  await database.query(`select graphile_worker.add_job($1, '{}', job_key := $1, max_attempts := 10)`, [name]);
}

/** Looks again and again until `check` gives something; at most for `limitMs`. */
export async function eventually<Found>(
  what: string,
  check: () => Promise<Found | null | undefined | false>,
  limitMs = 90_000,
): Promise<Found> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    const found = await check();
    if (found !== null && found !== undefined && found !== false) return found;
    if (performance.now() > deadline) throw new Error(`not within ${limitMs} ms: ${what}`);
    await sleep(50);
  }
}
