/** SQL of reports and their recipients. */
import { type Queryable, query, type Sql, sql } from '#src/store/sql.ts';
import type {
  RecipientState,
  ReportFrequency,
  ReportKind,
  ReportProblem,
  ReportSchedule,
  SendState,
} from './values.ts';

export interface ReportRow {
  id: number;
  project_id: number;
  created_by: number;
  author: string | null;
  kind: ReportKind;
  object: number | null;
  frequency: ReportFrequency;
  weekday: number;
  hour: number;
  active: boolean;
  problem: ReportProblem | null;
  revision: number;
  changed_at: number;
  last_sent: number | null;
}

export interface RecipientRow {
  id: number;
  report: number;
  project_id: number;
  account: number | null;
  address: string | null;
  state: RecipientState;
  since: number;
  last_due: number | null;
  /** Of the account, or as it was chosen for the address. */
  language: string;
  time_zone: string;
  /** Of the account. */
  name: string | null;
  email: string | null;
  /** In the project's team; null: not a member. */
  role: 'viewer' | 'member' | 'admin' | 'owner' | null;
  team: number | null;
}

const reportColumns = sql`
  reports.id, reports.project_id, reports.created_by, users.name as author, reports.kind, reports.object, reports.frequency,
  reports.weekday, reports.hour, reports.active, reports.problem, reports.revision, reports.changed_at,
  (select max(sends.due_at) from report_sends sends where sends.report = reports.id and sends.state = 'sent') as last_sent`;

function reportsWhere(condition: Sql): Sql {
  return sql`
    select ${reportColumns}
      from reports
      left join users on users.id = reports.created_by
     where ${condition}
     order by reports.id`;
}

export function reportsOf(on: Queryable, project: number): Promise<ReportRow[]> {
  return query(on, reportsWhere(sql`reports.project_id = ${project}`));
}

export async function reportOf(on: Queryable, project: number, id: number): Promise<ReportRow | null> {
  const rows = await query<ReportRow>(on, reportsWhere(sql`reports.project_id = ${project} and reports.id = ${id}`));
  return rows[0] ?? null;
}

function recipientsWhere(condition: Sql): Sql {
  return sql`
    select recipients.id, recipients.report, recipients.project_id, recipients.account, recipients.address, recipients.state,
           recipients.since, recipients.last_due, coalesce(users.language, recipients.language) as language,
           coalesce(users.time_zone, recipients.time_zone) as time_zone, users.name, users.email, members.role,
           projects.team_id as team
      from report_recipients recipients
      join projects on projects.id = recipients.project_id
      left join users on users.id = recipients.account and users.disabled_at is null
      left join members on members.user_id = users.id and members.team_id = projects.team_id
     where ${condition}
     order by recipients.id`;
}

export function recipientsOf(on: Queryable, project: number): Promise<RecipientRow[]> {
  return query(on, recipientsWhere(sql`recipients.project_id = ${project}`));
}

/** Of reports that are on, and may be sent. */
export async function activeRecipients(
  on: Queryable,
): Promise<(RecipientRow & { schedule: ReportSchedule; subject: ReportSubjectRow })[]> {
  const rows = await query<RecipientRow & ReportSchedule & ReportSubjectRow>(
    on,
    sql`select active.*, reports.frequency, reports.weekday, reports.hour, reports.kind, reports.object
          from (${recipientsWhere(sql`recipients.state = 'active'`)}) active
          join reports on reports.id = active.report and reports.active
         where active.account is null or active.role is not null`,
  );
  return rows.map(({ frequency, weekday, hour, kind, object, ...row }) => ({
    ...row,
    schedule: { frequency, weekday, hour },
    subject: { kind, object },
  }));
}

export interface ReportSubjectRow {
  kind: ReportKind;
  object: number | null;
}

export interface NewReport extends ReportSchedule, ReportSubjectRow {
  by: number;
  now: number;
}

