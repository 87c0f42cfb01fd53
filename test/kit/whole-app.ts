/** The whole application over a real database: every room, real sessions, set up by its owner. For tests of what all of it promises. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Express } from 'express';
import { createApp } from '#src/app.ts';
import type { Config } from '#src/config.ts';
import { createLog, type Log } from '#src/kit/log.ts';
import { createStopper } from '#src/kit/stop.ts';
import { createParts, type Parts, type PartsOptions } from '#src/parts.ts';
import { metricsOf } from '#src/readings.ts';
import { createHealth } from '#src/web/health.ts';
import { metricsRoutes } from '#src/web/metrics.ts';
import { testAssets } from './app.ts';
import type { TestDatabase } from './database.ts';
import { testConfig } from './deps.ts';
import { setUpOwner } from './sign-in.ts';

export interface WholeApp {
  readonly app: Express;
  readonly parts: Parts;
  readonly config: Config;
  /** Lines of the log, as they were written. */
  readonly lines: string[];
  /** Cookie of the owner, and the project and team that setting up made. */
  readonly owner: string;
  readonly project: number;
  readonly team: number;
}

export interface WholeAppOptions extends PartsOptions {
  /** Counts calls as the product does: 300 a minute. Tests that try everything make more. */
  limited?: boolean;
}

const PATIENCE_MS = 60_000;

/** One over a database that is there, whatever it holds. */
export async function openWholeApp(
  config: Config,
  { limited = false, log = createLog('silent'), ...options }: WholeAppOptions & { log?: Log } = {},
): Promise<Pick<WholeApp, 'app' | 'parts' | 'config'> & { stop(): Promise<void> }> {
  const stopper = createStopper(log);
  const parts = await createParts(config, log, stopper, options);
  await parts.prepareOwnProject();
  const app = createApp({
    config,
    rooms: limited ? parts.rooms : { ...parts.rooms, limits: uncounted(parts.rooms.limits) },
    health: createHealth(),
    ingest: parts.ingest,
    metrics: metricsRoutes(metricsOf(parts), config.METRICS_TOKEN),
    assets: () => testAssets,
    measure: { exception: () => undefined, event: () => undefined, stop: async () => undefined },
    ownToken: () => parts.ownProject()?.token ?? null,
    sessions: parts.sessions,
    // A page of a busy machine is whole as well.
    limits: { statusMs: PATIENCE_MS, wholeMs: PATIENCE_MS },
  });
  return {
    app,
    parts,
    config,
    async stop() {
      await parts.rooms.live.stop();
      await stopper.stop();
    },
  };
}

/** Starts it for the test file. The properties are known once `beforeAll` has run. */
export function useWholeApp(
  database: TestDatabase,
  settings: Partial<Config> = {},
  { limited = false, ...options }: WholeAppOptions = {},
): WholeApp {
  const whole = { lines: [] as string[] } as { -readonly [Key in keyof WholeApp]: WholeApp[Key] };
  let folder = '';
  let stop = async (): Promise<void> => undefined;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'luneta-whole-'));
    const log = createLog('debug', { write: (line) => whole.lines.push(line) });
    const config = Object.freeze({ ...testConfig(database.url), SPOOL_DIR: folder, ...settings });
    const opened = await openWholeApp(config, { ...options, limited, log });
    stop = opened.stop;
    Object.assign(whole, { config, app: opened.app, parts: opened.parts });
    const setup = new URL(await whole.parts.rooms.accounts.signIn.setupAddress());
    const { cookie, project } = await setUpOwner(whole.app, setup.searchParams.get('token') ?? undefined);
    const [row] = await database.query<{ id: number }>('select id from teams');
    Object.assign(whole, { owner: cookie, project, team: row?.id });
  });
  afterAll(async () => {
    await stop();
    await rm(folder, { recursive: true, force: true });
  });
  return whole;
}

/** Sign-in, mail and keys are still counted. */
function uncounted(limits: Parts['rooms']['limits']): Parts['rooms']['limits'] {
  return { ...limits, calls: async () => undefined, heavy: () => () => undefined };
}
