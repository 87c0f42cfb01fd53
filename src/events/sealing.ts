/**
 * The ingest epoch as seen by who compacts rows: an epoch is closed, its writers are waited for, and afterwards all of its rows are
 * there and no more will come. A door of this room for `columns`.
 */
import type { ClientBase } from 'pg';
import { query, sql } from '#src/store/sql.ts';
import { EPOCH_LOCK } from './epochs.ts';

/** Begins a new epoch and waits until every writer of the old one has ended. Gives the old one. Outside of a transaction. */
export async function closeEpoch(client: ClientBase): Promise<number> {
  const [row] = await query<{ closed: number }>(
    client,
    sql`update ingest_epochs set current = current + 1 returning current - 1 as closed`,
  );
  const { closed } = row as { closed: number };
  await query(client, sql`select pg_advisory_lock(${EPOCH_LOCK}::int, ${closed}::int)`);
  await query(client, sql`select pg_advisory_unlock(${EPOCH_LOCK}::int, ${closed}::int)`);
  return closed;
}

/** Up to which epoch rows are sealed, in the client's snapshot. */
export async function sealedEpoch(client: ClientBase): Promise<number> {
  const [row] = await query<{ sealed: number }>(client, sql`select sealed from ingest_epochs`);
  return row?.sealed ?? 0;
}

/** Notes up to which epoch rows are sealed; in the transaction that writes the chunks. */
export async function noteSealed(client: ClientBase, epoch: number): Promise<void> {
  await query(client, sql`update ingest_epochs set sealed = ${epoch}::int`);
}
