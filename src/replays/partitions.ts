/** Partitions of blocks by week. A session's blocks are all in the week of its beginning, so that retention drops a table. */
import type { Knex } from 'knex';
import { dayMs } from '#src/kit/zone.ts';
import { query, sql } from '#src/store/sql.ts';

export const WEEK_MS = 7 * dayMs;

/** The week of a time: weeks since 1970-01-01. */
export function weekOf(ms: number): number {
  return Math.floor(ms / WEEK_MS);
}

/** Any fixed number: holds off a second process while a partition is made. */
const PARTITION_LOCK = 7_135_201_152;
const NAME = /^replay_blocks_(\d+)$/;

export interface ReplayPartitions {
  /** Makes the partition of a week if it is missing. */
  ensure(week: number): Promise<void>;
  /** Weeks with a partition, the oldest first. */
  weeks(): Promise<number[]>;
  /** Drops a week with all its blocks. */
  drop(week: number): Promise<void>;
  /** Another process may have dropped one. */
  forget(): void;
}

export function createReplayPartitions(db: Knex): ReplayPartitions {
  const known = new Set<number>();

  async function alone(statement: string): Promise<void> {
    await db.transaction(async (trx) => {
      await trx.raw('set local lock_timeout = 2000');
      await query(trx, sql`select pg_advisory_xact_lock(${PARTITION_LOCK})`);
      await trx.raw(statement);
    });
  }

  return {
    async ensure(week) {
      if (known.has(week)) return;
      await alone(
        `create table if not exists replay_blocks_${week} partition of replay_blocks for values in (${week})`,
      );
      known.add(week);
    },
    async weeks() {
      const rows = await query<{ name: string }>(
        db,
        sql`select child.relname as name
              from pg_inherits
              join pg_class child on child.oid = inhrelid
             where inhparent = 'replay_blocks'::regclass`,
      );
      return rows
        .flatMap(({ name }) => NAME.exec(name)?.[1] ?? [])
        .map(Number)
        .sort((one, other) => one - other);
    },
    async drop(week) {
      await alone(`drop table if exists replay_blocks_${week}`);
      known.delete(week);
    },
    forget: () => known.clear(),
  };
}
