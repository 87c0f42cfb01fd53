/** Hands mails over to the mail service: right after their commit, and by the recurring job what failed or is left. */
import type { Knex } from 'knex';
import { dayMs } from '#src/kit/zone.ts';
import type { Deps } from '#src/store/deps.ts';
import type { MailError } from './contract.ts';
import * as queries from './queries.ts';
import { unseal } from './seal.ts';
import type { Transport } from './transport.ts';

export interface Delivery {
  /** Tries one mail in the background once this is over; what goes wrong the recurring job will find. */
  soon(id: string, after: Promise<unknown>): void;
  /** Tries one mail that is due. */
  one(id: string): Promise<void>;
  /** Sends what is due and forgets what is old. @returns how many were sent, and how many were not */
  deliver(signal: AbortSignal): Promise<Delivered>;
  /** Waits for what is under way in the background. */
  settled(): Promise<void>;
}

export interface Delivered {
  sent: number;
  failed: number;
}

export interface DeliveryParts extends Pick<Deps, 'log' | 'clock'> {
  db: Knex;
  /** Null: mails stay in the outbox. */
  service: Transport | null;
  /** The keys that mails are sealed with, the newest first. */
  keys(): Promise<readonly Buffer[]>;
}

const MINUTE_MS = 60_000;
const FIRST_WAIT_MS = MINUTE_MS;
const LONGEST_WAIT_MS = 3 * 60 * MINUTE_MS;
/** How long a hand-over may take before someone else may try; the service answers or fails within 15 s. */
const LEASE_MS = 2 * MINUTE_MS;
const GIVE_UP_MS = 2 * dayMs;
const KEEP_TEXT_MS = 30 * dayMs;
const KEEP_ROW_MS = 90 * dayMs;
const AT_ONCE = 5;

export function createDelivery({ db, log, clock, service, keys }: DeliveryParts): Delivery {
  const running = new Set<Promise<unknown>>();

  function soon(id: string, after: Promise<unknown>): void {
    const attempt = after.then(
      () => deliverDue({ most: 1, id }).catch((error: unknown) => log.warn({ err: error }, 'email delivery postponed')),
      () => undefined, // rolled back: there is no mail
    );
    running.add(attempt);
    void attempt.finally(() => running.delete(attempt));
  }

  /** Hands over what is due. @returns how many were sent, and how many were not */
  async function deliverDue({ most, id }: { most: number; id?: string }): Promise<Delivered> {
    if (service === null) return { sent: 0, failed: 0 };
    const now = clock.now();
    const due = await queries.claim(db, { now, leaseUntil: now + LEASE_MS, most, ...(id === undefined ? {} : { id }) });
    const outcomes = await Promise.all(due.map((row) => handOver(service, row)));
    const sent = outcomes.filter((isSent) => isSent).length;
    return { sent, failed: outcomes.length - sent };
  }

  async function handOver(to: Transport, row: queries.MailRow): Promise<boolean> {
    const now = clock.now();
    if (row.expires_at !== null && row.expires_at <= now) return fail(row, { kind: 'expired', detail: '' }, null);
    const written = row.body === null ? null : unseal(await keys(), row.id, row.body);
    if (written === null) return fail(row, { kind: 'unreadable', detail: '' }, null);
    const { subject, html, text, headers = {} } = written;
    const outcome = await to.send({ id: row.id, to: row.to_address, subject, html, text, headers });
    if (outcome.ok) {
      await queries.noteSent(db, row.id, clock.now());
      return true;
    }
    const wait = Math.min(Math.max(FIRST_WAIT_MS * 2 ** (row.attempts - 1), outcome.retryAfterMs), LONGEST_WAIT_MS);
    const next = clock.now() + wait;
    const isOver = outcome.isFinal || next > row.created_at + GIVE_UP_MS;
    return fail(row, outcome.error, isOver ? null : next);
  }

  async function fail(row: queries.MailRow, error: MailError, next: number | null): Promise<false> {
    const { id, kind, attempts } = row;
    const about = { mail: id, kind, attempts, reason: error.kind, detail: error.detail };
    log.warn(about, next === null ? 'email delivery failed permanently' : 'failed to send email; will retry');
    await queries.noteFailure(db, id, error, next);
    return false;
  }

  return {
    soon,
    async one(id) {
      await deliverDue({ most: 1, id });
    },
    async deliver(signal) {
      const total = { sent: 0, failed: 0 };
      const now = clock.now();
      await queries.forget(db, now - KEEP_TEXT_MS, now - KEEP_ROW_MS);
      if (service === null) {
        await queries.moveToOutbox(db);
        return total;
      }
      while (!signal.aborted) {
        const { sent, failed } = await deliverDue({ most: AT_ONCE });
        total.sent += sent;
        total.failed += failed;
        if (sent + failed < AT_ONCE) break;
      }
      return total;
    },
    async settled() {
      await Promise.allSettled(running);
    },
  };
}