/** @returns its number; null when the project has `most` */
export async function insertReport(
  on: Queryable,
  project: number,
  report: NewReport,
  most: number,
): Promise<number | null> {
  const { by, kind, object, frequency, weekday, hour, now } = report;
  const rows = await query<{ id: number }>(
    on,
    sql`insert into reports (project_id, created_by, kind, object, frequency, weekday, hour, active, revision, created_at, changed_at)
        select ${project}::int, ${by}::int, ${kind}::text, ${object}::int, ${frequency}::text, ${weekday}::int, ${hour}::int, true, 1,
               ${sql.time(now)}, ${sql.time(now)}
         where (select count(*) from reports where project_id = ${project}) < ${most}
        returning id`,
  );
  return rows[0]?.id ?? null;
}

export async function lockReport(on: Queryable, project: number, id: number): Promise<{ revision: number } | null> {
  const rows = await query<{ revision: number }>(
    on,
    sql`select revision from reports where project_id = ${project} and id = ${id} for update`,
  );
  return rows[0] ?? null;
}

export async function updateReport(
  on: Queryable,
  id: number,
  { frequency, weekday, hour }: ReportSchedule,
  { active, now }: { active: boolean; now: number },
): Promise<void> {
  await query(
    on,
    sql`update reports
           set frequency = ${frequency}, weekday = ${weekday}, hour = ${hour}, active = ${active}, problem = null,
               revision = revision + 1, changed_at = ${sql.time(now)}
         where id = ${id}`,
  );
}

/** What is due from now on only: another schedule, or turned on again. */
export async function beginAgain(on: Queryable, report: number, now: number): Promise<void> {
  await query(on, sql`update report_recipients set since = ${sql.time(now)} where report = ${report}`);
}

export async function noteProblem(on: Queryable, id: number, problem: ReportProblem): Promise<void> {
  await query(on, sql`update reports set problem = ${problem}, active = false where id = ${id}`);
}

export async function deleteReport(on: Queryable, id: number): Promise<void> {
  await query(
    on,
    sql`with sends as (delete from report_sends where report = ${id}),
             recipients as (delete from report_recipients where report = ${id})
        delete from reports where id = ${id}`,
  );
}

export interface NewRecipient {
  account: number | null;
  address: string | null;
  language: string;
  timeZone: string;
  state: RecipientState;
  since: number;
  confirm: { hash: string; until: number } | null;
}

export async function insertRecipient(on: Queryable, project: number, report: number, to: NewRecipient): Promise<void> {
  await query(
    on,
    sql`insert into report_recipients (report, project_id, account, address, language, time_zone, state, since, confirm_hash, confirm_until)
        values (${report}, ${project}, ${to.account}, ${to.address}, ${to.language}, ${to.timeZone}, ${to.state}, ${sql.time(to.since)},
                ${to.confirm?.hash ?? null}, ${to.confirm === null ? null : new Date(to.confirm.until)})`,
  );
}

/** An address is asked again, or has another language. */
export async function updateRecipient(
  on: Queryable,
  id: number,
  { language, timeZone }: Pick<NewRecipient, 'language' | 'timeZone'>,
): Promise<void> {
  await query(on, sql`update report_recipients set language = ${language}, time_zone = ${timeZone} where id = ${id}`);
}

/** With what was sent to them. */
export async function deleteRecipients(on: Queryable, ids: readonly number[]): Promise<void> {
  await query(
    on,
    sql`with sends as (delete from report_sends where recipient = any(${[...ids]}::int[]))
        delete from report_recipients where id = any(${[...ids]}::int[])`,
  );
}

export async function countRecipients(on: Queryable, project: number): Promise<number> {
  const [row] = await query<{ count: number }>(
    on,
    sql`select count(*) as count from report_recipients where project_id = ${project} and state <> 'unsubscribed'`,
  );
  return row?.count ?? 0;
}

export async function setState(on: Queryable, id: number, state: RecipientState, now: number): Promise<void> {
  await query(
    on,
    sql`update report_recipients
           set state = ${state}, since = ${sql.time(now)}, confirm_hash = null, confirm_until = null
         where id = ${id}`,
  );
}

/** A recipient by the hash of a link: of the mail that asks for consent, or of a report. */
export async function recipientByLink(
  on: Queryable,
  { hash, now }: { hash: string; now: number },
): Promise<(RecipientRow & { link: 'confirm' | 'unsubscribe' }) | null> {
  const [confirmed] = await query<RecipientRow>(
    on,
    recipientsWhere(sql`recipients.confirm_hash = ${hash} and recipients.confirm_until > ${sql.time(now)}`),
  );
  if (confirmed) return { ...confirmed, link: 'confirm' };
  const [sent] = await query<RecipientRow>(
    on,
    recipientsWhere(sql`recipients.id = (select recipient from report_sends where token_hash = ${hash})`),
  );
  return sent ? { ...sent, link: 'unsubscribe' } : null;
}

