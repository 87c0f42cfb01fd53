/** Recipients of a report: members of the team, and addresses whose owners agree by a link first. */
import type { Knex } from 'knex';
import type { Config } from '#src/config.ts';
import { AppError, forbidden, notFound } from '#src/kit/errors.ts';
import { dayMs } from '#src/kit/zone.ts';
import type { Limits } from '#src/limits/limits.ts';
import type { Mail } from '#src/mail/mail.ts';
import { isTimeZone } from '#src/projects/values.ts';
import type { RecipientInput } from './contract.ts';
import type { ReportReader } from './operations.ts';
import * as queries from './queries.ts';
import { newToken } from './tokens.ts';
import { MAX_PROJECT_RECIPIENTS, type ReportKind, type ReportSchedule } from './values.ts';

export interface RecipientParts {
  config: Pick<Config, 'PUBLIC_APP_URL'>;
  mail: Pick<Mail, 'send'>;
  limits: Pick<Limits, 'mail'>;
}

/** Days in which an address may agree. */
const CONFIRM_DAYS = 7;

/** @throws AppError `forbidden` for viewers who name others than themselves, `not_found` for who is no member, `invalid` for a time zone */
export async function checkRecipients(
  on: Knex | Knex.Transaction,
  { project, reader, role }: ReportReader,
  recipients: readonly RecipientInput[],
): Promise<void> {
  const others = recipients.some((to) => to.kind === 'address' || to.account !== Number(reader.id));
  if (role === 'viewer' && others) throw forbidden();
  const members = await queries.membersOf(on, project.id);
  for (const to of recipients) {
    if (to.kind === 'member' && !members.some(({ id }) => id === to.account)) throw notFound('member');
    if (to.kind === 'address' && to.timeZone !== undefined && !isTimeZone(to.timeZone)) {
      throw new AppError('invalid', 'Unknown time zone. Use an IANA name, e.g. America/Sao_Paulo.', {
        field: 'recipients',
      });
    }
  }
}

/** Whether some may not see persons. */
export async function hasStrangers(
  on: Knex | Knex.Transaction,
  project: number,
  recipients: readonly RecipientInput[],
): Promise<boolean> {
  const members = await queries.membersOf(on, project);
  return recipients.some(
    (to) => to.kind === 'address' || members.find(({ id }) => id === to.account)?.role === 'viewer',
  );
}

export interface RecipientsOf {
  id: number;
  name: string;
  kind: ReportKind;
  schedule: ReportSchedule;
}

/**
 * Makes these the recipients of a report. Those that are there already keep their state: who unsubscribed is not subscribed by others.
 * @throws AppError `conflict` when the project has too many, `rate_limited` after ten new addresses an hour
 */
export async function setRecipients(
  { config, mail, limits }: RecipientParts,
  trx: Knex.Transaction,
  asker: ReportReader,
  report: RecipientsOf,
  recipients: readonly RecipientInput[],
  now: number,
): Promise<void> {
  const { project } = asker;
  const known = (await queries.recipientsOf(trx, project.id)).filter((row) => row.report === report.id);
  const knownAs = (to: RecipientInput) =>
    known.find((row) =>
      to.kind === 'member' ? row.account === to.account : row.address?.toLowerCase() === to.address.toLowerCase(),
    );
  const kept = new Set(recipients.flatMap((to) => knownAs(to)?.id ?? []));
  // An address that unsubscribed is remembered, so that it is asked by nobody twice.
  const gone = known.filter((row) => !kept.has(row.id) && !(row.account === null && row.state === 'unsubscribed'));
  await queries.deleteRecipients(
    trx,
    gone.map(({ id }) => id),
  );
  const added = new Set<string>();
  for (const to of recipients) {
    const key = to.kind === 'member' ? String(to.account) : to.address.toLowerCase();
    if (added.has(key)) continue;
    added.add(key);
    const before = knownAs(to);
    if (before === undefined) await add({ config, mail, limits }, trx, asker, report, to, now);
    else if (to.kind === 'address') {
      const timeZone = to.timeZone ?? before.time_zone;
      await queries.updateRecipient(trx, before.id, { language: to.language, timeZone });
    }
  }
  if ((await queries.countRecipients(trx, project.id)) > MAX_PROJECT_RECIPIENTS) {
    throw new AppError('conflict', `Limit of ${MAX_PROJECT_RECIPIENTS} report recipients per project reached.`);
  }
}

async function add(
  { config, mail, limits }: RecipientParts,
  trx: Knex.Transaction,
  { project, reader, language }: ReportReader,
  report: RecipientsOf,
  to: RecipientInput,
  now: number,
): Promise<void> {
  const timeZone = (to.kind === 'address' ? to.timeZone : undefined) ?? project.timeZone;
  const common = { timeZone, since: now };
  if (to.kind === 'member') {
    const member = {
      account: to.account,
      address: null,
      language: language ?? 'en',
      state: 'active' as const,
      confirm: null,
    };
    await queries.insertRecipient(trx, project.id, report.id, { ...common, ...member });
    return;
  }
  if (!(await limits.mail(to.address, `report recipients of project ${project.id}`))) {
    throw new AppError('rate_limited', 'Too many new addresses. Try again later.', { retryAfterSec: 3_600 });
  }
  const { token, hash } = newToken();
  const until = now + CONFIRM_DAYS * dayMs;
  await queries.insertRecipient(trx, project.id, report.id, {
    ...common,
    account: null,
    address: to.address,
    language: to.language,
    state: 'unconfirmed',
    confirm: { hash, until },
  });
  // Of no team: only its owner can say that an address is theirs.
  await mail.send(trx, {
    kind: 'reportConfirm',
    to: to.address,
    language: to.language,
    until,
    data: {
      link: new URL(`/reports/${token}`, config.PUBLIC_APP_URL).href,
      by: reader.name ?? '',
      project: project.name,
      report: report.name,
      kind: report.kind,
      schedule: report.schedule,
      days: CONFIRM_DAYS,
    },
  });
}
