/** Copies flags to other projects of a team. */
import { AppError, notFound } from '#src/kit/errors.ts';
import type { People } from '#src/persons/people.ts';
import type { ProjectId } from '#src/projects/contract.ts';
import type { Deps } from '#src/store/deps.ts';
import type { Author } from './author.ts';
import type { Flag, FlagChange, FlagCopyPlan, FlagInput } from './contract.ts';
import { type PlannedCopy, planCopy } from './copies.ts';
import { asFlag } from './definitions.ts';
import * as queries from './queries.ts';

export interface FlagCopies {
  /** @throws AppError `not_found` */
  plan(from: ProjectId, flag: number, to: ProjectId): Promise<FlagCopyPlan>;
  /**
   * Makes the copy, which is off, or changes the flag with the same key.
   * @param replaces version of that flag; null: there is none
   * @returns the flag of the other project
   * @throws AppError `not_found`, `invalid` when it cannot be copied, `conflict` when the other project has another flag by now, or as `create`
   */
  copy(from: ProjectId, flag: number, to: ProjectId, replaces: number | null, by: Author): Promise<Flag>;
}

interface Parts {
  create(projectId: ProjectId, input: FlagInput, by: Author): Promise<Flag>;
  change(projectId: ProjectId, id: number, change: FlagChange, by: Author): Promise<Flag>;
}

interface Planned extends PlannedCopy {
  flag: Flag;
  existing: Flag | null;
}

export function createCopies(
  { db }: Pick<Deps, 'db'>,
  people: Pick<People, 'lookup'>,
  { create, change }: Parts,
): FlagCopies {
  async function planned(from: ProjectId, id: number, to: ProjectId): Promise<Planned> {
    const row = await queries.flagOf(db, from, id);
    if (row === null) throw notFound('flag');
    const flag = asFlag(row);
    const others = (await queries.flagsOf(db, to)).map(asFlag);
    const plan = planCopy(
      {
        definition: flag.definition,
        groupTypes: await people.lookup.groupTypesOf(db, from),
        cohorts: await queries.cohortNamesOf(db, from),
      },
      { groupTypes: await people.lookup.groupTypesOf(db, to), flags: new Map(others.map(variantsByKey)) },
    );
    return { ...plan, flag, existing: others.find(({ key }) => key === flag.key) ?? null };
  }

  return {
    async plan(from, id, to) {
      const { existing, leftOut, blocked } = await planned(from, id, to);
      return { existing: existing && { id: existing.id, version: existing.version }, leftOut, blocked };
    },
    async copy(from, id, to, replaces, by) {
      const { flag, existing, definition } = await planned(from, id, to);
      if (definition === null) throw new AppError('invalid', 'This flag can’t be copied there.', { field: 'target' });
      if ((existing?.version ?? null) !== replaces) {
        throw new AppError('conflict', 'The other project has another flag with this key by now. Try again.', {
          field: 'replaces',
        });
      }
      const { key, description } = flag;
      if (existing === null) {
        // Nobody gets it until a member turns it on.
        return create(to, { key, description, definition: { ...definition, active: false } }, by);
      }
      const { version, definition: before } = existing;
      const next = { ...definition, active: before.active };
      return change(to, existing.id, { version, description, definition: next, note: undefined }, by);
    },
  };
}

function variantsByKey({ key, definition }: Flag): [string, ReadonlySet<string>] {
  return [key, new Set(definition.filters.multivariate?.variants.map((variant) => variant.key))];
}
