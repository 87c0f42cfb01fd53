/** A `Deps` for tests: real pools on a test database, a clock that stands still, a log that can be read. */
import * as fs from 'node:fs';
import { type Config, loadConfig } from '#src/config.ts';
import { fixedClock } from '#src/kit/clock.ts';
import { createLog } from '#src/kit/log.ts';
import { openDb, openWritePool } from '#src/store/db.ts';
import type { Deps } from '#src/store/deps.ts';

/** Thursday, 19 November 2026, 15:00 UTC. */
export const TEST_TIME = Date.UTC(2026, 10, 19, 15);

export interface TestDeps extends Deps {
  /** Stands at `TEST_TIME` until moved; pass `clock: systemClock` for one that runs. */
  clock: ReturnType<typeof fixedClock>;
  /** Lines of the log, parsed. */
  logged: { level: number; msg: string; [key: string]: unknown }[];
  /** Ends the pools. */
  close(): Promise<void>;
}

/** Anything of `Deps` may be replaced; settings are given by name as in the environment. */
export type TestDepsOverrides = Partial<Omit<Deps, 'config'>> & { config?: Partial<Config> };

/**
 * @param databaseUrl of `useDatabase()`; without it the pools lead nowhere
 * @example const deps = testDeps(database.url, { config: { TRUST_PROXY: 1 } }); … await deps.close();
 */
export function testDeps(databaseUrl = NOWHERE, overrides: TestDepsOverrides = {}): TestDeps {
  const logged: TestDeps['logged'] = [];
  const log = overrides.log ?? createLog('debug', { write: (line) => logged.push(JSON.parse(line)) });
  const config: Config = Object.freeze({ ...testConfig(databaseUrl), ...overrides.config });
  const db = overrides.db ?? openDb(config, log);
  const write = overrides.write ?? openWritePool(config, log);
  return {
    fetch: globalThis.fetch,
    fs,
    ...overrides,
    config,
    db,
    write,
    log,
    clock: (overrides.clock ?? fixedClock(TEST_TIME)) as TestDeps['clock'],
    logged,
    async close() {
      await Promise.all([db.destroy(), write.end()]);
    },
  };
}

/** The settings of a test process: nothing of the real environment. */
export function testConfig(databaseUrl = NOWHERE): Config {
  return loadConfig({
    DATABASE_URL: databaseUrl,
    PUBLIC_APP_URL: 'http://localhost:3000',
    NODE_ENV: 'test',
    PORT: '0',
    LOG_LEVEL: 'debug',
  });
}

const NOWHERE = 'postgres://nobody@127.0.0.1:1/nowhere';
