/** Features that people can turn on for themselves, each of a flag. */

import { AppError, notFound } from '#src/kit/errors.ts';
import type { ProjectId } from '#src/projects/contract.ts';
import type { Deps } from '#src/store/deps.ts';
import type { Queryable } from '#src/store/sql.ts';
import type { Author } from './author.ts';
import type { EarlyAccessInput, EarlyAccessRow, Flag } from './contract.ts';
import { asFlag } from './definitions.ts';
import * as queries from './queries.ts';
import { enrollmentProperty } from './values.ts';

export interface EarlyAccess {
  /** With the number of people who turned each on or off, in the order in which they were made. */
  list(projectId: ProjectId): Promise<EarlyAccessRow[]>;
  /** Offers the feature of a flag, or changes it. @throws AppError `not_found`, `conflict` for a flag whose unit are groups */
  save(projectId: ProjectId, input: EarlyAccessInput, by: Author): Promise<void>;
  /** Leaves the flag and what people chose. @throws AppError `not_found` */
  remove(projectId: ProjectId, flag: number, by: Author): Promise<void>;
}

export function createEarlyAccess({ db, clock }: Pick<Deps, 'db' | 'clock'>): EarlyAccess {
  /** Changes the feature of a flag; every process hears of it. @throws AppError `not_found` */
  function rewrite(
    projectId: ProjectId,
    id: number,
    by: Author,
    write: (flag: Flag, on: Queryable) => Promise<void>,
  ): Promise<void> {
    return db.transaction(async (trx) => {
      const row = (await queries.lockFlags(trx, projectId)).find((each) => each.id === id);
      if (row === undefined) throw notFound('flag');
      await write(asFlag(row), trx);
      await by.note(trx, row.key);
      await queries.notifyChange(trx, projectId);
    });
  }

  return {
    async list(projectId) {
      const features = await queries.earlyAccessOf(db, projectId);
      const properties = features.map(({ flagKey }) => enrollmentProperty(flagKey));
      const counts = await queries.enrollmentsOf(db, projectId, properties);
      return features.map((feature) => {
        const own = counts.find(({ property }) => property === enrollmentProperty(feature.flagKey));
        return { ...feature, optedIn: own?.optedIn ?? 0, optedOut: own?.optedOut ?? 0 };
      });
    },
    save: (projectId, input, by) =>
      rewrite(projectId, input.flag, by, async ({ definition }, on) => {
        if (definition.filters.aggregation_group_type_index != null) {
          throw new AppError('conflict', 'A flag for groups can’t be turned on by people.', { field: 'flag' });
        }
        await queries.saveEarlyAccess(on, projectId, input, clock.now());
      }),
    remove: (projectId, flag, by) =>
      rewrite(projectId, flag, by, async (_flag, on) => {
        if (!(await queries.deleteEarlyAccess(on, projectId, flag))) throw notFound('feature');
      }),
  };
}
