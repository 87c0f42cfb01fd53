/** Alerts: numbers that are watched by finished intervals, their history, and messages to those who are notified. */
import type { Knex } from 'knex';
import { readMinutes } from '#src/collect/collect.ts';
import type { Errors } from '#src/errors/errors.ts';
import type { Insights } from '#src/insights/insights.ts';
import { AppError, notFound } from '#src/kit/errors.ts';
import { hourMs } from '#src/kit/zone.ts';
import type { Limits } from '#src/limits/limits.ts';
import type { Mail } from '#src/mail/mail.ts';
import type { Deps } from '#src/store/deps.ts';
import type { Secrets } from '#src/store/secrets.ts';
import { deliveryOf, evaluationOf, summaryOf } from './answers.ts';
import { createChanges } from './changes.ts';
import type { AlertSubject, AlertSummary } from './contract.ts';
import { deliverDue } from './deliver.ts';
import { type AlertProject, type EvaluateParts, evaluateDue } from './evaluate.ts';
import { createLedger } from './ledger.ts';
import { notify } from './notify.ts';
import { calendarOf, type NumbersInsights } from './numbers.ts';
import type { AlertReader, Alerts } from './operations.ts';
import * as queries from './queries.ts';
import { lastFinished } from './schedule.ts';
import { createSend } from './send.ts';
import { createSubjects } from './subjects.ts';
import * as targetQueries from './target-queries.ts';
import { createTargets } from './targets.ts';
import { tellIssues } from './tell-issues.ts';
import { MAX_ALERTS } from './values.ts';
import { previewOf } from './watching.ts';

export type { AlertReader, Alerts };

export interface AlertsParts {
  insights: Pick<Insights, 'query' | 'goals' | 'saved' | 'segments' | 'tryFilters'>;
  mail: Pick<Mail, 'send' | 'compose'>;
  secrets: Pick<Secrets, 'keys'>;
  limits: Pick<Limits, 'mail'>;
  errors: Pick<Errors, 'signals'>;
  /** Addresses of private networks that webhooks reach nevertheless: only tests have any. */
  allowedAddresses?: readonly string[];
}

const HISTORY = 200;
const DELIVERIES = 50;
const KEEP_EVALUATIONS_MS = 100 * 24 * hourMs;
const KEEP_DELIVERIES_MS = 30 * 24 * hourMs;

/** Enters an alert that has been watching since a time in the past, and notifies nobody. */
export async function beginAlert(
  db: Deps['db'],
  projectId: number,
  alert: Pick<queries.NewAlert, 'name' | 'subject' | 'interval' | 'condition' | 'language'>,
  since: number,
): Promise<void> {
  const known = await queries.alertsOf(db, projectId);
  if (known.some(({ name }) => name === alert.name)) return;
  await queries.insertAlert(db, projectId, { ...alert, by: 0, since, now: since }, MAX_ALERTS);
}

export function createAlerts(
  deps: Pick<Deps, 'config' | 'db' | 'clock' | 'log'>,
  { insights: rooms, mail, secrets, limits, errors, allowedAddresses }: AlertsParts,
): Alerts {
  const { config, db, clock, log } = deps;
  const targets = createTargets({ db, secrets });
  const send = createSend(allowedAddresses);
  const ledger = createLedger(db);
  const tell: EvaluateParts<Knex.Transaction>['notify'] = (trx, row, notice) =>
    notify({ config, mail }, trx, row, notice);
  const subjects = createSubjects(rooms);
  const insights: NumbersInsights = {
    query: rooms.query,
    goals: rooms.goals,
    saved: rooms.saved,
    segments: rooms.segments,
    signals: errors.signals,
    minutes: (projectId, fromMs) => readMinutes(db, projectId, fromMs),
  };

  async function find(asker: AlertReader, id: number): Promise<{ row: queries.AlertRow; subjectName: string | null }> {
    const row = await queries.alertOf(db, asker.project.id, id);
    const seen = row && (await subjects.seenName(asker, row.subject));
    if (row === null || seen === null) throw notFound('alert');
    return { row, subjectName: seen.name };
  }

  async function summary(asker: AlertReader, id: number): Promise<AlertSummary> {
    const { row, subjectName } = await find(asker, id);
    return summaryOf(row, subjectName, (await targets.byAlert(asker.project.id)).get(id));
  }

  return {
    async list(asker) {
      const [rows, byAlert] = await Promise.all([
        queries.alertsOf(db, asker.project.id),
        targets.byAlert(asker.project.id),
      ]);
      const seen = await Promise.all(rows.map((row) => subjects.seenName(asker, row.subject)));
      return rows.flatMap((row, at) => {
        const named = seen[at];
        return named ? [summaryOf(row, named.name, byAlert.get(row.id))] : [];
      });
    },
    async get(asker, id) {
      const found = await summary(asker, id);
      const [history, deliveries] = await Promise.all([
        queries.evaluationsOf(db, id, HISTORY),
        asker.project.seesPersons ? targetQueries.deliveriesOf(db, id, DELIVERIES) : [],
      ]);
      return { ...found, history: history.map(evaluationOf), deliveries: deliveries.map(deliveryOf) };
    },
    async chart(asker, id) {
      const { row } = await find(asker, id);
      return previewOf(insights, asker.project, row, clock.now());
    },
    async preview(asker, asked) {
      await subjects.check(asker, asked);
      return previewOf(insights, asker.project, asked, clock.now());
    },
    async members({ project }) {
      return (await targetQueries.membersOf(db, project.id)).map(({ id, name }) => ({ id, name }));
    },
    ...createChanges({ db, clock, targets, subjects, find, summary }),
    async test(asker, id, only) {
      const { row, subjectName } = await find(asker, id);
      const known = (await targets.byAlert(asker.project.id)).get(id) ?? [];
      if (!known.some((target) => target.id === only)) throw notFound('target');
      if (!(await limits.mail(`alert target ${only}`, `alerts of project ${asker.project.id}`))) {
        throw new AppError('rate_limited', 'Too many test messages. Try again later.', { retryAfterSec: 3_600 });
      }
      const now = clock.now();
      const span = lastFinished({ id: 0, interval: row.interval }, now, calendarOf(asker.project));
      const { last_value: value, last_expected: expected } = row;
      const project = asker.project;
      await db.transaction((trx) =>
        tell(trx, row, { notice: 'test', span, value, expected, subjectName, project, now, only }),
      );
      await deliverDue({ db, clock, log, targets, send });
    },
    async redeliver(asker, id, delivery) {
      await find(asker, id);
      if (!(await targetQueries.redeliver(db, id, delivery, clock.now()))) {
        throw new AppError('conflict', 'This message is waiting already, or its target was deleted.');
      }
      await deliverDue({ db, clock, log, targets, send });
    },
    async work(projectOf, signal) {
      const subjectName = (project: AlertProject, subject: AlertSubject) =>
        subjects.nameOf({ project, reader: { id: 0 as never }, role: 'admin' }, subject);
      await tellIssues({ db, clock, log, config, mail, signals: errors.signals }, projectOf, signal);
      await evaluateDue({ clock, log, ledger, insights, subjectName, notify: tell }, projectOf, signal);
      await deliverDue({ db, clock, log, targets, send }, signal);
    },
    async tidy() {
      const now = clock.now();
      await errors.signals.tidy();
      await queries.tidy(db, now - KEEP_EVALUATIONS_MS, now - KEEP_DELIVERIES_MS);
    },
  };
}
