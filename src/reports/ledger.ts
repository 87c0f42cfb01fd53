/**
 * What became of each due time of each recipient: a row is written before anything is sent, and the mail is queued in the transaction that
 * ends it. So nothing is sent twice, whichever process is cut short, and however clocks jump.
 */
import type { Knex } from 'knex';
import type { Deps } from '#src/store/deps.ts';
import type { DueSend, SendNote } from './send-queries.ts';
import * as queries from './send-queries.ts';
import type { ReportProblem } from './values.ts';

export interface Ledger<Trx> {
  /** Notes of these due times. */
  notes(recipient: number, dues: readonly number[]): Promise<Map<number, SendNote>>;
  /**
   * Takes a due time until `lease`. Null: it was settled, or another process has it.
   * @returns which try it is
   */
  claim(send: DueSend, at: { now: number; lease: number; longest: number }): Promise<number | null>;
  /** Settles a claimed one as sent together with what `write` does; without either when it was settled meanwhile. @param write queues the mail, returns its id */
  settle(send: DueSend, now: number, tokenHash: string, write: (trx: Trx) => Promise<string>): Promise<boolean>;
  /** Ends one without a mail; a sent one stays. @param tries so many at least were made */
  end(send: DueSend, note: { state: 'skipped' | 'failed'; problem: ReportProblem; now: number }): Promise<void>;
  /** Has a claimed one tried again. */
  postpone(send: DueSend, note: { problem: ReportProblem; retryAt: number; now: number }): Promise<void>;
}

/** The ledger in PostgreSQL. */
export function createLedger(db: Deps['db']): Ledger<Knex.Transaction> {
  return {
    notes: (recipient, dues) => queries.notesOf(db, recipient, dues),
    claim: (send, at) => queries.claim(db, send, at),
    settle: (send, now, tokenHash, write) =>
      db.transaction(async (trx) => {
        if (!(await queries.lockPending(trx, send))) return false;
        const mail = await write(trx);
        await queries.noteSent(trx, send, { mail, tokenHash, now });
        return true;
      }),
    end: (send, note) => queries.noteEnd(db, send, note),
    postpone: (send, note) => queries.notePostponed(db, send, note),
  };
}
