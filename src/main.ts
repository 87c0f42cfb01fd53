/**
 * The web process: makes everything, listens, and stops it in order. Run as `node dist/main.js`, which is strict about its
 * settings and does not migrate; `npm start` calls `serve` after it has supplied and migrated (launch.ts).
 */
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { access } from './accounts/rights/values.ts';
import { type Config, type Environment, ingestMode, loadRunningConfig } from './config.ts';
import { distFolder } from './dist-folder.ts';
import { readEnvironment } from './environment.ts';
import { createFrontApp, createStreams, sortRequests } from './front-app.ts';
import { unavailable } from './kit/errors.ts';
import { createLog, type Log } from './kit/log.ts';
import { createStopper, type Stopper } from './kit/stop.ts';
import { collectLeftovers } from './leftovers.ts';
import { createParts, ownDelivery, ownTokenOf, type Parts } from './parts.ts';
import { openScreensEarly } from './preload.ts';
import { notMigrated, startProblem } from './problems.ts';
import { metricsOf } from './readings.ts';
import { appRouter } from './router.ts';
import { createScreensThread, type Main } from './screens-thread.ts';
import { withBudget } from './store/connections.ts';
import { asAppError, isOutage } from './store/db.ts';
import { isMigrated } from './store/schema.ts';
import { putV8ThreadsBehind } from './v8-threads.ts';
import { inFront } from './web/front.ts';
import { handOver } from './web/handover.ts';
import { createHealth, type Health } from './web/health.ts';
import { createMeasure } from './web/measure.ts';
import { metricsRoutes } from './web/metrics.ts';
import { createReport } from './web/report.ts';
import { eventsLog } from './web/request-log.ts';
import { startServer } from './web/server.ts';

export interface Running {
  /** Address that it listens on, as opposed to the public URL. */
  url: string;
  /** Finishes what was begun, in order, and gives everything back. Never throws. */
  stop(): Promise<void>;
}

/** How long requests under way may take after a stop was asked for. */
const answersMs = 10_000;

/**
 * Starts the web process.
 *
 * @param env complete: missing settings are an error
 * @throws an error that `startProblem` explains
 */
export async function serve(env: Environment): Promise<Running> {
  // The caller reports invalid settings, once.
  const config = loadRunningConfig(env, createLog('silent'));
  const log = createLog(config.LOG_LEVEL);
  const stopper = createStopper(log);
  try {
    return await open(await withBudget(config, 'web', log), env['LUNETA_DEV'], log, stopper);
  } catch (error) {
    await stopper.stop();
    throw error;
  }
}

async function open(config: Config, stamp: string | undefined, log: Log, stopper: Stopper): Promise<Running> {
  const parts = await createParts(config, log, stopper);
  const { rooms } = parts;
  const ownToken = () => ownTokenOf(config, parts.ownProject());
  if (ingestMode(config) === 'relay' && ownToken() === null) {
    log.warn('PUBLIC_POSTHOG_KEY is not set; own telemetry is off');
  }
  if (config.AUTH_SECRET === undefined) {
    log.warn('AUTH_SECRET is not set: the session signing key is stored unencrypted in the database and its dumps');
  }
  const measure = createMeasure({ config, log, fetch: rooms.deps.fetch, token: ownToken, deliver: ownDelivery(parts) });
  stopper.onStop('own telemetry', () => measure.stop());

  const screens = createScreensThread({
    file: `${distFolder(import.meta.url)}/screens.js`,
    config,
    stamp,
    log,
    clock: rooms.deps.clock,
    answers: mainAnswers(parts),
  });
  stopper.onStop('screens', () => screens.stop(), 40_000);
  const health = createHealth();
  const metrics = metricsRoutes(metricsOf(parts, screens), config.METRICS_TOKEN);
  const streams = createStreams({
    config,
    rooms,
    router: appRouter,
    access,
    sessions: parts.sessions,
    report: createReport(log, measure),
  });
  const front = createFrontApp({
    config,
    health,
    metrics,
    measure,
    streams,
    deps: rooms.deps,
    ingest: parts.ingest,
  });
  const sorted = sortRequests(config, front, handOver({ open: screens.open, refuse: front }));
  const listener = parts.collect
    ? inFront(sorted, { config, ...parts.collect.front, log: eventsLog(log, rooms.deps.clock, config.LOG_LEVEL) })
    : sorted;
  // During development the page is opened right after a change.
  if (stamp !== undefined) screens.open().catch(() => undefined); // which is logged there
  const server = await startServer(listener, { port: config.PORT, host: config.HOST });
  // Streams never end on their own: they are ended first, or the server would wait for them.
  stopper.onStop(
    'server',
    async () => {
      const closed = server.stop(answersMs);
      screens.endStreams();
      await rooms.live.stop();
      await closed;
    },
    answersMs + 2_000,
  );
  stopper.onStop('readiness', () => health.stopping());

  parts.processes.start();
  // Nothing of the jobs runs before the schema is there.
  await becomeReady(parts, health, log, stopper, () => {
    if (config.JOBS === 'web') {
      parts.jobs.start();
      parts.clickhouse?.start();
    }
    void openScreensEarly(parts, screens);
  });
  log.info({ url: server.url, mode: ingestMode(config) }, 'listening');
  stopper.onStop('leftovers', collectLeftovers(log));
  putV8ThreadsBehind(log);
  measure.event('server started', { node: process.versions.node, mode: ingestMode(config) });
  return {
    url: server.url,
    async stop() {
      await stopper.stop();
      log.info('stopped');
    },
  };
}

