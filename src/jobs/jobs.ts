/**
 * The job runner: graphile-worker on a session connection, in the web process or a worker process. Each
 * job runs in one process at a time; other processes take over the jobs of a dead one, and a process that loses its locks
 * restarts its runner. Owner of `job_runs` and, through graphile-worker, of the schema `graphile_worker`.
 */
import { EventEmitter } from 'node:events';
import type { LogFunctionFactory, Runner, TaskList, WorkerEvents } from 'graphile-worker';
import type { Pool } from 'pg';
import type { Config } from '#src/config.ts';
import type { Clock } from '#src/kit/clock.ts';
import { isLate } from '#src/kit/late.ts';
import type { Log } from '#src/kit/log.ts';
import { type RefusedConnections, WaitingPool, watchRefusedConnections } from '#src/store/connection-wait.ts';
import { jobConnection, levelOf, levelOfWords } from '#src/store/db.ts';
import type { JobInterval, JobStatus } from './contract.ts';
import { createLocks, type Locks } from './locks.ts';
import { noteEnd, noteStart, readRuns } from './runs.ts';
import { slotOf, untilNextMinute } from './schedule.ts';

export interface Job {
  /** Stable: stored. */
  name: string;
  every: JobInterval;
  /** Must be safe to run again after it was cut short at any point. Should end soon after `signal` fires. */
  run(signal: AbortSignal): Promise<unknown>;
}

export interface Jobs {
  /** Starts in the background; retries while the database is unavailable. Every job runs once at the start. */
  start(): void;
  status(): Promise<JobStatus[]>;
  /** Runs a job as soon as a worker is free. @throws while the database is away */
  soon(name: string): Promise<void>;
  /** Aborts running jobs and waits for them. */
  stop(): Promise<void>;
}

export interface JobsDeps {
  config: Pick<Config, 'DATABASE_URL' | 'DIRECT_DATABASE_URL'>;
  /** Any pool: only the status goes through it. */
  write: Pool;
  log: Log;
  clock: Clock;
  /** Absent: refused connections are only logged. */
  refused?: RefusedConnections;
  /** Jobs that run at a time; absent: 3. */
  concurrency?: number;
}

const MAX_ATTEMPTS = 10;
const CONCURRENCY = 3;
const RESTART_MS = 5000;
/** Interval in which a starting process checks jobs that run elsewhere, ms. */
const AGAIN_MS = 2000;
/** Timeout of stopping a runner that lost its connections, ms. */
const END_MS = 10_000;
/** Not a job of the list: gives back what killed processes had begun. */
const RECOVERY = 'recover-jobs';

const runOptions = {
  noHandleSignals: true,
  gracefulShutdownAbortTimeout: 100,
  // Without batching, a failed write of a job's completion is an unhandled rejection, which would end the process.
  preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
  // Its own waits for the time at which a clock that had jumped ahead was put right.
  parsedCronItems: [],
};

