/** Creating, changing and deleting reports. */
import type { Knex } from 'knex';
import { AppError, forbidden, notFound } from '#src/kit/errors.ts';
import type { Deps } from '#src/store/deps.ts';
import { scheduleOf } from './answers.ts';
import type { RecipientInput, Report } from './contract.ts';
import type { ReportReader, Reports } from './operations.ts';
import * as queries from './queries.ts';
import { checkRecipients, hasStrangers, type RecipientParts, setRecipients } from './recipients.ts';
import type { Subjects } from './subjects.ts';
import { MAX_REPORTS } from './values.ts';

export interface ChangeParts extends RecipientParts, Pick<Deps, 'db' | 'clock'> {
  subjects: Subjects;
  /** @throws AppError `not_found` for a missing or hidden one */
  find(asker: ReportReader, id: number): Promise<queries.ReportRow>;
  get(asker: ReportReader, id: number): Promise<Report>;
}

export function createChanges(parts: ChangeParts): Pick<Reports, 'create' | 'update' | 'remove' | 'setOwn'> {
  const { db, clock, subjects, find, get } = parts;

  async function check(
    asker: ReportReader,
    subject: Pick<queries.ReportSubjectRow, 'kind' | 'object'>,
    recipients: readonly RecipientInput[],
  ): Promise<void> {
    await checkRecipients(db, asker, recipients);
    if (!(await hasStrangers(db, asker.project.id, recipients))) return;
    if ((await subjects.nameFor(asker.project, subject, 'viewer')) === null) {
      throw new AppError('conflict', 'Filters by people can’t be sent to viewers or outside addresses.', {
        field: 'recipients',
      });
    }
  }

  return {
    async create(asker, { subject, schedule, recipients }, noted) {
      const row = { kind: subject.kind, object: subject.kind === 'summary' ? null : subject.id };
      const name = await subjects.nameOf(asker, row);
      await check(asker, row, recipients);
      const now = clock.now();
      const id = await db.transaction(async (trx) => {
        const report = { ...row, ...schedule, by: Number(asker.reader.id), now };
        const made = await queries.insertReport(trx, asker.project.id, report, MAX_REPORTS);
        if (made === null) {
          throw new AppError('conflict', `Limit of ${MAX_REPORTS} reports per project reached. Delete some first.`);
        }
        await setRecipients(parts, trx, asker, { id: made, name, kind: row.kind, schedule }, recipients, now);
        await noted?.(trx, name);
        return made;
      });
      return get(asker, id);
    },
    async update(asker, id, { revision, schedule, recipients, active }, noted) {
      const row = await find(asker, id);
      if (asker.role === 'viewer' && row.created_by !== Number(asker.reader.id)) throw forbidden();
      if (recipients) await check(asker, row, recipients);
      const name = (await subjects.nameFor(asker.project, row, 'team')) ?? '';
      const now = clock.now();
      await db.transaction(async (trx) => {
        await lock(trx, asker, id, revision);
        const next = schedule ?? scheduleOf(row);
        const isActive = active ?? row.active;
        await queries.updateReport(trx, id, next, { active: isActive, now });
        const isOther = JSON.stringify(next) !== JSON.stringify(scheduleOf(row));
        if (isOther || (isActive && !row.active)) await queries.beginAgain(trx, id, now);
        if (recipients)
          await setRecipients(parts, trx, asker, { id, name, kind: row.kind, schedule: next }, recipients, now);
        await noted?.(trx, name);
      });
      return get(asker, id);
    },
    async remove(asker, id, noted) {
      const row = await find(asker, id);
      if (asker.role === 'viewer' && row.created_by !== Number(asker.reader.id)) throw forbidden();
      const name = (await subjects.nameFor(asker.project, row, 'team')) ?? '';
      await db.transaction(async (trx) => {
        await lock(trx, asker, id, undefined);
        await queries.deleteReport(trx, id);
        await noted?.(trx, name);
      });
    },
    async setOwn(asker, id, active) {
      await find(asker, id);
      const own = (await queries.recipientsOf(db, asker.project.id)).find(
        (row) => row.report === id && row.account === Number(asker.reader.id),
      );
      if (own === undefined) throw notFound('recipient');
      await queries.setState(db, own.id, active ? 'active' : 'unsubscribed', clock.now());
    },
  };
}

async function lock(
  trx: Knex.Transaction,
  { project }: ReportReader,
  id: number,
  revision: number | undefined,
): Promise<void> {
  const known = await queries.lockReport(trx, project.id, id);
  if (known === null) throw notFound('report');
  if (revision !== undefined && revision !== known.revision) {
    throw new AppError('conflict', 'Someone else changed this report. Reload it to see the change.', {
      field: 'revision',
    });
  }
}
