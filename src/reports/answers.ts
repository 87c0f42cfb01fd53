/** Reports as they are answered. */
import type { Report, ReportRecipient, ReportSend } from './contract.ts';
import type { RecipientRow, ReportRow, SendRow } from './queries.ts';
import { nextDue } from './schedule.ts';
import type { ReportSchedule } from './values.ts';

export function scheduleOf({ frequency, weekday, hour }: ReportSchedule): ReportSchedule {
  return { frequency, weekday, hour };
}

export function languageOf(text: string): 'en' | 'pt-BR' {
  return text === 'pt-BR' ? 'pt-BR' : 'en';
}

interface Shown {
  row: ReportRow;
  /** Of what it shows. */
  name: string | null;
  recipients: readonly RecipientRow[];
  now: number;
}

export function reportOf({ row, name, recipients, now }: Shown): Report {
  const answered = recipients.map((to) => recipientOf(row, to, now));
  const dues = answered.flatMap(({ nextDue: due }) => due ?? []);
  return {
    id: row.id,
    subject: { kind: row.kind, id: row.object },
    name,
    schedule: scheduleOf(row),
    active: row.active,
    problem: row.problem,
    recipients: answered,
    nextDue: dues.length === 0 ? null : Math.min(...dues),
    lastSent: row.last_sent,
    createdBy: { id: row.created_by, name: row.author },
    changedAt: row.changed_at,
    revision: row.revision,
  };
}

function recipientOf(row: ReportRow, to: RecipientRow, now: number): ReportRecipient {
  const gets = row.active && to.state === 'active' && (to.account === null || to.role !== null);
  return {
    account: to.account,
    name: to.name,
    address: to.address,
    state: to.state,
    language: languageOf(to.language),
    timeZone: to.time_zone,
    nextDue: gets ? nextDue(scheduleOf(row), to.time_zone, Math.max(now, to.since)) : null,
  };
}

export function sendOf(row: SendRow): ReportSend {
  return {
    dueAt: row.due_at,
    to: row.address ?? row.name ?? '',
    state: row.state,
    manual: row.manual,
    at: row.noted_at,
    problem: row.problem,
    mail: row.mail_state,
  };
}
