/**
 * `npm start` and related commands, for a new machine: supplies settings and a database, migrates, serves in
 * this process, prints the URL, and stops everything in order, the database last. Run by build.mjs; platforms with a
 * Procfile run `node dist/launch.js migrate` and `node dist/main.js` themselves.
 */
import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { fileURLToPath } from 'node:url';
import { makeResetLink, type Owner } from './accounts/reset-password.ts';
import { createClickhouse, type KindCompared } from './clickhouse/clickhouse.ts';
import { clickhouseCommand, linesOfKinds } from './clickhouse/command.ts';
import { rederive } from './collect/rederive.ts';
import { createColumns } from './columns/columns.ts';
import { type Config, type Environment, loadRunningConfig } from './config.ts';
import { runDemo } from './demo/demo.ts';
import { keepVisiting } from './demo/now.ts';
import { readEnvironment, type Supplied, supplyEnvironment } from './environment.ts';
import { closeMonths, droppedMonths } from './events/dropped.ts';
import { deleteEarly } from './explorer/delete-early.ts';
import { systemClock } from './kit/clock.ts';
import { AppError } from './kit/errors.ts';
import { createLog, type Log } from './kit/log.ts';
import { startProblem } from './problems.ts';
import type { Project } from './projects/projects.ts';
import { type BackupOptions, backup, restore } from './store/backup.ts';
import { migrate, openDb, openWritePool } from './store/db.ts';
import { query, sql } from './store/sql.ts';

export interface LaunchOptions {
  /** The folder of the program. */
  root: string;
  /** Words of the command line after the command. */
  args: string[];
}

/** Serves until a stop signal. `--demo` adds the sample project. */
export async function launch({ root, args }: LaunchOptions): Promise<void> {
  const stopping = new AbortController();
  const closers: (() => Promise<void>)[] = [];
  let config: Config | undefined;
  // Awaits creation that is in progress, so that nothing is left behind.
  let making: Promise<unknown> = Promise.resolve();
  const make = async <Made extends { stop(): Promise<void> }>(made: Promise<Made>): Promise<Made> => {
    making = made.then((part) => closers.push(() => part.stop()));
    await making;
    stopping.signal.throwIfAborted();
    return made;
  };
  const stop = async (code: number) => {
    if (stopping.signal.aborted) return;
    stopping.abort();
    await making.catch(() => undefined);
    for (const close of closers.reverse()) await close();
    process.exit(code);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (!stopping.signal.aborted) say('\nShutting down… Finishing open work, then stopping the database.');
      void stop(0);
    });
  }
  try {
    refuseUnknown(args);
    const supplied = await make(supplyEnvironment(process.env, root, { port: true }));
    config = loadRunningConfig(supplied.env);
    sayDatabase(supplied, config, root);
    await migrate(config, createLog(config.LOG_LEVEL));
    stopping.signal.throwIfAborted();
    // Imported here, so that a failed migration is reported before anything else is created.
    const { serve } = await import('./main.ts');
    const server = await make(serve(supplied.env));
    say(`\nLuneta is running at ${config.PUBLIC_APP_URL}\nPress Ctrl-C to stop. Your data is kept.\n`);
    if (args.includes('--demo')) await showDemo(config, server.url, stopping.signal);
  } catch (error) {
    if (stopping.signal.aborted) return;
    explain(error, config);
    await stop(1);
  }
}

/** For the watching build, which starts servers itself: the settings, and a database that stays open between them. */
export async function supply({ root }: Pick<LaunchOptions, 'root'>): Promise<Supplied> {
  try {
    const supplied = await supplyEnvironment({ NODE_ENV: 'development', LOG_LEVEL: 'info', ...process.env }, root, {
      port: true,
    });
    const config = loadRunningConfig(supplied.env);
    sayDatabase(supplied, config, root);
    await migrate(config, createLog(config.LOG_LEVEL));
    say(`Luneta will be available at ${config.PUBLIC_APP_URL}`);
    return supplied;
  } catch (error) {
    explain(error);
    process.exit(1);
  }
}

/** Progress interval of `rederive`, in groups. */
const GROUPS_PER_LINE = 20_000;

