/** Sends what is due: each due time of each recipient once, whichever process is first, however often it is cut short. */

import type { Clock } from '#src/kit/clock.ts';
import { AppError } from '#src/kit/errors.ts';
import type { Log } from '#src/kit/log.ts';
import type { Ledger } from './ledger.ts';
import { dueTimes, MAX_DELAY_MS } from './schedule.ts';
import type { DueSend } from './send-queries.ts';
import type { ReportProblem, ReportSchedule } from './values.ts';

/** A recipient as the scheduler needs it. */
export interface Due {
  recipient: number;
  report: number;
  project: number;
  schedule: ReportSchedule;
  timeZone: string;
  /** Nothing that was due before is sent. */
  since: number;
  /** The due time of the last one that was sent. */
  lastDue: number | null;
}

/** Queues the mail of a due time. @returns its id, and the hash of its unsubscribe token */
export interface WrittenReport<Trx> {
  tokenHash: string;
  write(trx: Trx): Promise<string>;
}

export interface SendDueParts<Trx, Recipient extends Due> {
  clock: Pick<Clock, 'now'>;
  log: Pick<Log, 'warn'>;
  ledger: Ledger<Trx>;
  /** Computes a report. @throws AppError `not_found` when what it shows is gone or hidden, as queries */
  compose(recipient: Recipient, due: number): Promise<WrittenReport<Trx>>;
  /** It cannot be sent: what it shows is gone. */
  onGone(recipient: Recipient): Promise<void>;
}

const MINUTE_MS = 60_000;
/** A try that is not over by then was cut short. */
const LEASE_MS = 5 * MINUTE_MS;
const LONGEST_WAIT_MS = 60 * MINUTE_MS;
/** Tries until a report is given up. */
export const MAX_TRIES = 8;

export async function sendDue<Trx, Recipient extends Due>(
  parts: SendDueParts<Trx, Recipient>,
  recipients: readonly Recipient[],
  signal?: AbortSignal,
): Promise<void> {
  for (const recipient of recipients) {
    if (signal?.aborted) return;
    // One that cannot be sent does not keep the others from it.
    await sendTo(parts, recipient).catch((error: unknown) =>
      parts.log.warn({ err: error, report: recipient.report }, 'report not sent'),
    );
  }
}

async function sendTo<Trx, Recipient extends Due>(
  parts: SendDueParts<Trx, Recipient>,
  recipient: Recipient,
): Promise<void> {
  const now = parts.clock.now();
  const { schedule, timeZone, since } = recipient;
  const dues = dueTimes(schedule, timeZone, { since, now });
  const latest = dues.at(-1);
  // It was sent, and what is sent is never sent again: no look at its notes is needed.
  if (latest === undefined || latest === recipient.lastDue) return;
  const notes = await parts.ledger.notes(recipient.recipient, dues);
  for (const due of dues) {
    const note = notes.get(due);
    // What a clock of the future has ended is open again; what was sent is not.
    if (note !== undefined && (note.state === 'sent' || (note.state !== 'pending' && note.at <= now))) continue;
    const send = { recipient: recipient.recipient, report: recipient.report, project: recipient.project, due };
    if (now - due > MAX_DELAY_MS[schedule.frequency]) {
      await parts.ledger.end(send, { state: 'skipped', problem: 'late', now });
      parts.log.warn(
        { report: send.report, due: new Date(due).toISOString() },
        'report skipped: it was due too long ago',
      );
    } else await sendOne(parts, recipient, send);
  }
}

async function sendOne<Trx, Recipient extends Due>(
  parts: SendDueParts<Trx, Recipient>,
  recipient: Recipient,
  send: DueSend,
): Promise<void> {
  const { ledger, clock } = parts;
  const now = clock.now();
  const tries = await ledger.claim(send, { now, lease: now + LEASE_MS, longest: LONGEST_WAIT_MS });
  if (tries === null) return;
  try {
    const { tokenHash, write } = await parts.compose(recipient, send.due);
    await ledger.settle(send, clock.now(), tokenHash, write);
  } catch (error) {
    const problem = problemOf(error);
    parts.log.warn({ err: error, report: send.report, tries }, 'report not sent');
    if (problem === 'gone') await parts.onGone(recipient);
    const isOver = problem === 'gone' || problem === 'hidden' || tries >= MAX_TRIES;
    if (isOver) await ledger.end(send, { state: 'failed', problem, now });
    else {
      const retryAt = now + Math.min(MINUTE_MS * 2 ** (tries - 1), LONGEST_WAIT_MS);
      await ledger.postpone(send, { problem, retryAt, now });
    }
  }
}

function problemOf(error: unknown): ReportProblem {
  if (!(error instanceof AppError)) return 'internal';
  if (error.code === 'not_found') return 'gone';
  if (error.code === 'forbidden' || error.code === 'invalid') return 'hidden';
  return error.code === 'timeout' ? 'timeout' : 'internal';
}
