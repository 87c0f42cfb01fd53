/**
 * Reports by email: dashboards, insights and the project in short, of finished days, weeks and months, to members and to addresses that
 * agreed. Owner of `reports`, `report_recipients` and `report_sends`.
 */
import { AppError, notFound } from '#src/kit/errors.ts';
import type { Limits } from '#src/limits/limits.ts';
import type { Mail } from '#src/mail/mail.ts';
import type { Projects } from '#src/projects/projects.ts';
import type { Deps } from '#src/store/deps.ts';
import { languageOf, reportOf, scheduleOf, sendOf } from './answers.ts';
import { createChanges } from './changes.ts';
import { createComposer, type ReportProject } from './compose.ts';
import type { ContentParts } from './content.ts';
import { findLink } from './links.ts';
import type { ReportLink, ReportReader, Reports } from './operations.ts';
import * as queries from './queries.ts';
import { nextDue } from './schedule.ts';
import { createSubjects } from './subjects.ts';
import { scopeOf, workOff } from './work.ts';

export type { ReportLink, ReportProject, ReportReader, Reports };

export interface ReportsParts extends ContentParts {
  mail: Pick<Mail, 'send' | 'preview'>;
  limits: Pick<Limits, 'mail'>;
  projects: Pick<Projects, 'get'>;
}

const HISTORY = 200;
/** Due times that are remembered of each recipient: by number, since clocks may jump. */
const KEPT_SENDS = 100;
const UNCONFIRMED_MS = 30 * 86_400_000;

/** Enters a weekly summary to an address that agreed before, due since a time in the past. The recurring job sends it. */
export async function beginReport(
  db: Deps['db'],
  projectId: number,
  {
    address,
    language,
    timeZone,
    weekday,
    hour,
  }: { address: string; language: 'en' | 'pt-BR'; timeZone: string; weekday: number; hour: number },
  since: number,
): Promise<void> {
  if ((await queries.reportsOf(db, projectId)).length > 0) return;
  await db.transaction(async (trx) => {
    const report = { by: 0, kind: 'summary', object: null, frequency: 'weekly', weekday, hour, now: since } as const;
    const id = await queries.insertReport(trx, projectId, report, 1);
    if (id === null) return;
    const recipient = { account: null, address, language, timeZone, state: 'active', since, confirm: null } as const;
    await queries.insertRecipient(trx, projectId, id, recipient);
  });
}