type Task = (
  options: BackupOptions & { config: Config },
  word: string | undefined,
  words: readonly string[],
) => Promise<void>;

const tasks: Record<string, Task> = {
  async migrate({ config, log }) {
    await migrate(config, log);
    say('Database schema is up to date.');
  },
  async backup(options, file = `luneta-backup-${dayAndTime(options.clock.now())}.gz`) {
    const rows = await backup(file, { ...options, onTable: sayTable });
    say(`Backed up ${sum(rows)} rows to ${file}. To restore: npm run restore -- ${file}`);
    await sayDropped(options.config, options.log);
    say(
      'The backup contains no keys or sessions. Store AUTH_SECRET (or the auth-secret file next to the data) separately.',
    );
  },
  async restore(options, file) {
    if (!file) throw new AppError('invalid', 'Missing file name. Usage: npm run restore -- FILE');
    const rows = await restore(file, { ...options, onTable: sayTable });
    say(`Restored ${sum(rows)} rows.`);
    await sayDropped(options.config, options.log, { isRestored: true });
  },
  async rederive({ config, log }) {
    await migrate(config, log);
    const write = openWritePool(config, log);
    try {
      let shown = 0;
      const { read, rewritten } = await rederive({ write }, (soFar) => {
        if (soFar.read - shown < GROUPS_PER_LINE) return;
        shown = soFar.read;
        say(`${counted(soFar.read)} source groups read, ${counted(soFar.rewritten)} updated`);
      });
      say(`Updated ${counted(rewritten)} of ${counted(read)} source groups.`);
    } finally {
      await write.end();
    }
  },
  async rebuild({ config, log, clock }) {
    await migrate(config, log);
    const db = openDb(config, log);
    const columns = createColumns({ config, clock, db }, { threads: 1 });
    try {
      const { visits, counts, events, chunks, bytes } = await columns.rebuild();
      say(`Corrected ${counted(visits)} visits and ${counted(counts)} counts to match the stored events.`);
      say(`Rebuilt ${counted(chunks)} column chunks for ${counted(events)} events (${counted(bytes)} bytes).`);
    } finally {
      await columns.stop();
      await db.destroy();
    }
  },
  async 'delete-early'({ config, log, clock }, project) {
    await migrate(config, log);
    const db = openDb(config, log);
    const write = openWritePool(config, log);
    const columns = createColumns({ config, clock, db }, { threads: 0 });
    try {
      const { events, name } = await deleteEarly({ config, db, write, clock, log, columns }, project);
      const what = events === 1 ? '1 event' : `${counted(events)} events`;
      say(`Deleted ${what} with implausible dates from "${name}".`);
    } finally {
      await columns.stop();
      await Promise.all([db.destroy(), write.end()]);
    }
  },
  async 'reset-password'({ config, log, clock }, email) {
    await migrate(config, log);
    const db = openDb(config, log);
    try {
      const { owner, link, minutes } = await makeResetLink({ config, db, clock }, email, chooseOwner);
      say(`\nPassword reset link for ${owner.name} (${owner.email}):\n${link}`);
      say(`It expires in ${minutes} minutes and works once.\n`);
    } finally {
      await db.destroy();
    }
  },
  async clickhouse({ config, clock, log }, _, words) {
    await migrate(config, log);
    await clickhouseCommand({ config, clock, log }, words, say);
  },
  async verify({ config, clock, log }) {
    await migrate(config, log);
    const db = openDb(config, log);
    const columns = createColumns({ config, clock, db }, { threads: 0 });
    const sayVerified = progressLine('Columns');
    const { events, visits, findings } = await columns
      .verify((done, all) => sayVerified(done / all, `${counted(done)} of ${counted(all)} days and blocks of visits`))
      .finally(() => db.destroy());
    for (const finding of findings) say(finding);
    if (findings.length > 0) throw new Different('Verification failed: derived tables do not match the stored events.');
    say(`Verified ${counted(events)} events, ${counted(visits)} visits and all counts. No differences found.`);
    await sayDropped(config, log);
    if (config.CLICKHOUSE_URL !== undefined) await verifyClickhouse({ config, clock, log });
  },
};