/** Handlers for the rendering thread. */
function mainAnswers(parts: Parts): Main {
  const { collect, projects, jobs, relay } = parts.rooms;
  return {
    reportNow: parts.processes.reportNow,
    ownProject: parts.ownProject,
    async capture(events, project) {
      if (collect === null) throw unavailable('This server relays events and doesn’t store them.');
      return collect.capture(events, project);
    },
    projectsChanged: () => projects.forget(),
    jobSoon: jobs.soon,
    relayStatus: () => relay.status().catch((error: unknown) => Promise.reject(asAppError(error))),
    spoolDir: () => collect?.stats().spool?.dir ?? null,
  };
}

/**
 * Ready once the schema is there. While the database is away we are ready as well: events are kept on disk meanwhile, and a
 * balancer that passed us over would have nowhere to send them. Looks once now, then in the background.
 */
async function becomeReady(
  parts: Parts,
  health: Health,
  log: Log,
  stopper: Stopper,
  onSchema: () => void,
): Promise<void> {
  const missing = await tryToBecomeReady(parts, health, log);
  if (missing === null) return onSchema();
  log.warn({ reason: missing }, 'database unavailable or not migrated; checking every second');
  const poll = async () => {
    do await sleep(1_000, undefined, { ref: false });
    while (!stopper.stopping && (await tryToBecomeReady(parts, health, log)) !== null);
    if (!stopper.stopping) onSchema();
  };
  void poll();
}

/** @returns why it is not ready; null: it is */
async function tryToBecomeReady(parts: Parts, health: Health, log: Log): Promise<string | null> {
  const { db, config } = parts.rooms.deps;
  try {
    if (!(await isMigrated(db))) return notMigrated;
    await parts.prepareOwnProject();
    const { accounts } = parts.rooms;
    if (!(await accounts.isSetUp())) {
      log.warn(
        { address: await accounts.signIn.setupAddress() },
        'no accounts yet: open this link to create the first one',
      );
    }
  } catch (error) {
    log.debug({ err: error }, 'database not ready yet');
    if (isOutage(error)) health.ready();
    return startProblem(error, config) ?? String(error);
  }
  health.ready();
  return null;
}

/** `node dist/main.js`. */
async function run(): Promise<void> {
  const env = readEnvironment(process.env, process.cwd());
  const log = createLog(env['LOG_LEVEL'] ?? 'info');
  const running = await serve(env).catch((error: unknown) => {
    const sentence = startProblem(error, env);
    log.fatal(sentence === null ? { err: error } : {}, sentence ?? 'failed to start');
    process.exit(1);
  });
  let isStopping = false;
  const stop = (code: number) => {
    if (isStopping) return;
    isStopping = true;
    void running.stop().then(() => process.exit(code));
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop(0));
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      log.fatal({ err: error }, 'unexpected error');
      stop(1);
    });
  }
}

if (/^main\.[jt]s$/.test(basename(process.argv[1] ?? ''))) await run();