/** Someone who leaves a team gets no more of its reports. */
export async function removeMember(on: Queryable, projects: readonly number[], user: number): Promise<void> {
  const rows = await query<{ id: number }>(
    on,
    sql`select id from report_recipients where project_id = any(${[...projects]}::int[]) and account = ${user}`,
  );
  await deleteRecipients(
    on,
    rows.map(({ id }) => id),
  );
}

export interface SendRow {
  due_at: number;
  account: number | null;
  address: string | null;
  name: string | null;
  state: SendState;
  manual: boolean;
  noted_at: number;
  problem: ReportProblem | null;
  mail_state: 'queued' | 'sent' | 'failed' | 'outbox' | null;
}

/** The newest first. @param account only of this one */
export function sendsOf(
  on: Queryable,
  report: number,
  { most, account }: { most: number; account: number | null },
): Promise<SendRow[]> {
  const own = account === null ? sql.empty : sql`and recipients.account = ${account}`;
  return query(
    on,
    sql`select sends.due_at, recipients.account, recipients.address, users.name, sends.state, sends.manual, sends.noted_at,
               sends.problem, mails.state as mail_state
          from report_sends sends
          join report_recipients recipients on recipients.id = sends.recipient
          left join users on users.id = recipients.account
          left join mails on mails.id = sends.mail
         where sends.report = ${report} ${own}
         order by sends.due_at desc, sends.recipient
         limit ${most}`,
  );
}

/** A report that was asked for, beside those that are due. */
export async function insertManual(
  on: Queryable,
  { recipient, report, project }: { recipient: number; report: number; project: number },
  { mail, tokenHash, now }: { mail: string; tokenHash: string; now: number },
): Promise<void> {
  await query(
    on,
    sql`insert into report_sends (recipient, due_at, report, project_id, manual, state, tries, noted_at, mail, token_hash)
        values (${recipient}, ${sql.time(now)}, ${report}, ${project}, true, 'sent', 1, ${sql.time(now)}, ${mail}, ${tokenHash})
        on conflict do nothing`,
  );
}

/** Keeps the newest of each recipient, by number and not by age, since clocks may jump; and deletes addresses that never agreed. */
export async function tidy(on: Queryable, kept: number, unconfirmedBefore: number): Promise<void> {
  await query(
    on,
    sql`delete from report_sends
         where (recipient, due_at) in (
                 select recipient, due_at
                   from (select recipient, due_at, row_number() over (partition by recipient order by due_at desc) as place
                           from report_sends) numbered
                  where place > ${kept})`,
  );
  await query(
    on,
    sql`delete from report_recipients where state = 'unconfirmed' and confirm_until < ${sql.time(unconfirmedBefore)}`,
  );
}

/** Members of the project's team who may sign in. */
export function membersOf(on: Queryable, project: number): Promise<{ id: number; name: string; role: string }[]> {
  return query(
    on,
    sql`select users.id, users.name, members.role
          from projects
          join members on members.team_id = projects.team_id
          join users on users.id = members.user_id and users.disabled_at is null
         where projects.id = ${project}
         order by users.name, users.id`,
  );
}

export interface OwnRow extends ReportSubjectRow, ReportSchedule {
  report: number;
  project_id: number;
  state: RecipientState;
  active: boolean;
  time_zone: string;
}

/** Reports of an account in the projects of its teams. */
export function ownReports(on: Queryable, account: number): Promise<OwnRow[]> {
  return query(
    on,
    sql`select recipients.report, recipients.project_id, recipients.state, reports.active, reports.kind, reports.object,
               reports.frequency, reports.weekday, reports.hour, users.time_zone
          from report_recipients recipients
          join reports on reports.id = recipients.report
          join users on users.id = recipients.account
         where recipients.account = ${account}
         order by recipients.project_id, recipients.id`,
  );
}
