/** Hands messages to webhooks and chats: five tries, each later than the one before. */
import type { Deps } from '#src/store/deps.ts';
import type { Send } from './send.ts';
import { type AlertMessage, requestOf } from './shapes.ts';
import * as queries from './target-queries.ts';
import type { Targets } from './targets.ts';
import { MAX_TRIES } from './values.ts';

const MINUTE_MS = 60_000;
/** Waits after the first, second … try. */
const WAITS_MS = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 120 * MINUTE_MS];
/** A try is over by then. */
const LEASE_MS = MINUTE_MS;
const AT_ONCE = 10;

export interface DeliverParts extends Pick<Deps, 'db' | 'clock' | 'log'> {
  targets: Pick<Targets, 'open'>;
  send: Send;
}

/** Sends what is due. */
export async function deliverDue(parts: DeliverParts, signal?: AbortSignal): Promise<void> {
  const { db, clock } = parts;
  while (!signal?.aborted) {
    const now = clock.now();
    const due = await queries.claimDeliveries(db, { now, lease: now + LEASE_MS, most: AT_ONCE });
    await Promise.all(due.map((row) => deliverOne(parts, row)));
    if (due.length < AT_ONCE) return;
  }
}

async function deliverOne({ db, clock, log, targets, send }: DeliverParts, row: queries.DeliveryRow): Promise<void> {
  const secret = row.sealed === null ? null : await targets.open(row.alert, row.sealed);
  if (secret === null) {
    await queries.noteUndelivered(db, row.id, { status: null, error: 'unreadable', nextAt: null });
    return;
  }
  const at = Math.floor(clock.now() / 1000);
  const outcome = await send(requestOf(row.kind, secret, row.body as AlertMessage, { id: row.id, at }));
  if (outcome.ok) {
    await queries.noteDelivered(db, row.id, outcome.status, clock.now());
    return;
  }
  const { status, error } = outcome;
  // The address is the same at the next try.
  const wait = row.tries >= MAX_TRIES || error === 'refused' ? undefined : WAITS_MS[row.tries - 1];
  log.warn(
    { delivery: row.id, alert: row.alert, kind: row.kind, tries: row.tries, status, reason: error },
    'alert not delivered',
  );
  await queries.noteUndelivered(db, row.id, {
    status,
    error,
    nextAt: wait === undefined ? null : clock.now() + wait,
  });
}