/** What is in ClickHouse alone, and so in no backup of PostgreSQL. */
async function sayDropped(config: Config, log: BackupOptions['log'], { isRestored = false } = {}): Promise<void> {
  const db = openDb(config, log);
  try {
    // A backup may be made before the database is migrated.
    const [found] = await query<{ known: boolean }>(db, sql`select to_regclass('dropped_months') is not null as known`);
    const months = found?.known ? await droppedMonths(db) : [];
    if (months.length === 0) return;
    if (isRestored) await closeMonths(db);
    const names = months.map(({ month }) => month).join(', ');
    say(`Single events of ${names} are in ClickHouse alone: back up its database, too.`);
  } finally {
    await db.destroy();
  }
}

/** What was held against each other differs. */
class Different extends AppError {
  constructor(message: string) {
    super('conflict', message);
  }
}

/** What is copied to ClickHouse, too. @throws Different when it differs */
async function verifyClickhouse(deps: Pick<BackupOptions, 'clock' | 'log'> & { config: Config }): Promise<void> {
  const db = openDb(deps.config, deps.log);
  const clickhouse = createClickhouse({ ...deps, db });
  if (clickhouse === null) return db.destroy();
  const columns = createColumns({ ...deps, db }, { threads: 0 });
  try {
    const lines = { events: progressLine('ClickHouse'), visits: progressLine('ClickHouse') };
    const kinds: KindCompared[] = [];
    const { events, visits, queries, findings } = await clickhouse.verify(columns, {
      onRows: ({ what, done, all }) => lines[what](done / all, `${counted(done)} of ${counted(all)} ${what}`),
      onKind: (compared) => kinds.push(compared),
    });
    for (const line of linesOfKinds(kinds)) say(line);
    for (const finding of findings) say(finding);
    if (findings.length > 0) throw new Different('Verification failed: ClickHouse differs from the stored events.');
    say(
      `Verified ${counted(events)} events, ${counted(visits)} visits and ${counted(queries)} queries in ClickHouse. No differences found.`,
    );
  } finally {
    await clickhouse.stop();
    await columns.stop();
    await db.destroy();
  }
}

/**
 * `migrate`, `backup [FILE]`, `restore FILE`, `rederive`, `rebuild`, `verify`, `delete-early PROJECT`, `reset-password [EMAIL]`, `clickhouse WORDS`, on the database of DATABASE_URL,
 * else on the embedded one, running or not.
 *
 * @param options.strict true: DATABASE_URL must be set (platforms)
 * @returns exit code: 0, 1 after an error, and of `verify` 1 when something differs, 2 when it could not be compared
 */
export async function maintain(options: LaunchOptions & { command: string; strict?: boolean }): Promise<number> {
  const { root, command, args, strict } = options;
  let supplied: Supplied | undefined;
  let config: Config | undefined;
  try {
    const task = tasks[command];
    if (!task)
      throw new AppError('invalid', `Unknown command "${command}". Available: ${Object.keys(tasks).join(', ')}.`);
    supplied = strict ? asGiven(process.env, root) : await supplyEnvironment(process.env, root, { port: false });
    config = loadRunningConfig(supplied.env, createLog('silent'));
    await task({ config, log: createLog(config.LOG_LEVEL), clock: systemClock }, args[0], args);
    return 0;
  } catch (error) {
    explain(error, config);
    return command === 'verify' && !(error instanceof Different) ? 2 : 1;
  } finally {
    await supplied?.stop();
  }
}

/** Asks at the terminal. Without one the address has to be named. */
async function chooseOwner(all: readonly Owner[]): Promise<number> {
  all.forEach(({ name, email }, index) => {
    say(`  ${index + 1}  ${name} (${email})`);
  });
  if (!process.stdin.isTTY)
    throw new AppError('invalid', 'Missing email address. Usage: npm run reset-password -- EMAIL');
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return Number(await terminal.question('Select an owner (number): ')) - 1;
  } finally {
    terminal.close();
  }
}

function asGiven(env: Environment, root: string): Supplied {
  return { env: readEnvironment(env, root), embedded: null, stop: async () => undefined };
}

