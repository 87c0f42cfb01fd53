/**
 * The worker process: the recurring jobs without the web, for installations that want them apart (`JOBS=worker` takes them out of the
 * web process). Run as `node dist/worker.js`; any number may run, and each job runs in one of them.
 */
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Environment, loadRunningConfig } from './config.ts';
import { readEnvironment } from './environment.ts';
import { createLog, type Log } from './kit/log.ts';
import { createStopper, type Stopper } from './kit/stop.ts';
import { createParts, type Parts } from './parts.ts';
import { notMigrated, startProblem } from './problems.ts';
import { withBudget } from './store/connections.ts';
import { isMigrated } from './store/schema.ts';
import { putV8ThreadsBehind } from './v8-threads.ts';

/** How often to look whether the database is there and migrated. */
const LOOK_MS = 1_000;

/** Starts the jobs. @param env complete: what is missing in it is an error */
async function work(env: Environment, log: Log, stopper: Stopper): Promise<void> {
  const config = await withBudget(loadRunningConfig(env, createLog('silent')), 'worker', log);
  const parts = await createParts(config, log, stopper, { role: 'worker' });
  await untilMigrated(parts, log, stopper);
  if (stopper.stopping) return;
  putV8ThreadsBehind(log);
  parts.jobs.start();
  parts.clickhouse?.start();
  parts.processes.start();
  log.info('background jobs run in this process');
}

async function untilMigrated({ rooms }: Parts, log: Log, stopper: Stopper): Promise<void> {
  let hasSaidSo = false;
  for (;;) {
    if (stopper.stopping) return;
    const reason = await missing();
    if (reason === null) return;
    if (!hasSaidSo) log.warn({ reason }, 'database unavailable or not migrated; checking every second');
    hasSaidSo = true;
    await sleep(LOOK_MS);
  }

  /** Why nothing can be done yet; null: it can. */
  async function missing(): Promise<string | null> {
    try {
      return (await isMigrated(rooms.deps.db)) ? null : notMigrated;
    } catch (error) {
      log.debug({ err: error }, 'database not ready yet');
      return startProblem(error, rooms.deps.config) ?? String(error);
    }
  }
}

async function run(): Promise<void> {
  const env = readEnvironment(process.env, process.cwd());
  const log = createLog(env['LOG_LEVEL'] ?? 'info');
  const stopper = createStopper(log);
  const stop = (code: number) => {
    if (!stopper.stopping) void stopper.stop().then(() => process.exit(code));
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop(0));
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      log.fatal({ err: error }, 'unexpected error');
      stop(1);
    });
  }
  try {
    await work(env, log, stopper);
  } catch (error) {
    const sentence = startProblem(error, env);
    log.fatal(sentence === null ? { err: error } : {}, sentence ?? 'worker failed to start');
    await stopper.stop();
    process.exit(1);
  }
}

if (/^worker\.[jt]s$/.test(basename(process.argv[1] ?? ''))) await run();
