/** Dependencies of the process. Created once in main.ts (and by the test kit) and passed down; functions take the ones they use. */
import type * as nodeFs from 'node:fs';
import type { Knex } from 'knex';
import type { Pool } from 'pg';
import type { Config } from '#src/config.ts';
import type { Clock } from '#src/kit/clock.ts';
import type { Log } from '#src/kit/log.ts';

export interface Deps {
  config: Config;
  /** Pool for screens and settings (knex): statement time-out 10 s. */
  db: Knex;
  /** Pool for collection (pg): separate, so that a slow question cannot stop intake, nor the reverse. */
  write: Pool;
  log: Log;
  clock: Clock;
  fetch: typeof globalThis.fetch;
  /** File system of the spool; tests inject faults here. */
  fs: typeof nodeFs;
}
