/**
 * Statistics of a table that grows from little to much within seconds. Autovacuum looks once a minute; until then the planner takes a project that is
 * new to the statistics for one without rows, and may read all of its rows for each one that it looks up.
 */
import type { Pool } from 'pg';

/** Rows that are added before the statistics are renewed for the first time. Then twice as many, and so on: autovacuum follows by itself. */
const FIRST_ROWS = 1_000;

export interface Statistics {
  /** Counts rows added by this process. Does not wait and never throws: stale statistics only make queries slower. */
  added(rows: number): void;
}

/** @param table one of ours */
export function createStatistics(pool: Pool, table: 'property_groups'): Statistics {
  let added = 0;
  let due = FIRST_ROWS;
  let renewing: Promise<unknown> | null = null;
  return {
    added(rows) {
      added += rows;
      if (added < due || renewing !== null) return;
      due = 2 * added;
      renewing = pool
        .query(`analyze (skip_locked) ${table}`)
        .catch(() => undefined)
        .finally(() => {
          renewing = null;
        });
    },
  };
}
