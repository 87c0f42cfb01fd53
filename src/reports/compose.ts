/** A report to one recipient: its numbers, and the mail that says them. */
import type { Knex } from 'knex';
import type { Config } from '#src/config.ts';
import type { QueryScope } from '#src/insights/query/scope.ts';
import type { MailLanguage } from '#src/mail/contract.ts';
import type { Mail } from '#src/mail/mail.ts';
import { type ContentParts, computeContent, type ReportContent } from './content.ts';
import { periodAt } from './schedule.ts';
import type { WrittenReport } from './send-due.ts';
import { newToken } from './tokens.ts';
import type { ReportData, ReportKind, ReportSchedule } from './values.ts';

export type ReportProject = QueryScope & { name: string; teamId: number | null };

export interface ComposeParts extends ContentParts {
  config: Pick<Config, 'PUBLIC_APP_URL'>;
  mail: Pick<Mail, 'send'>;
}

/** What is reported, and of when. */
export interface ComposedOf {
  project: ReportProject;
  subject: { kind: ReportKind; object: number | null };
  schedule: ReportSchedule;
  /** The due time, ms. */
  due: number;
}

/** Who gets it. */
export interface ComposedTo {
  email: string;
  language: MailLanguage;
  /** Null: an address without an account. */
  account: number | null;
}

/** Computes what several recipients of one report get, once. */
export function createComposer(parts: ComposeParts) {
  const known = new Map<string, Promise<ReportContent>>();

  async function dataOf(of: ComposedOf, unsubscribeLink: string, hasAccount: boolean): Promise<ReportData> {
    const { project, subject, schedule, due } = of;
    const period = periodAt(schedule.frequency, due, project);
    const key = JSON.stringify([project.id, project.seesPersons, subject, schedule.frequency, period]);
    const computed =
      known.get(key) ?? computeContent(parts, { project, subject, frequency: schedule.frequency, ...period });
    known.set(key, computed);
    // A failure is not kept: the next try computes it again.
    computed.catch(() => known.delete(key));
    const { PUBLIC_APP_URL: base } = parts.config;
    return {
      ...(await computed),
      ...period,
      link: linkTo(base, of, period),
      manageLink: hasAccount ? new URL('/account?show=reports', base).href : null,
      unsubscribeLink,
      kind: subject.kind,
      project: project.name,
      timeZone: project.timeZone,
      schedule,
    };
  }

  /** @throws AppError as `computeContent` */
  async function compose(of: ComposedOf, to: ComposedTo): Promise<WrittenReport<Knex | Knex.Transaction>> {
    const { token, hash } = newToken();
    const unsubscribe = new URL(`/reports/${token}`, parts.config.PUBLIC_APP_URL).href;
    const data = await dataOf(of, unsubscribe, to.account !== null);
    return {
      tokenHash: hash,
      async write(trx) {
        const { id } = await parts.mail.send(trx, {
          kind: 'report',
          to: to.email,
          language: to.language,
          ...(to.account !== null && { userId: to.account as never }),
          ...(of.project.teamId !== null && { teamId: of.project.teamId as never }),
          data,
        });
        return id;
      },
    };
  }

  return { dataOf, compose };
}

/** The screen of what it shows, over the same dates. */
function linkTo(
  base: string,
  { project, subject }: ComposedOf,
  { dates, previous }: Pick<ReportData, 'dates' | 'previous'>,
): string {
  const places = { summary: '', dashboard: `/dashboards/${subject.object}`, insight: `/insights/${subject.object}` };
  const link = new URL(`/project/${project.id}${places[subject.kind]}`, base);
  if (subject.kind === 'dashboard') link.searchParams.set('custom', '1');
  link.searchParams.set('from', dates.from);
  link.searchParams.set('to', dates.to);
  link.searchParams.set('compareFrom', previous.from);
  link.searchParams.set('compareTo', previous.to);
  return link.href;
}
