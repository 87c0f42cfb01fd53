/**
 * The environment of a process: what was given to it, then `.env`, then, for a first run, what a newcomer lacks: a database (the embedded
 * one) and the address. `node dist/main.js` takes the first two only and is strict.
 */
import { createServer } from 'node:net';
import { join } from 'node:path';
import dotenv from 'dotenv';
import { type Environment, loadRunningConfig } from './config.ts';
import { systemClock } from './kit/clock.ts';
import { createLog } from './kit/log.ts';
import { keptAuthKey } from './store/auth-key.ts';
import { type Embedded, startEmbedded } from './store/embedded/embedded.ts';

/**
 * The process's own values first, then those of `.env` in `folder`. An empty string counts as unset in both. Tests (NODE_ENV=test) are
 * the same everywhere, so they never read `.env`.
 */
export function readEnvironment(given: Environment, folder: string): Environment {
  const env: Environment = {};
  for (const [name, value] of Object.entries(given)) if (value) env[name] = value;
  if (env['NODE_ENV'] === 'test') return env;
  dotenv.config({ path: join(folder, '.env'), processEnv: env as Record<string, string>, quiet: true });
  return env;
}

export interface Supplied {
  /** Complete: validates. */
  env: Environment;
  /** The embedded database, when DATABASE_URL named none. */
  embedded: Embedded | null;
  /** Leaves the embedded database. */
  stop(): Promise<void>;
}

/**
 * Supplies missing settings of a first run. Settings are validated, and the port is checked, before anything is started.
 *
 * @param root the folder of the program
 * @param options.port false: no server is started (backup, migration)
 * @throws InvalidSettings, or an error that `startProblem` explains
 */
export async function supplyEnvironment(
  given: Environment,
  root: string,
  options: { port: boolean },
): Promise<Supplied> {
  const env: Environment = { NODE_ENV: 'production', LOG_LEVEL: 'warn', ...readEnvironment(given, root) };
  // A wrong port is reported by its own check, not by that of the URL.
  env['PUBLIC_APP_URL'] ??= `http://localhost:${Number(env['PORT']) || 3000}`;
  const checked = loadRunningConfig({ DATABASE_URL: 'postgresql:///luneta', ...env }, createLog('silent'));
  if (options.port) await tryPort(checked.PORT, checked.HOST);
  if (env['DATABASE_URL']) return { env, embedded: null, stop: async () => undefined };
  const log = createLog(checked.LOG_LEVEL);
  const path = env['PATH'] ?? '';
  const embedded = await startEmbedded({ root, log, clock: systemClock, path });
  const supplied: Environment = { ...env, DATABASE_URL: embedded.url };
  if (!env['AUTH_SECRET']) {
    try {
      const { current, previous } = await keptAuthKey(embedded.home, embedded.url);
      supplied['AUTH_SECRET'] = current;
      if (previous) supplied['AUTH_SECRET_PREVIOUS'] ??= previous;
    } catch (error) {
      await embedded.stop();
      throw error;
    }
  }
  return { env: supplied, embedded, stop: () => embedded.stop() };
}

/** Throws what listening would throw. */
async function tryPort(port: number, host: string): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  await new Promise((resolve) => server.close(resolve));
}
