/** Changes of alerts by members. */
import { isDeepStrictEqual } from 'node:util';
import { AppError, notFound } from '#src/kit/errors.ts';
import { hourMs } from '#src/kit/zone.ts';
import type { Deps } from '#src/store/deps.ts';
import type { AlertInput, AlertSummary } from './contract.ts';
import { calendarOf } from './numbers.ts';
import type { AlertReader, Alerts } from './operations.ts';
import * as queries from './queries.ts';
import { lastFinished } from './schedule.ts';
import type { Subjects } from './subjects.ts';
import type { Targets } from './targets.ts';
import { isTold, MAX_ALERTS } from './values.ts';

interface ChangesParts extends Pick<Deps, 'db' | 'clock'> {
  targets: Pick<Targets, 'save'>;
  subjects: Pick<Subjects, 'check'>;
  /** @throws AppError `not_found` */
  find(asker: AlertReader, id: number): Promise<{ row: queries.AlertRow }>;
  summary(asker: AlertReader, id: number): Promise<AlertSummary>;
}

export type Changes = Pick<Alerts, 'create' | 'update' | 'acknowledge' | 'snooze' | 'remove'>;

export function createChanges({ db, clock, targets, subjects, find, summary }: ChangesParts): Changes {
  /** The last finished interval is evaluated at once. */
  const sinceOf = (asker: AlertReader, interval: AlertInput['interval'], now: number): number =>
    lastFinished({ id: 0, interval }, now, calendarOf(asker.project)).to;

  return {
    async create(asker, { targets: given, ...asked }, noted) {
      const input = { ...asked, ...fixedRule(asked.subject) };
      await subjects.check(asker, input);
      const now = clock.now();
      const since = isTold(input.subject) ? now : sinceOf(asker, input.interval, now);
      const alert = { ...input, by: asker.reader.id, language: asker.language ?? 'en', since, now };
      const made = await db.transaction(async (trx) => {
        const id = await queries.insertAlert(trx, asker.project.id, alert, MAX_ALERTS);
        if (id === null) return null;
        const secretsMade = await targets.save(trx, asker.project.id, id, given);
        await noted?.(trx, input.name);
        return { id, secrets: secretsMade };
      });
      if (made === null) {
        throw new AppError('conflict', `Limit of ${MAX_ALERTS} alerts per project reached. Delete some first.`);
      }
      return { alert: await summary(asker, made.id), secrets: made.secrets };
    },
    async update(asker, id, { revision, targets: given, ...change }, noted) {
      const { row } = await find(asker, id);
      const { name, subject, interval, condition, active } = row;
      const before = { name, subject, interval, condition, active };
      const after = {
        name: change.name ?? name,
        subject: change.subject ?? subject,
        interval: change.interval ?? interval,
        condition: change.condition ?? condition,
        active: change.active ?? active,
        ...fixedRule(change.subject ?? subject),
      };
      const watchesOther = !isDeepStrictEqual(
        [subject, interval, condition],
        [after.subject, after.interval, after.condition],
      );
      if (watchesOther || (after.active && !active)) await subjects.check(asker, after);
      const now = clock.now();
      const beginsAgain = watchesOther || (after.active && !active);
      const beginning = isTold(after.subject) ? now : sinceOf(asker, after.interval, now);
      const since = beginsAgain ? beginning : null;
      const made = await db.transaction(async (trx) => {
        const locked = await queries.lockAlert(trx, asker.project.id, id);
        if (locked === null) throw notFound('alert');
        if ((revision ?? row.revision) !== locked.revision) {
          throw new AppError('conflict', 'Someone else changed this alert. Reload it to see the change.', {
            field: 'revision',
          });
        }
        if (given === undefined && isDeepStrictEqual(before, after)) return [];
        await queries.updateAlert(trx, id, after, { since, now });
        const secretsMade = given === undefined ? [] : await targets.save(trx, asker.project.id, id, given);
        await noted?.(trx, after.name);
        return secretsMade;
      });
      return { alert: await summary(asker, id), secrets: made };
    },
    async acknowledge(asker, id, noted) {
      const { row } = await find(asker, id);
      await db.transaction(async (trx) => {
        if (!(await queries.acknowledge(trx, id, asker.reader.id, clock.now()))) {
          throw new AppError('conflict', 'This alert isn’t firing.');
        }
        await noted?.(trx, row.name);
      });
      return summary(asker, id);
    },
    async snooze(asker, id, hours, noted) {
      const { row } = await find(asker, id);
      await db.transaction(async (trx) => {
        await queries.snooze(trx, id, hours === null ? null : clock.now() + hours * hourMs);
        await noted?.(trx, row.name);
      });
      return summary(asker, id);
    },
    async remove(asker, id, noted) {
      const { row } = await find(asker, id);
      await db.transaction(async (trx) => {
        if ((await queries.lockAlert(trx, asker.project.id, id)) === null) throw notFound('alert');
        await queries.deleteAlert(trx, id);
        await noted?.(trx, row.name);
      });
    },
  };
}

/** Alerts that notify as it happens have no rule to choose. */
function fixedRule(subject: AlertInput['subject']): Partial<Pick<AlertInput, 'interval' | 'condition'>> {
  return isTold(subject) ? { interval: 'hour', condition: { kind: 'above', value: 0 } } : {};
}
