/**
 * Visibility of person changes (`person_changes`) in a snapshot: decides whether a cached result of another snapshot can be updated
 * by reading only persons written since.
 */
import { type Sql, sql } from '#src/store/sql.ts';

/** Transactions visible in a snapshot: all below `xmin`, none from `xmax` on, and all between except `running`. */
export interface Seen {
  xmin: number;
  xmax: number;
  running: number;
  /** Changes by transactions from here on are all there; null: none are. */
  changesFrom: number | null;
}

/** Columns of `Seen`, of the statement's own moment. */
export const seenSql: Sql = sql`
  pg_snapshot_xmin(pg_current_snapshot())::text::float8 as xmin, pg_snapshot_xmax(pg_current_snapshot())::text::float8 as xmax,
  (select count(*)::int from pg_snapshot_xip(pg_current_snapshot())) as running,
  (select min(xact)::text::float8 from person_changes where project_id = 0) as "changesFrom"`;

/** True when one snapshot sees everything that the other saw: of two snapshots, one always does. */
export function sawMore(one: Seen, other: Seen): boolean {
  return one.xmax === other.xmax ? one.running <= other.running : one.xmax > other.xmax;
}

/** True when all changes since then are recorded. */
export function canFollow(before: Seen, seen: Seen): boolean {
  return seen.changesFrom !== null && seen.changesFrom <= before.xmin && sawMore(seen, before);
}

/** With more changes, a full read is as fast. */
export const MAX_CHANGES = 20_000;

/** Numbers of the persons that may have been written since, as a query of one column; of too many, the first `MAX_CHANGES`. */
export function changedSql(projectId: number, before: Seen): Sql {
  return sql`
    select distinct unnest(numbers) as number
      from (select numbers from person_changes
             where project_id = ${projectId} and xact >= ${String(before.xmin)}::xid8) as noted
     limit ${MAX_CHANGES}`;
}
