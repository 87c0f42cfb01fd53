/** SQL of the table `mails`. */

import { type Queryable, query, type Sql, sql } from '#src/store/sql.ts';
import type { MailError, MailKind, MailState } from './contract.ts';

export interface MailRow {
  id: string;
  created_at: number;
  kind: MailKind;
  to_address: string;
  team_id: number | null;
  readable_by: 'admin' | 'owner';
  subject: string;
  body: Buffer | null;
  expires_at: number | null;
  state: MailState;
  attempts: number;
  next_attempt_at: number | null;
  sent_at: number | null;
  error_kind: MailError['kind'] | null;
  error_detail: string | null;
}

/** A team's mails, or all of the installation. */
export type MailScope = { team: number } | 'all';

export interface NewMail {
  id: string;
  kind: MailKind;
  to: string;
  language: string;
  userId: number | null;
  teamId: number | null;
  readableBy: 'admin' | 'owner';
  subject: string;
  body: Buffer;
  until: number | null;
  isQueued: boolean;
}

export async function insertMail(on: Queryable, mail: NewMail, now: number): Promise<void> {
  const at = new Date(now);
  await query(
    on,
    sql`insert into mails (id, created_at, kind, to_address, language, user_id, team_id, readable_by, subject, body,
          expires_at, state, next_attempt_at)
        values (${mail.id}, ${at}, ${mail.kind}, ${mail.to}, ${mail.language}, ${mail.userId}, ${mail.teamId},
          ${mail.readableBy}, ${mail.subject}, ${mail.body}, ${dateOrNull(mail.until)},
          ${mail.isQueued ? 'queued' : 'outbox'}, ${mail.isQueued ? at : null})`,
  );
}

/**
 * Takes mails that are due, so that no other process sends them: until `leaseUntil` they are not due. A process that dies gives them back by
 * that.
 *
 * @param id only this one
 */
export function claim(
  on: Queryable,
  { now, leaseUntil, most, id }: { now: number; leaseUntil: number; most: number; id?: string },
): Promise<MailRow[]> {
  return query(
    on,
    sql`
    with due as (
      select id
        from mails
       where state = 'queued' and next_attempt_at <= ${new Date(now)} ${id === undefined ? sql.empty : sql`and id = ${id}`}
       order by next_attempt_at
       limit ${most}
         for update skip locked
    )
    update mails m
       set attempts = m.attempts + 1, next_attempt_at = ${new Date(leaseUntil)}
      from due
     where m.id = due.id
    returning ${columns}`,
  );
}

export async function noteSent(on: Queryable, id: string, now: number): Promise<void> {
  await query(
    on,
    sql`update mails
           set state = 'sent', sent_at = ${new Date(now)}, body = null, next_attempt_at = null, error_kind = null,
               error_detail = null
         where id = ${id}`,
  );
}

/** @param nextAttemptAt null: given up */
export async function noteFailure(
  on: Queryable,
  id: string,
  error: MailError,
  nextAttemptAt: number | null,
): Promise<void> {
  await query(
    on,
    sql`update mails
           set state = ${nextAttemptAt === null ? 'failed' : 'queued'}, next_attempt_at = ${dateOrNull(nextAttemptAt)},
               error_kind = ${error.kind}, error_detail = ${error.detail}
         where id = ${id} and state = 'queued'`,
  );
}

/** The mail service was taken away: what waited for it waits for people now. */
export async function moveToOutbox(on: Queryable): Promise<void> {
  await query(on, sql`update mails set state = 'outbox', next_attempt_at = null where state = 'queued'`);
}

/** Queues a mail again, if it was not sent and its text is still there. */
export function requeue(on: Queryable, id: string, now: number): Promise<{ id: string }[]> {
  return query(
    on,
    sql`update mails
           set state = 'queued', next_attempt_at = ${new Date(now)}, attempts = 0, created_at = ${new Date(now)},
               error_kind = null, error_detail = null
         where id = ${id} and state in ('outbox', 'failed') and body is not null
        returning id`,
  );
}

/** When the tests of a team were written, since then, oldest first. */
export function testsSince(on: Queryable, teamId: number, since: number): Promise<{ created_at: number }[]> {
  return query(
    on,
    sql`select created_at
          from mails
         where team_id = ${teamId} and kind = 'testMail' and created_at > ${new Date(since)}
         order by created_at`,
  );
}

/** Newest first. */
export function list(
  on: Queryable,
  { whose, before, most }: { whose: MailScope; before: string | null; most: number },
): Promise<MailRow[]> {
  const older = before === null ? sql.empty : sql`and m.id < ${before}`;
  return query(
    on,
    sql`select ${columns} from mails m where ${belongsTo(whose)} ${older} order by m.id desc limit ${most}`,
  );
}

export async function byId(on: Queryable, id: string, whose: MailScope): Promise<MailRow | null> {
  const [row] = await query<MailRow>(
    on,
    sql`select ${columns} from mails m where m.id = ${id} and ${belongsTo(whose)}`,
  );
  return row ?? null;
}

export async function noteShown(on: Queryable, id: string, now: number): Promise<void> {
  await query(on, sql`update mails set link_shown_at = ${new Date(now)} where id = ${id} and link_shown_at is null`);
}

/** True when a mail was sent and its link was never shown here. */
export async function wasOnlyMailed(on: Queryable, id: string): Promise<boolean> {
  const found = await query(on, sql`select from mails where id = ${id} and state = 'sent' and link_shown_at is null`);
  return found.length > 0;
}

/** Texts of mails older than `textsBefore`, and whole rows older than `rowsBefore`. */
export async function forget(on: Queryable, textsBefore: number, rowsBefore: number): Promise<void> {
  await query(on, sql`delete from mails where created_at < ${new Date(rowsBefore)}`);
  await query(
    on,
    sql`update mails set body = null where body is not null and state <> 'queued' and created_at < ${new Date(textsBefore)}`,
  );
}

const columns = sql`m.id, m.created_at, m.kind, m.to_address, m.team_id, m.readable_by, m.subject, m.body, m.expires_at, m.state,
  m.attempts, m.next_attempt_at, m.sent_at, m.error_kind, m.error_detail`;

function belongsTo(whose: MailScope): Sql {
  return whose === 'all' ? sql`true` : sql`m.team_id = ${whose.team}`;
}

function dateOrNull(ms: number | null): Date | null {
  return ms === null ? null : new Date(ms);
}