export function createReports(
  deps: Pick<Deps, 'config' | 'db' | 'clock' | 'log'>,
  { insights, dashboards, mail, limits, projects }: ReportsParts,
): Reports {
  const { config, db, clock, log } = deps;
  const subjects = createSubjects({ insights, dashboards });
  const composing = { insights, dashboards, config, mail };

  const isOwn = ({ reader }: ReportReader, { account }: queries.RecipientRow) => account === Number(reader.id);

  /** Of a report, those that the asker may know. */
  function seenBy(asker: ReportReader, recipients: readonly queries.RecipientRow[]): queries.RecipientRow[] {
    return recipients.filter((each) => asker.role !== 'viewer' || isOwn(asker, each));
  }

  function isSeen(asker: ReportReader, row: queries.ReportRow, recipients: readonly queries.RecipientRow[]): boolean {
    if (asker.role !== 'viewer' || row.created_by === Number(asker.reader.id)) return true;
    return recipients.some((each) => each.report === row.id && isOwn(asker, each));
  }

  async function find(asker: ReportReader, id: number): Promise<queries.ReportRow> {
    const row = await queries.reportOf(db, asker.project.id, id);
    if (row === null || !isSeen(asker, row, await queries.recipientsOf(db, asker.project.id))) throw notFound('report');
    return row;
  }

  async function answer(asker: ReportReader, row: queries.ReportRow, recipients: readonly queries.RecipientRow[]) {
    const { project, role } = asker;
    const name =
      row.kind === 'summary' ? null : await subjects.nameFor(project, row, role === 'viewer' ? 'viewer' : 'team');
    const own = seenBy(
      asker,
      recipients.filter(({ report }) => report === row.id),
    );
    return reportOf({ row, name, recipients: own, now: clock.now() });
  }

  async function get(asker: ReportReader, id: number) {
    const row = await find(asker, id);
    const account = asker.role === 'viewer' ? Number(asker.reader.id) : null;
    const [recipients, sends] = await Promise.all([
      queries.recipientsOf(db, asker.project.id),
      queries.sendsOf(db, id, { most: HISTORY, account }),
    ]);
    return { ...(await answer(asker, row, recipients)), sends: sends.map(sendOf) };
  }

  async function projectOf(id: number): Promise<ReportProject | null> {
    const project = await projects.get(id);
    return project === null || project.deletesAt !== null ? null : { ...project, seesPersons: true };
  }

  return {
    async list(asker) {
      const [rows, recipients] = await Promise.all([
        queries.reportsOf(db, asker.project.id),
        queries.recipientsOf(db, asker.project.id),
      ]);
      const seen = rows.filter((row) => isSeen(asker, row, recipients));
      return Promise.all(seen.map((row) => answer(asker, row, recipients)));
    },
    get,
    async members({ project, reader, role }) {
      const members = await queries.membersOf(db, project.id);
      return members
        .map(({ id, name }) => ({ id, name, isSelf: id === Number(reader.id) }))
        .filter(({ isSelf }) => role !== 'viewer' || isSelf);
    },
    ...createChanges({ db, clock, config, mail, limits, subjects, find, get }),
    async sendNow(asker, id) {
      const row = await find(asker, id);
      const recipients = seenBy(asker, await queries.recipientsOf(db, asker.project.id)).filter(
        (to) => to.report === id && to.state === 'active' && (to.account === null || to.role !== null),
      );
      if (!(await limits.mail(`report ${id}`, `reports of project ${asker.project.id}`))) {
        throw new AppError('rate_limited', 'This report was sent several times in the last hour. Try again later.', {
          retryAfterSec: 3_600,
        });
      }
      const composer = createComposer(composing);
      const now = clock.now();
      for (const to of recipients) {
        const { tokenHash, write } = await composer.compose(
          { project: scopeOf(asker.project, to), subject: row, schedule: scheduleOf(row), due: now },
          { email: to.email ?? to.address ?? '', language: languageOf(to.language), account: to.account },
        );
        await db.transaction(async (trx) => {
          const sent = { recipient: to.id, report: id, project: Number(asker.project.id) };
          await queries.insertManual(trx, sent, { mail: await write(trx), tokenHash, now });
        });
      }
      return { recipients: recipients.length };
    },
    async preview(asker, { subject, schedule }) {
      const row = { kind: subject.kind, object: subject.kind === 'summary' ? null : subject.id };
      await subjects.nameOf(asker, row);
      const list = new URL(`/project/${asker.project.id}/reports`, config.PUBLIC_APP_URL).href;
      const data = await createComposer(composing).dataOf(
        { project: asker.project, subject: row, schedule, due: clock.now() },
        list,
        true,
      );
      return mail.preview({ kind: 'report', language: languageOf(asker.language ?? 'en'), data, to: '' });
    },
    async own(account, of) {
      const rows = await queries.ownReports(db, account);
      const found = await Promise.all(
        rows.map(async (row) => {
          const known = of.find(({ id }) => Number(id) === row.project_id);
          const project = known && (await projectOf(row.project_id));
          if (!known || !project) return [];
          return {
            report: row.report,
            project: { id: Number(known.id), name: known.name },
            subject: { kind: row.kind, id: row.object },
            name: row.kind === 'summary' ? null : await subjects.nameFor(project, row, 'team'),
            schedule: scheduleOf(row),
            paused: !row.active,
            active: row.state === 'active',
            nextDue: row.active && row.state === 'active' ? nextDue(scheduleOf(row), row.time_zone, clock.now()) : null,
          };
        }),
      );
      return found.flat();
    },
    link: (token) => findLink({ db, clock, subjects, projectOf }, token),
    work: (reachedProject, signal) => workOff({ db, clock, log, composing, subjects }, reachedProject, signal),
    async tidy() {
      await queries.tidy(db, KEPT_SENDS, clock.now() - UNCONFIRMED_MS);
    },
  };
}