export function createJobs(deps: JobsDeps, list: readonly Job[]): Jobs {
  const { log, clock, concurrency = CONCURRENCY } = deps;
  const stopping = new AbortController();
  let runner: Runner | null = null;
  let ended: Promise<void> | null = null;

  async function runForEver(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        // Some megabytes that a process without jobs does without.
        await runOnce(await import('graphile-worker'));
      } catch (error) {
        if (stopping.signal.aborted) break;
        log[levelOf(error)]({ reason: (error as Error).message }, "background jobs can't run yet");
        await rest(RESTART_MS, stopping.signal);
      }
    }
  }

  /** From the first connection to the loss of the locks, or to our stop. @throws when it was not our stop */
  async function runOnce({ Logger, run }: typeof import('graphile-worker')): Promise<void> {
    const pool = openPool(deps);
    const locks = createLocks(deps);
    const ending = new AbortController();
    const timeKept: Promise<void>[] = [];
    try {
      await locks.open();
      traceToLog(log);
      const events = new EventEmitter() as WorkerEvents;
      const named: Promise<void>[] = [];
      events.on('pool:create', ({ workerPool }) => named.push(locks.declareAlive(workerPool.id)));
      const current = await run({
        pgPool: pool,
        concurrency,
        ...runOptions,
        logger: new Logger(saidIn(log)),
        events,
        taskList: makeTasks(locks, ending.signal),
      });
      runner = current;
      await Promise.all(named);
      for (const name of [RECOVERY, ...list.map((job) => job.name)]) await addJob(current, name);
      timeKept.push(keepTime(current, AbortSignal.any([ending.signal, stopping.signal])));
      if (stopping.signal.aborted) await current.stop();
      // graphile-worker reconnects on its own, but no job may run without its lock.
      const lost = await Promise.race([locks.lost(), current.promise.then(() => null)]);
      if (lost !== null) {
        ending.abort();
        await isLate(current.stop(), END_MS);
        throw lost;
      }
    } finally {
      runner = null;
      ending.abort();
      await Promise.all(timeKept);
      await isLate(locks.close(), END_MS);
      await isLate(pool.end(), END_MS);
    }
    if (!stopping.signal.aborted) throw new Error('job runner exited unexpectedly');
  }

  /** Has each job run once in each of its slots, by whichever process is first. */
  async function keepTime(current: Runner, signal: AbortSignal): Promise<void> {
    const done = new Map(list.map(({ name, every }) => [name, slotOf(every, clock.now())]));
    for (;;) {
      await rest(untilNextMinute(clock.now()), signal);
      if (signal.aborted) return;
      try {
        await addJob(current, RECOVERY);
        for (const { name, every } of list) {
          const slot = slotOf(every, clock.now());
          if (done.get(name) === slot) continue;
          await addJob(current, name, { slot });
          done.set(name, slot);
        }
      } catch (error) {
        const reason = (error as Error).message;
        log[levelOf(error)]({ reason }, 'failed to start background jobs; retrying in one minute');
      }
    }
  }

  function makeTasks(locks: Locks, ending: AbortSignal): TaskList {
    const tasks: TaskList = { [RECOVERY]: () => locks.recover(clock.now()) };
    for (const job of list) {
      tasks[job.name] = async (payload, { abortSignal, addJob: add }) => {
        const isOurs = await locks.tryTake(job.name);
        if (!isOurs) {
          // The process that runs it may be about to stop. The run of the next slot takes the place of this one.
          const isAnyway = (payload as JobPayload).slot === undefined;
          if (isAnyway) await add(job.name, {}, { ...entryOf(job.name), runAt: new Date(clock.now() + AGAIN_MS) });
          return;
        }
        try {
          if (await isDone(job, payload as JobPayload)) return;
          await runJob(job, AbortSignal.any([abortSignal, stopping.signal, ending]));
        } finally {
          await locks.giveBack(job.name);
        }
      };
    }
    return tasks;
  }

  /** Another process was quicker. */
  async function isDone({ name, every }: Job, { slot }: JobPayload): Promise<boolean> {
    if (slot === undefined) return false;
    const last = (await readRuns(deps)).get(name);
    if (last === undefined || last.startedAt === null || last.isRunning || last.failures > 0) return false;
    return slotOf(every, last.startedAt) === slot;
  }

  async function runJob(job: Job, signal: AbortSignal): Promise<void> {
    await noteStart(deps, job.name);
    const startedAt = clock.elapsed();
    const tookMs = () => Math.round(clock.elapsed() - startedAt);
    try {
      await job.run(signal);
    } catch (error) {
      const level = levelOf(error) === 'debug' ? 'debug' : 'error';
      log[level]({ err: error, job: job.name }, 'background job failed; will retry');
      await noteEnd(deps, job.name, tookMs(), (error as Error).message);
      throw error;
    }
    await noteEnd(deps, job.name, tookMs(), null);
  }

  return {
    start() {
      ended ??= runForEver();
    },
    async status() {
      const runs = await readRuns(deps);
      return list.map(({ name, every }) => ({ name, every, ...(runs.get(name) ?? NEVER) }));
    },
    async soon(name) {
      if (!runner) throw new Error('background jobs are not running');
      await addJob(runner, name);
    },
    async stop() {
      stopping.abort();
      const stopped = runner?.stop();
      await Promise.allSettled([stopped, ended]);
    },
  };
}

/** graphile-worker prints why a worker ended, with its stack, besides logging it: of an outage that would be dozens of lines of no form. */
function traceToLog(log: JobsDeps['log']): void {
  console.trace = (error: unknown) => log.debug({ err: error }, 'a worker of background jobs ended');
}

const NEVER = { startedAt: null, succeededAt: null, isRunning: false, tookMs: null, failures: 0, error: null };

/** In which slot it is to run; absent: whether it did or not. */
interface JobPayload {
  slot?: number;
}

/** One waiting entry per job: asking again moves it, and does not add to it. */
async function addJob(runner: Runner, name: string, payload: JobPayload = {}): Promise<void> {
  await runner.addJob(name, payload, entryOf(name));
}

function entryOf(name: string) {
  return { jobKey: name, maxAttempts: name === RECOVERY ? 1 : MAX_ATTEMPTS };
}

function openPool({ config, log, refused, concurrency = CONCURRENCY }: JobsDeps): Pool {
  const pool = new WaitingPool({
    ...jobConnection(config),
    max: concurrency + 2,
    connectionTimeoutMillis: 5000,
  });
  pool.refused = refused ?? watchRefusedConnections(log);
  // Not the error itself: it carries the connection, with everything that passed over it.
  const onError = (error: Error) => log[levelOf(error)]({ reason: error.message }, 'background job connection failed');
  pool.on('error', onError);
  // Also while it is in use, where the pool itself does not listen.
  pool.on('connect', (client) => client.on('error', onError));
  return pool;
}

/** Its own messages are about its own workings: all but warnings and errors are for debugging, and so is that the database is away. */
function saidIn(log: Log): LogFunctionFactory {
  return (scope) => (level, message, meta) => {
    const error = meta?.['error'] as Error | undefined;
    const isAway = levelOf(error) === 'debug' || levelOfWords(message) === 'debug';
    const write = isAway ? log.debug : level === 'error' ? log.error : level === 'warning' ? log.warn : log.debug;
    write.call(log, { ...scope, ...(error ? { reason: error.message } : {}) }, message);
  };
}

function rest(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    // Of what is over already, no event comes.
    if (signal.aborted) return resolve();
    const timer = setTimeout(end, ms);
    function end() {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    }
    signal.addEventListener('abort', end);
  });
}
