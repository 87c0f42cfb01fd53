/** Messages of an alert: mails to members, entries for webhooks and chats. Written in the transaction of what they tell. */
import type { Knex } from 'knex';
import type { Config } from '#src/config.ts';
import { uuidV7 } from '#src/kit/ids.ts';
import type { AlertData, MailLanguage } from '#src/mail/contract.ts';
import type { Mail } from '#src/mail/mail.ts';
import type { AlertRow } from './queries.ts';
import type { Span } from './schedule.ts';
import type { AlertMessage } from './shapes.ts';
import * as queries from './target-queries.ts';
import { type DescribedIssue, MAX_ISSUES_TOLD, type NoticeKind } from './values.ts';

export interface Notice {
  notice: NoticeKind;
  span: Span;
  value: number | null;
  expected: number | null;
  /** Of the goal or insight; null: it has none. */
  subjectName: string | null;
  project: { id: number; name: string; timeZone: string };
  now: number;
  /** Absent: all. */
  only?: number;
  /** What happened, of an alert that watches issues. */
  issues?: readonly DescribedIssue[];
}

export interface NotifyParts {
  config: Pick<Config, 'PUBLIC_APP_URL'>;
  mail: Pick<Mail, 'send' | 'compose'>;
}

export async function notify(
  { config, mail }: NotifyParts,
  trx: Knex.Transaction,
  alert: AlertRow,
  { notice, span, value, expected, subjectName, project, now, only, issues }: Notice,
): Promise<void> {
  const targets = (await queries.targetsOf(trx, project.id)).filter(
    (row) => row.alert === alert.id && (only === undefined || row.id === only),
  );
  if (targets.length === 0) return;
  const { subject, condition, interval, name } = alert;
  const data: AlertData = {
    link: linkOf(`${config.PUBLIC_APP_URL}/project/${project.id}`, alert, issues),
    notice,
    alert: name,
    project: project.name,
    subject,
    subjectName: subjectName ?? '',
    condition,
    interval,
    ...span,
    timeZone: project.timeZone,
    value,
    expected,
    ...(issues && { issues: issues.slice(0, MAX_ISSUES_TOLD), allIssues: issues.length }),
  };
  const isAboutErrors = subject.kind === 'issues';
  // Viewers do not see errors.
  const members = (await queries.membersOf(trx, project.id)).filter(({ role }) => !isAboutErrors || role !== 'viewer');
  const notified = new Set(targets.flatMap((target) => target.members));
  for (const { id, email, language, team } of members.filter((member) => notified.has(member.id))) {
    await mail.send(trx, {
      kind: 'alert',
      to: email,
      language: languageOf(language),
      userId: id as never,
      teamId: team as never,
      data,
    });
  }
  const message: AlertMessage = {
    ...mail.compose({ kind: 'alert', language: languageOf(alert.language), data }),
    notice,
    project: { id: project.id, name: project.name },
    alert: { id: alert.id, name },
    subject,
    condition,
    interval: { name: interval, from: new Date(span.from).toISOString(), to: new Date(span.to).toISOString() },
    value,
    expected,
    ...(issues && { issues: issues.slice(0, MAX_ISSUES_TOLD) }),
  };
  for (const target of targets.filter(({ kind }) => kind !== 'email')) {
    const delivery = { id: uuidV7(now), notice, intervalFrom: span.from, body: message, now };
    await queries.insertDelivery(trx, project.id, target, delivery);
  }
}

/** To what has to be looked at: the issue, or the list of several. */
function linkOf(project: string, { id }: AlertRow, issues: readonly DescribedIssue[] = []): string {
  const [first] = issues;
  if (first === undefined) return `${project}/alerts/${id}`;
  return issues.length === 1 ? first.link : `${project}/errors`;
}

export function languageOf(text: string): MailLanguage {
  return text === 'pt-BR' ? 'pt-BR' : 'en';
}
