/** SQL of due times. */
import { type Queryable, query, sql } from '#src/store/sql.ts';
import type { ReportProblem, SendState } from './values.ts';

/** One due time of one recipient. */
export interface DueSend {
  recipient: number;
  report: number;
  project: number;
  due: number;
}

export interface SendNote {
  state: SendState;
  /** When it was written, ms. */
  at: number;
}

export async function notesOf(
  on: Queryable,
  recipient: number,
  dues: readonly number[],
): Promise<Map<number, SendNote>> {
  const times = dues.map((due) => new Date(due).toISOString());
  const rows = await query<{ due_at: number; state: SendState; noted_at: number }>(
    on,
    sql`select due_at, state, noted_at
          from report_sends
         where recipient = ${recipient} and due_at = any(${times}::timestamptz[])`,
  );
  return new Map(rows.map(({ due_at, state, noted_at }) => [due_at, { state, at: noted_at }]));
}

/**
 * A row that a clock of the future wrote is taken again: one that was ended then, or is to be tried much later than any is.
 * @returns which try it is; null: not to be had
 */
export async function claim(
  on: Queryable,
  { recipient, due, report, project }: DueSend,
  { now, lease, longest }: { now: number; lease: number; longest: number },
): Promise<number | null> {
  const at = sql.time(now);
  const [row] = await query<{ tries: number }>(
    on,
    sql`insert into report_sends as known (recipient, due_at, report, project_id, manual, state, tries, retry_at, noted_at)
        values (${recipient}, ${sql.time(due)}, ${report}, ${project}, false, 'pending', 1, ${sql.time(lease)}, ${at})
        on conflict (recipient, due_at) do update
           set state = 'pending', retry_at = excluded.retry_at, noted_at = excluded.noted_at, problem = null,
               tries = case when known.state = 'pending' then known.tries + 1 else 1 end
         where (known.state = 'pending' and (known.retry_at <= ${at} or known.retry_at > ${sql.time(now + longest)}))
            or (known.state in ('skipped', 'failed') and known.noted_at > ${at})
        returning tries`,
  );
  return row?.tries ?? null;
}

/** False: it was settled meanwhile. */
export async function lockPending(on: Queryable, { recipient, due }: DueSend): Promise<boolean> {
  const rows = await query(
    on,
    sql`select 1 from report_sends
         where recipient = ${recipient} and due_at = ${sql.time(due)} and state = 'pending' for update`,
  );
  return rows.length > 0;
}

export async function noteSent(
  on: Queryable,
  { recipient, due }: DueSend,
  { mail, tokenHash, now }: { mail: string; tokenHash: string; now: number },
): Promise<void> {
  await query(
    on,
    sql`update report_sends
           set state = 'sent', retry_at = null, problem = null, mail = ${mail}, token_hash = ${tokenHash}, noted_at = ${sql.time(now)}
         where recipient = ${recipient} and due_at = ${sql.time(due)}`,
  );
  await query(on, sql`update report_recipients set last_due = ${sql.time(due)} where id = ${recipient}`);
}

export async function noteEnd(
  on: Queryable,
  { recipient, due, report, project }: DueSend,
  { state, problem, now }: { state: 'skipped' | 'failed'; problem: ReportProblem; now: number },
): Promise<void> {
  await query(
    on,
    sql`insert into report_sends as known
               (recipient, due_at, report, project_id, manual, state, tries, noted_at, problem)
        values (${recipient}, ${sql.time(due)}, ${report}, ${project}, false, ${state}, 0, ${sql.time(now)}, ${problem})
        on conflict (recipient, due_at) do update
           set state = excluded.state, noted_at = excluded.noted_at, problem = excluded.problem, retry_at = null
         where known.state <> 'sent'`,
  );
}

export async function notePostponed(
  on: Queryable,
  { recipient, due }: DueSend,
  { problem, retryAt, now }: { problem: ReportProblem; retryAt: number; now: number },
): Promise<void> {
  await query(
    on,
    sql`update report_sends
           set retry_at = ${sql.time(retryAt)}, problem = ${problem}, noted_at = ${sql.time(now)}
         where recipient = ${recipient} and due_at = ${sql.time(due)} and state = 'pending'`,
  );
}
