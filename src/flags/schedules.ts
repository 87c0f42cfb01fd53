/** Changes of flags at a moment to come: kept, and made by recurring work. */
import { AppError, invalid, notFound } from '#src/kit/errors.ts';
import { dayMs } from '#src/kit/zone.ts';
import type { ProjectId } from '#src/projects/contract.ts';
import type { Deps } from '#src/store/deps.ts';
import type { Queryable } from '#src/store/sql.ts';
import type { Author, RewrittenFlag } from './author.ts';
import type { Flag, FlagDefinition, FlagSchedule, FlagScheduleInput, ScheduledChange } from './contract.ts';
import * as queries from './schedule-queries.ts';

import { MAX_SCHEDULE_DAYS, MAX_SCHEDULES } from './values.ts';

export interface FlagSchedules {
  /** Those to come, the earliest first, and those that could not be made. @throws AppError `not_found` */
  list(projectId: ProjectId, flag: number): Promise<FlagSchedule[]>;
  /** @throws AppError `not_found`, `invalid` for a moment that is past or too far, `conflict` when there are too many */
  add(projectId: ProjectId, input: FlagScheduleInput, by: Author): Promise<FlagSchedule>;
  /** @throws AppError `not_found`, also for one that was made */
  cancel(projectId: ProjectId, flag: number, schedule: number, by: Author): Promise<void>;
  /** Recurring work: makes the changes that are due, each once. */
  work(signal?: AbortSignal): Promise<void>;
}

interface Parts {
  get(projectId: ProjectId, id: number): Promise<Flag>;
  rewrite(
    projectId: ProjectId,
    id: number,
    by: Author,
    next: (flag: Flag, on: Queryable) => Promise<RewrittenFlag>,
  ): Promise<Flag>;
}

export function createSchedules(
  { db, clock, log }: Pick<Deps, 'db' | 'clock' | 'log'>,
  { get, rewrite }: Parts,
): FlagSchedules {
  async function make({ id, projectId, flag, change, by }: queries.DueSchedule): Promise<void> {
    const author: Author = { ...by, note: async () => undefined };
    await rewrite(projectId, flag, author, async ({ description, definition }, on) => {
      // In one transaction with the new version of the flag: another process that took it waits, and finds it made.
      if (!(await queries.takeSchedule(on, id, clock.now()))) throw notFound('scheduled change');
      return { description, definition: changed(definition, change), note: null };
    });
  }

  return {
    async list(projectId, flag) {
      await get(projectId, flag);
      return queries.schedulesOf(db, projectId, flag);
    },
    async add(projectId, { flag, at, change }, by) {
      const { key, definition } = await get(projectId, flag);
      const now = clock.now();
      if (at <= now) throw invalid('at', 'Select a time in the future.');
      if (at > now + MAX_SCHEDULE_DAYS * dayMs) throw invalid('at', 'Select a time within a year.');
      changed(definition, change);
      return db.transaction(async (trx) => {
        const made = await queries.insertSchedule(trx, projectId, { flag, at, change, by, now }, MAX_SCHEDULES);
        if (made === null) {
          throw new AppError('conflict', `Limit of ${MAX_SCHEDULES} scheduled changes per flag reached.`, {
            field: 'at',
          });
        }
        await by.note(trx, key);
        return made;
      });
    },
    async cancel(projectId, flag, schedule, by) {
      const { key } = await get(projectId, flag);
      await db.transaction(async (trx) => {
        if (!(await queries.deleteSchedule(trx, projectId, flag, schedule))) throw notFound('scheduled change');
        await by.note(trx, key);
      });
    },
    async work(signal) {
      for (const due of await queries.dueSchedules(db, clock.now())) {
        if (signal?.aborted) return;
        await make(due).catch(async (error: unknown) => {
          // The database may be away: the next run tries again. What cannot be made is not tried again.
          if (!(error instanceof AppError) || error.code === 'unavailable' || error.code === 'busy') {
            log.warn({ err: error, schedule: due.id }, 'scheduled change of a feature flag failed');
            return;
          }
          await queries.noteProblem(db, due.id, error.message, clock.now());
        });
      }
    },
  };
}

/** The definition after a scheduled change. @throws AppError `invalid` when the condition is not there */
function changed(definition: FlagDefinition, change: ScheduledChange): FlagDefinition {
  if ('active' in change) return { ...definition, active: change.active };
  const { filters } = definition;
  const condition = filters.groups[change.condition];
  if (condition === undefined)
    throw invalid('change.condition', `There is no condition ${change.condition + 1} any more.`);
  const groups = filters.groups.with(change.condition, { ...condition, rollout_percentage: change.rollout });
  return { ...definition, filters: { ...filters, groups } };
}
