/**
 * The rendering thread: the whole application on a separate socket, so that ingestion does not wait for screens.
 * An entry of the build, started by `screens-thread.ts`. It does not ingest, spool or run jobs.
 */
import { createServer } from 'node:http';
import { constants, getPriority, setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { Router } from 'express';
import { createApp } from './app.ts';
import { distFolder } from './dist-folder.ts';
import { type Answers, type End, openLine } from './kit/calls.ts';
import { createLog, type Log } from './kit/log.ts';
import { createStopper, type Stopper } from './kit/stop.ts';
import { collectLeftovers } from './leftovers.ts';
import { createParts, ownDelivery, ownTokenOf, type Parts } from './parts.ts';
import { preload } from './preload.ts';
import type { Main, Screens, ScreensData } from './screens-thread.ts';
import { readAssets } from './web/assets.ts';
import { watchBuild } from './web/dev.ts';
import { handedHeaderBytes, takeOver } from './web/handover.ts';
import { createHealth } from './web/health.ts';
import { createMeasure } from './web/measure.ts';
import { BACKLOG } from './web/server.ts';

/** Steps below the thread that takes events in: when both want a processor, that one gets it. */
const BEHIND = 5;
const PRACTICE_AFTER_MS = 1_000;
/** Retry interval of loading our own project while the database is unavailable, ms. */
const LOOK_MS = 1_000;

async function draw(port: End, { config, address, stamp }: ScreensData, log: Log, stopper: Stopper): Promise<void> {
  let endStreams = async () => {};
  const begun = Promise.withResolvers<void>();
  let waiting = () => 0;
  const answers: Screens & Answers = {
    begun: () => begun.promise,
    waiting: () => waiting(),
    endStreams: () => endStreams(),
    async stop() {
      await stopper.stop();
      process.exit(); // of this thread
    },
  };
  const main = openLine<Main>(port, answers);
  const dev = stamp === undefined ? null : watchBuild(stamp);
  const built = dev ? null : readAssets(distFolder(import.meta.url));
  const parts = await createParts(config, log, stopper, { main });
  const { rooms } = parts;
  await parts.prepareOwnProject();
  void untilOwnProject(parts, stopper);
  const ownToken = () => ownTokenOf(config, parts.ownProject());
  const measure = createMeasure({ config, log, fetch: rooms.deps.fetch, token: ownToken, deliver: ownDelivery(parts) });
  stopper.onStop('own telemetry', () => measure.stop());
  const app = createApp({
    config,
    rooms,
    measure,
    ownToken,
    health: createHealth(),
    ingest: Router(),
    metrics: Router(),
    assets: dev ? dev.assets : () => built as NonNullable<typeof built>,
    sessions: parts.sessions,
    onScreen: practiseOnce(parts),
    dev: dev?.routes,
  });
  const server = createServer(
    // Slow clients are disconnected by the main thread.
    { maxHeaderSize: handedHeaderBytes, requireHostHeader: false, ...NO_LIMITS },
    takeOver(app, config),
  );
  stopper.onStop('socket', () => {
    server.close();
    server.closeAllConnections();
  });
  endStreams = async () => {
    dev?.stop();
    await rooms.live.stop();
  };
  stopper.onStop('streams', () => endStreams());
  waiting = () => rooms.deps.db.client.pool?.numPendingAcquires() ?? 0;
  parts.processes.start();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ path: address, backlog: BACKLOG }, resolve);
  });
  stopper.onStop('leftovers', collectLeftovers(log));
  begun.resolve();
  void preload(parts, log);
}

const NO_LIMITS = { headersTimeout: 0, requestTimeout: 0, keepAliveTimeout: 0 };

/** Waits until our own project was loaded once. */
async function untilOwnProject(parts: Parts, stopper: Stopper): Promise<void> {
  while (parts.ownProject() === null && !stopper.stopping) {
    await sleep(LOOK_MS, undefined, { ref: false });
    await parts.prepareOwnProject().catch(() => undefined); // the main thread is being stopped
  }
}

/** A second after the first screen, which is quicker alone: signing in takes longer than that. */
function practiseOnce({ columns }: Parts): () => void {
  let isAsked = false;
  return () => {
    if (!isAsked) setTimeout(() => columns.warmUp(), PRACTICE_AFTER_MS).unref();
    isAsked = true;
  };
}

/** Here it is the thread that is meant; elsewhere it would be the whole process. */
function stepBehind(): void {
  if (process.platform === 'linux') setPriority(Math.min(getPriority() + BEHIND, constants.priority.PRIORITY_LOW));
}

if (parentPort !== null) {
  stepBehind();
  const data = workerData as ScreensData;
  const log = createLog(data.config.LOG_LEVEL);
  await draw(parentPort, data, log, createStopper(log));
}