function refuseUnknown(args: string[]): void {
  const unknown = args.find((word) => word !== '--demo');
  if (unknown) throw new AppError('invalid', `Unknown option "${unknown}". Available: --demo.`);
}

function sayDatabase({ embedded }: Supplied, config: Config, root: string): void {
  if (!embedded) {
    const { host, pathname } = new URL(config.DATABASE_URL);
    say(`Database: ${host || 'socket'}${pathname} (DATABASE_URL)`);
    return;
  }
  const inside = relative(root, embedded.home);
  const where = inside.startsWith('..') ? embedded.home : inside;
  const states = {
    nothing: `Database: embedded PostgreSQL, new, data in ${where}`,
    data: `Database: embedded PostgreSQL, data in ${where}`,
    server: `Database: embedded PostgreSQL, already running, data in ${where}`,
  };
  say(states[embedded.found]);
}

/** The sample project, and visitors in it while the process runs. */
async function showDemo(config: Config, baseUrl: string, signal: AbortSignal): Promise<void> {
  const log = createLog(config.LOG_LEVEL);
  const { token } = await addDemo(config, baseUrl, signal, log);
  const deps = { clock: systemClock, log, fetch: globalThis.fetch };
  keepVisiting({ baseUrl, deps, token, signal }).catch((error: unknown) => {
    if (!signal.aborted) log.warn({ err: error }, 'no more visitors come to the sample project');
  });
}

/** Sent to our own `/ingest` as clients would. */
async function addDemo(config: Config, baseUrl: string, signal: AbortSignal, log: Log): Promise<Project> {
  const db = openDb(config, log);
  const write = openWritePool(config, log);
  const sayProgress = progressLine('Café Serrana');
  try {
    const { project, events, wasThere } = await runDemo({
      mergeWithinMs: 20_000,
      baseUrl,
      deps: { config, db, write, clock: systemClock, log, fetch: globalThis.fetch },
      progress: ({ events, part }) => sayProgress(part, `${counted(events)} events`),
      signal,
    });
    const state = wasThere ? `is already complete (${counted(events)} events)` : `has ${counted(events)} events now`;
    say(`The sample project "${project.name}" ${state}.`);
    say(`Open it at ${new URL(`/project/${project.id}/overview`, config.PUBLIC_APP_URL)}`);
    return project;
  } finally {
    await Promise.all([db.destroy(), write.end()]);
  }
}

/** Says how far something is: a bar that stays on its line in a terminal; one line per tenth elsewhere. */
function progressLine(name: string): (part: number, words: string) => void {
  let tenthShown = -1;
  return (part, words) => {
    const percent = `${Math.floor(part * 100)} %`.padStart(5);
    if (process.stdout.isTTY) {
      const bar = '█'.repeat(Math.round(part * 30)).padEnd(30, '░');
      process.stdout.write(`\r${name} ${bar} ${percent}  ${words} ${part >= 1 ? '\n' : ''}`);
      return;
    }
    const tenth = Math.floor(part * 10);
    if (tenth === tenthShown) return;
    tenthShown = tenth;
    say(`${name} ${percent}  ${words}`);
  };
}

function sayTable(table: string, rows: number): void {
  say(`  ${table.padEnd(24)} ${String(rows).padStart(10)}`);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** One sentence for what is known; the stack for a bug. */
function explain(error: unknown, config?: Config): void {
  const sentence = startProblem(error, config);
  if (sentence === null) console.error(error);
  else console.error(sentence);
}

function counted(count: number): string {
  return count.toLocaleString('en');
}

function sum(rows: Record<string, number>): number {
  return Object.values(rows).reduce((total, count) => total + count, 0);
}

/** `2026-11-20-2240`, in UTC. */
function dayAndTime(ms: number): string {
  return new Date(ms)
    .toISOString()
    .slice(0, 16)
    .replace(/[T:]/g, (sign) => (sign === 'T' ? '-' : ''));
}

// Run directly, by a platform: `node dist/launch.js migrate`.
const [, script = '', command = '', ...args] = process.argv;
if (existsSync(script) && resolve(script) === fileURLToPath(import.meta.url)) {
  process.exitCode = await maintain({ root: process.cwd(), command, args, strict: true });
}
