/**
 * What became of each interval of each alert: a row is written before a number is asked for, and ended in the transaction that writes the state
 * that follows and the messages. So nobody is notified twice, whichever process is cut short, and however clocks jump.
 */
import type { Knex } from 'knex';
import { databaseTime } from '#src/store/database-time.ts';
import type { Deps } from '#src/store/deps.ts';
import type { Judged } from './conditions.ts';
import * as queries from './queries.ts';
import type { Span } from './schedule.ts';
import type { StateNow } from './state.ts';
import type { AlertProblem, NoticeKind } from './values.ts';

/** An interval that a process has taken, and what was found of it. */
export interface Evaluated {
  span: Span;
  judged: Judged;
  tries: number;
  now: number;
}

/** What follows from an interval. */
export interface Settling<Trx> {
  advance(before: StateNow): { after: StateNow; notice: NoticeKind | null };
  /** Writes the messages. */
  tell(trx: Trx, alert: queries.AlertRow, notice: NoticeKind): Promise<void>;
}

export interface Ledger<Trx> {
  /** The database's clock, ms: that of a process may be ahead. */
  databaseTime(): Promise<number>;
  /** Of all projects. */
  active(): Promise<queries.AlertRow[]>;
  /** Starts of intervals that were evaluated. */
  doneStarts(alert: number, from: number): Promise<Set<number>>;
  /** Takes an interval for this process until `lease`. @returns how often it was taken; null: it is done, or someone else has it */
  claim(alert: queries.AlertRow, span: Span, at: { now: number; lease: number }): Promise<number | null>;
  /** Writes the result, the state that follows, and the messages, all or nothing. Gives the interval back when the alert was changed meanwhile. */
  settle(alert: queries.AlertRow, evaluated: Evaluated, settling: Settling<Trx>): Promise<void>;
  giveBack(alert: number, span: Span): Promise<void>;
  /** @param retryAt null: given up */
  noteFailure(alert: number, span: Span, note: { retryAt: number | null; now: number }): Promise<void>;
  noteProblem(alert: number, note: { problem: AlertProblem; active: boolean }): Promise<void>;
}

/** The ledger in PostgreSQL. */
export function createLedger(db: Deps['db']): Ledger<Knex.Transaction> {
  return {
    databaseTime: () => databaseTime(db),
    active: () => queries.activeAlerts(db),
    doneStarts: (alert, from) => queries.doneStarts(db, alert, from),
    claim: (alert, span, at) => queries.claim(db, alert, span, at),
    settle: (alert, { span, judged, tries, now }, { advance, tell }) =>
      db.transaction(async (trx) => {
        const locked = await queries.lockAlert(trx, alert.project_id, alert.id);
        // It watches something else now, or nothing.
        if (locked === null || !locked.active || locked.revision !== alert.revision) {
          await queries.giveBack(trx, alert.id, span);
          return;
        }
        if (!(await queries.finish(trx, alert.id, span, { ...judged, tries, now }))) return;
        const row = await queries.alertOf(trx, alert.project_id, alert.id);
        if (row === null) return;
        const { after, notice } = advance(stateOf(row));
        await queries.saveState(trx, alert.id, after, span, judged);
        if (notice !== null) await tell(trx, row, notice);
      }),
    giveBack: (alert, span) => queries.giveBack(db, alert, span),
    noteFailure: (alert, span, note) => queries.noteFailure(db, alert, span, note),
    noteProblem: (alert, note) => queries.noteProblem(db, alert, note),
  };
}

/** The state of an alert. */
export function stateOf(row: queries.AlertRow): StateNow {
  return {
    state: row.state,
    stateAt: row.state_at,
    notifiedAt: row.notified_at,
    snoozedUntil: row.snoozed_until,
  };
}
