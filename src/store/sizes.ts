/** Sizes of tables and indexes, measured once a day. Owner of `size_samples`. */
import type { Knex } from 'knex';
import type { Clock } from '#src/kit/clock.ts';
import { dayMs } from '#src/kit/zone.ts';
import type { PartSize, SizePart } from '#src/status/contract.ts';
import { query, sql } from './sql.ts';

/** Growth is a mean of these days. */
const GROWTH_MS = 28 * dayMs;
/** Two samples of successive days may lie a little closer than a day. */
const MIN_GROWTH_MS = 0.75 * dayMs;
const KEPT_MS = 100 * dayMs;

export interface Sizes {
  /** Largest first, with how fast each grows. */
  read(): Promise<PartSize[]>;
  /** Recurring work, daily: notes the sizes of this day. */
  sample(): Promise<void>;
}

/** Bytes by part: tables with their indexes. `other` is the rest of the database, the catalogue included. */
export const partSizes = sql`
        select part, sum(bytes)::bigint as bytes, sum(index_bytes)::bigint as "indexBytes"
        from (
          select case
              when c.relname ~ '^event_uuids(_|$)' then 'ledger'
              when c.relname ~ '^events(_|$)' then 'events'
              when c.relname like 'chunk%' or c.relname = 'stale_units' then 'columns'
              when c.relname ~ '^replay_' then 'recordings'
              when c.relname = 'sessions' then 'sessions'
              when c.relname like 'person%' or c.relname = 'distinct_ids' then 'persons'
              when c.relname in ('property_groups', 'group_names', 'groups', 'group_types') then 'groups'
              else 'other' end as part,
            pg_total_relation_size(c.oid) as bytes,
            pg_indexes_size(c.oid) as index_bytes
          from pg_class c
            join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
          where c.relkind = 'r'
          union all
          select 'other', pg_database_size(current_database()) - sum(pg_total_relation_size(c.oid)), 0
          from pg_class c
            join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
          where c.relkind = 'r'
        ) as tables
        group by part
        order by bytes desc, part`;

export function createSizes({ db, clock }: { db: Knex; clock: Clock }): Sizes {
  return {
    async read() {
      const now = clock.now();
      const [sizes, samples] = await Promise.all([
        query<Omit<PartSize, 'bytesPerDay'>>(db, partSizes),
        query<Sample>(
          db,
          sql`select distinct on (part) part, at, bytes from size_samples
               where at >= ${sql.time(now - GROWTH_MS)} and at <= ${sql.time(now - MIN_GROWTH_MS)}
               order by part, at`,
        ),
      ]);
      const firsts = new Map(samples.map((sample) => [sample.part, sample]));
      return sizes.map((size) => ({ ...size, bytesPerDay: growthSince(firsts.get(size.part), size.bytes, now) }));
    },
    async sample() {
      const now = clock.now();
      await query(
        db,
        sql`insert into size_samples (day, part, at, bytes)
            select ${new Date(now).toISOString().slice(0, 10)}::date, part, ${sql.time(now)}, bytes
              from (${partSizes}) as sizes
            on conflict (day, part) do nothing`,
      );
      await query(db, sql`delete from size_samples where at < ${sql.time(now - KEPT_MS)}`);
    },
  };
}

interface Sample {
  part: SizePart;
  at: number;
  bytes: number;
}

function growthSince(first: Sample | undefined, bytes: number, now: number): number | null {
  return first === undefined ? null : Math.round((bytes - first.bytes) / ((now - first.at) / dayMs));
}
