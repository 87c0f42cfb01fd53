/**
 * The ingest epoch as seen by who compacts rows: an epoch is closed, its writers are waited for, and afterwards all of its rows are
 * there and no more will come. A door of this room for `columns`.
 *
 * A writer holds the lock of an epoch before the statement that sees it as the current one (`epochs.ts`). So once it is committed that
 * another is current, all writers of the epochs before are among those who hold their locks: only they are waited for, and who takes such a
 * lock later finds that it is too late, and takes the next. There may be any number of epochs, but no more holders than connections.
 */
import type { ClientBase } from 'pg';
import { type Queryable, query, sql } from '#src/store/sql.ts';
import { EPOCH_LOCK } from './epochs.ts';
import { monthOf, nameOfMonth } from './partitions.ts';

/**
 * Begins a new epoch and waits until every writer of the old one, and of those before it that are not sealed, has ended. Gives the old one.
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
  // Who knows more than there is knows it of another database, of which this is a copy from before.
  await untilWritten(on, known < closed ? Math.max(sealed, known) : sealed, closed);
  return closed;
}

interface Closed {
  closed: number;
  sealed: number;
}

/**
 * Who closed an epoch may have gone without waiting: all of them are waited for, in their order, so that nobody waits in a circle. The locks
 * end with the statement, which comes after the one that closed the last of them.
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

/** The same as the first statement of the transaction that seals: until it ends, nobody who reads begins an epoch. */
export async function holdEpochs(client: ClientBase): Promise<number> {
  const [row] = await query<{ sealed: number }>(client, sql`select sealed from ingest_epochs for update`);
  return row?.sealed ?? 0;
}

/** Notes up to which epoch rows are sealed; in the transaction that writes the chunks. */
export async function noteSealed(client: ClientBase, epoch: number): Promise<void> {
  await query(client, sql`update ingest_epochs set sealed = ${epoch}::int`);
}
