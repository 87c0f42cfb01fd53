/** Finding the people of cohorts, when asked and in the background. */
import type { Columns, People } from '#src/columns/columns.ts';
import { AppError, notFound } from '#src/kit/errors.ts';
import type { Deps } from '#src/store/deps.ts';
import type { PeopleQuery } from '../query/people/contract.ts';
import type { QueryScope } from '../query/scope.ts';
import * as queries from './queries.ts';
import { definitionOf } from './uses.ts';

export interface ComputingParts {
  columns: Pick<Columns, 'persons'>;
  /** A set as the engine takes it. */
  resolve(project: QueryScope, people: PeopleQuery): Promise<People | null>;
}

/** People are found again after so long. */
const AGE_MS = 3_600_000;

export function createComputing(
  { db, clock, log }: Pick<Deps, 'db' | 'clock' | 'log'>,
  { columns, resolve }: ComputingParts,
) {
  /** Merges and deleted persons are applied: numbers are of persons as they are now. */
  async function find(project: QueryScope, people: PeopleQuery): Promise<{ people: number[]; computedMs: number }> {
    const begun = clock.elapsed();
    const set = (await resolve(project, people)) ?? { match: 'all', of: [] };
    const { numbers, isExcept } = await columns.persons({ projectId: project.id, people: set });
    const found = isExcept
      ? await queries.everybodyBut(db, project.id, numbers)
      : await queries.presentPeople(db, project.id, numbers);
    return { people: found, computedMs: Math.round(clock.elapsed() - begun) };
  }

  async function recompute(project: QueryScope, id: number): Promise<void> {
    const row = await queries.cohortOf(db, project.id, id);
    if (row === null) throw notFound('cohort');
    const definition = definitionOf(row);
    if (definition === null) return;
    const found = await find(project, definition);
    await queries.keepPeople(db, project.id, id, { ...found, now: clock.now() });
  }

  /** Recurring work. @param projectOf null: it is gone */
  async function work(projectOf: (id: number) => Promise<QueryScope | null>, signal?: AbortSignal): Promise<void> {
    for (const { id, projectId } of await queries.dueCohorts(db, clock.now() - AGE_MS)) {
      if (signal?.aborted) return;
      const project = await projectOf(projectId);
      if (project === null) continue;
      await recompute(project, id).catch(async (error: unknown) => {
        // One that cannot be computed does not keep the others from it.
        log.warn({ err: error, cohort: id }, 'cohort not computed');
        await queries.noteProblem(db, id, error instanceof AppError ? error.message : 'Something went wrong.');
      });
    }
  }

  return { find, recompute, work };
}
