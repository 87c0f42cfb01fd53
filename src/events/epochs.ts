/**
 * The write transaction's beginning, and the ingest epoch stamped on every row. Who compacts rows raises the epoch and then
 * takes the old one's lock exclusively: by then every writer of the old epoch has committed, although transactions commit out of
 * order.
 */
import type { ClientBase } from 'pg';
import { together } from '#src/store/message.ts';

/** First half of the advisory lock; the second is the epoch. */
export const EPOCH_LOCK = 713_523;

const HELD = {
  name: 'epoch-held',
  text: `select current, pg_advisory_xact_lock_shared(${EPOCH_LOCK}, current) from ingest_epochs`,
};
const CURRENT = { name: 'epoch-current', text: 'select current from ingest_epochs' };

/**
 * Starts the transaction, holds the current epoch open until its end, and returns its number.
 * @param settings statements to run first
 */
export async function beginInEpoch(client: ClientBase, settings: string): Promise<number> {
  const before: Promise<unknown>[] = [client.query({ name: 'begin', text: 'begin' })];
  if (settings !== '') before.push(client.query(settings));
  for (;;) {
    const [held, now] = await together([
      client.query<{ current: number }>(HELD),
      client.query<{ current: number }>(CURRENT),
      ...before.splice(0),
    ]);
    const current = now.rows[0]?.current;
    if (current === undefined) throw new Error('ingest_epochs has no row');
    // Else it was raised, and perhaps closed, between the reading and the lock.
    if (held.rows[0]?.current === current) return current;
  }
}
