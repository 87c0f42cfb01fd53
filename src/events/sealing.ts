/**
 * Closing of ingest epochs for compaction: after an epoch is closed and its writers have ended, all of its rows are
 * visible and no more follow. A door of this room for `columns`.
 *
 * A writer takes the lock of an epoch before the statement that reads it as current (`epochs.ts`). So once a newer epoch
 * is committed, all writers of earlier ones hold their locks: only those are awaited. A writer that takes an old
 * lock later detects it, and takes the next. There may be any number of epochs, but no more lock holders than connections.
 */
import type { ClientBase } from 'pg';
import { type Queryable, query, sql } from '#src/store/sql.ts';
import { EPOCH_LOCK } from './epochs.ts';
import { monthOf, nameOfMonth } from './partitions.ts';

/** Any fixed number: one sealer at a time, over all processes. */
export const SEALER_LOCK = 7_135_201_123;

/**
 * Starts a new epoch and waits until every writer of the old one, and of unsealed earlier ones, has ended. Returns the old one.
 * Outside of a transaction.
 */
export async function closeEpoch(client: ClientBase): Promise<number> {
  const [row] = await query<Closed>(
    client,
    sql`update ingest_epochs set current = current + 1 returning current - 1 as closed, sealed`,
  );
  const { closed, sealed } = row as Closed;
  await untilWritten(client, sealed, closed);
  return closed;
}

/**
 * The same for readers. While a step of sealing is under way, it waits for the end of that step.
 * @param known up to which epoch all are known to be closed
 * @returns up to which epoch all are closed
 */
export async function closeEpochFor(on: Queryable, known: number): Promise<number> {
  const [row] = await query<Closed>(
    on,
    sql`update ingest_epochs set current = current + 1 returning current - 1 as closed, sealed`,
  );
  const { closed, sealed } = row as Closed;
  // A higher known epoch comes from another database: this one is an older copy.
  await untilWritten(on, known < closed ? Math.max(sealed, known) : sealed, closed);
  return closed;
}

interface Closed {
  closed: number;
  sealed: number;
}

/**
 * A process may have closed an epoch and ended without waiting: all epochs are awaited, in order, to avoid deadlocks. The locks
 * are released with the statement, which runs after the one that closed the last epoch.
 */
async function untilWritten(on: Queryable, after: number, closed: number): Promise<void> {
  await query(
    on,
    sql`with held as materialized (
          select distinct objid::bigint::int as epoch
            from pg_locks
           where locktype = 'advisory' and granted
             and database = (select oid from pg_database where datname = current_database())
             and classid = ${EPOCH_LOCK}::int::oid and objsubid = 2
             and objid::bigint between ${after + 1}::int and ${closed}::int
           order by epoch)
        select pg_advisory_xact_lock(${EPOCH_LOCK}::int, epoch)::text from held`,
  );
}

/** Readers and writers do not wait for it; who looks after the table would, and is given way. */
const LOCK_TIMEOUT = '100ms';

/**
 * Brings the indexes by epoch and by receipt up to the newest rows of the month: who asks for later rows reads all that they do not cover, some
 * 100,000 before PostgreSQL comes by. @throws when something else is at the table
 */
export async function coverNewest(on: Queryable, now: number): Promise<void> {
  await query(
    on,
    sql`with limited as materialized (select set_config('lock_timeout', ${LOCK_TIMEOUT}, true) as is_set)
        select brin_summarize_new_values(indexrelid)
          from limited, pg_index
         where is_set is not null and indrelid = to_regclass(${nameOfMonth(monthOf(now))})
           and indexrelid in (select inhrelid from pg_inherits
                               where inhparent in ('events_epoch'::regclass, 'events_received'::regclass))`,
  );
}

/** Up to which epoch rows are sealed, in the client's snapshot. */
export async function sealedEpoch(on: Queryable): Promise<number> {
  const [row] = await query<{ sealed: number }>(on, sql`select sealed from ingest_epochs`);
  return row?.sealed ?? 0;
}

/** The same as the first statement of the sealing transaction: until it ends, no reader starts an epoch. */
export async function holdEpochs(client: ClientBase): Promise<number> {
  const [row] = await query<{ sealed: number }>(client, sql`select sealed from ingest_epochs for update`);
  return row?.sealed ?? 0;
}

/** Notes up to which epoch rows are sealed; in the transaction that writes the chunks. */
export async function noteSealed(client: ClientBase, epoch: number): Promise<void> {
  await query(client, sql`update ingest_epochs set sealed = ${epoch}::int`);
}
