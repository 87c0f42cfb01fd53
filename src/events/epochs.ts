/**
 * The write transaction's beginning, and the ingest epoch stamped on every row. Who compacts rows raises the epoch and then
 * takes the old one's lock exclusively: by then every writer of the old epoch has committed, although transactions commit out of
 * order.
 */
import type { ClientBase, QueryResult } from 'pg';

/** First half of the advisory lock; the second is the epoch. */
export const EPOCH_LOCK = 713_523;

const HOLD = `
  select current, pg_advisory_xact_lock_shared(${EPOCH_LOCK}, current) from ingest_epochs;
  select current from ingest_epochs`;

/**
 * Begins the transaction, holds the current epoch open until its end, and gives its number. One round trip.
 * @param settings statements that come first
 */
export async function beginInEpoch(client: ClientBase, settings: string): Promise<number> {
  let text = `begin; ${settings} ${HOLD}`;
  for (;;) {
    // Several statements give several results, which the driver's types do not say.
    const results = (await client.query(text)) as unknown as QueryResult<{ current: number }>[];
    const [held, now] = results.slice(-2).map((result) => result.rows[0]?.current);
    if (now === undefined) throw new Error('ingest_epochs has no row');
    if (held === now) return now;
    text = HOLD; // it was raised, and perhaps closed, between the reading and the lock
  }
}
