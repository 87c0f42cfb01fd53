/** Cohorts: sets of people with a name. Owner of `cohorts` and `cohort_sizes`. */
import type { PointPeople } from '#src/columns/columns.ts';
import { AppError, invalid, notFound } from '#src/kit/errors.ts';
import type { ProjectId } from '#src/projects/contract.ts';
import type { Deps } from '#src/store/deps.ts';
import type { Goals } from '../goals/goals.ts';
import { withOwnName } from '../own-name.ts';
import { conditionsWithin, goalsWithin, type PeopleQuery } from '../query/people/contract.ts';
import type { QueryScope } from '../query/scope.ts';
import { tryFilters } from '../suggestions/suggestions.ts';
import { type ComputingParts, createComputing } from './computing.ts';
import type { Cohort, CohortDraft, CohortSource } from './contract.ts';
import { isStorable, valuesInList } from './list.ts';
import { listCohorts } from './listed.ts';
import * as queries from './queries.ts';
import { meansOneOf, namesIn, reaches } from './uses.ts';
import { MAX_COHORTS, MAX_NOT_FOUND } from './values.ts';

type CohortProject = QueryScope;

export interface Cohorts {
  /** In the order of their names. */
  list(project: Pick<CohortProject, 'id'>): Promise<Cohort[]>;
  /** What a cohort is called now. @throws AppError `not_found` */
  nameOf(project: Pick<CohortProject, 'id'>, id: number): Promise<string>;
  /** @throws AppError `invalid` for conditions that cannot be, `conflict` when the name is taken or there are too many */
  createDynamic(project: CohortProject, draft: CohortDraft & { people: PeopleQuery }, by: number): Promise<Cohort>;
  /** Of a list of ids or email addresses. @throws AppError `invalid` for one without values, `conflict` as above */
  createFromList(project: CohortProject, draft: CohortDraft & { list: string }, by: number): Promise<Cohort>;
  /** The same, of values one by one. @throws AppError `conflict` as above */
  createFromMembers(
    project: CohortProject,
    draft: CohortDraft & { members: readonly string[] },
    by: number,
  ): Promise<Cohort>;
  /** @throws AppError `conflict` as above */
  createFromPeople(
    project: CohortProject,
    draft: CohortDraft,
    found: { people: PointPeople['people']; source: CohortSource },
    by: number,
  ): Promise<Cohort>;
  /** @throws AppError as for a new one, `not_found` */
  change(
    project: CohortProject,
    id: number,
    draft: CohortDraft & { people?: PeopleQuery | undefined },
  ): Promise<Cohort>;
  /** @throws AppError `not_found`, `conflict` when another cohort, a segment, an insight or a flag uses it */
  remove(project: Pick<CohortProject, 'id'>, id: number): Promise<void>;
  /** Finds its people now. @throws AppError `not_found`, `timeout` */
  recompute(project: CohortProject, id: number): Promise<Cohort>;
  /** How many people conditions have now. @throws AppError `invalid`, `timeout` */
  preview(project: CohortProject, people: PeopleQuery): Promise<{ size: number; ms: number }>;
  /** Recurring work: dynamic cohorts whose people were found an hour ago are computed again. @param projectOf null: it is gone */
  work(projectOf: (id: number) => Promise<CohortProject | null>, signal?: AbortSignal): Promise<void>;
  /** Recurring work: fixed lists follow merges, and lose persons who are deleted. */
  tidy(): Promise<void>;
  /** Lets go of persons who are erased. Gives rows by table. */
  erase(known: { projectId: number; persons: readonly number[] }): Promise<Record<string, number>>;
}

/**
 * Enters dynamic cohorts whose people the next run of the recurring work finds. Those that are there stay.
 * @param at when they were made, ms
 */
export async function announceCohorts(
  db: Deps['db'],
  projectId: ProjectId,
  drafts: readonly (CohortDraft & { people: PeopleQuery })[],
  at: number,
): Promise<void> {
  const there = await queries.cohortsOf(db, projectId);
  for (const { name, description, people } of drafts) {
    if (there.some((row) => meansOneOf(row, [name]))) continue;
    const definition = { version: 1, people };
    const cohort = { name, description, definition, source: null, people: [], computedMs: 0, createdBy: 0, now: at };
    await queries.insertCohort(db, projectId, { ...cohort, now: at - HOUR_MS }, MAX_COHORTS);
  }
}

const HOUR_MS = 3_600_000;

export interface CohortsParts extends ComputingParts {
  goals: Pick<Goals, 'list'>;
}

export function createCohorts(
  { db, clock, log }: Pick<Deps, 'db' | 'clock' | 'log'>,
  { columns, goals, resolve }: CohortsParts,
): Cohorts {
  const { find, recompute, work } = createComputing({ db, clock, log }, { columns, resolve });
  const list: Cohorts['list'] = ({ id }) => listCohorts({ db, clock }, id);

  async function one(project: Pick<CohortProject, 'id'>, id: number): Promise<Cohort> {
    const found = (await list(project)).find((cohort) => cohort.id === id);
    if (found === undefined) throw notFound('cohort');
    return found;
  }

  /** @param own the cohort that gets this meaning; null: a new one. @throws AppError `invalid` */
  async function check(project: CohortProject, people: PeopleQuery, own: number | null): Promise<void> {
    const conditions = conditionsWithin(people);
    await tryFilters(db, conditions, 'people');
    const known = new Set((await goals.list(project)).map(({ id }) => id));
    if (!goalsWithin(people).every((id) => known.has(id))) {
      throw invalid('people', 'These conditions use a deleted goal. Choose another goal or remove the condition.');
    }
    const rows = await queries.cohortsOf(db, project.id);
    const names = namesIn(conditions);
    const missing = names.find((name) => !rows.some((row) => meansOneOf(row, [name])));
    if (missing !== undefined) throw invalid('people', `There is no cohort named “${missing}”.`);
    if (own !== null && reaches(rows, names, own)) throw invalid('people', 'A cohort can’t depend on itself.');
  }

  async function insert(project: CohortProject, cohort: Omit<queries.NewCohort, 'now'>): Promise<Cohort> {
    const now = clock.now();
    const made = await withOwnName('cohort', queries.insertCohort(db, project.id, { ...cohort, now }, MAX_COHORTS));
    if (made === null) {
      const isTaken = await queries.isFormerName(db, project.id, cohort.name, 0);
      if (isTaken) throw new AppError('conflict', 'A cohort had this name before.', { field: 'name' });
      throw new AppError('conflict', `Limit of ${MAX_COHORTS} cohorts per project reached. Delete one first.`);
    }
    await queries.keepPeople(db, project.id, made.id, { ...cohort, now });
    return one(project, made.id);
  }

  async function fromValues(
    project: CohortProject,
    { name, description }: CohortDraft,
    given: readonly string[],
    createdBy: number,
  ): Promise<Cohort> {
    const begun = clock.elapsed();
    const values = [...new Set(given)];
    const matched = await queries.matchedPeople(db, project.id, values);
    const known = new Set(matched.map(({ value }) => value));
    const people = [...new Set(matched.map(({ person }) => person))];
    const notFoundValues = values.filter((value) => !known.has(value)).slice(0, MAX_NOT_FOUND);
    const source = { from: 'list', given: values.length, matched: known.size, notFound: notFoundValues };
    const computedMs = Math.round(clock.elapsed() - begun);
    return insert(project, { name, description, definition: null, source, people, computedMs, createdBy });
  }

  return {
    list,
    async nameOf(project, id) {
      const row = await queries.cohortOf(db, project.id, id);
      if (row === null) throw notFound('cohort');
      return row.name;
    },
    async createDynamic(project, { name, description, people: given }, createdBy) {
      await check(project, given, null);
      const { people, computedMs } = await find(project, given);
      const definition = { version: 1, people: given };
      return insert(project, { name, description, definition, source: null, people, computedMs, createdBy });
    },
    async createFromList(project, { list: text, ...draft }, createdBy) {
      const values = valuesInList(text);
      if (values.length === 0) throw invalid('list', 'This list has no values. Give one ID or email address per line.');
      return fromValues(project, draft, values, createdBy);
    },
    createFromMembers: (project, { members, ...draft }, createdBy) =>
      fromValues(project, draft, members.filter(isStorable), createdBy),
    createFromPeople: (project, { name, description }, { people, source }, createdBy) =>
      insert(project, { name, description, definition: null, source, people: [...people], computedMs: 0, createdBy }),
    async change(project, id, { name, description, people }) {
      const row = await queries.cohortOf(db, project.id, id);
      if (row === null) throw notFound('cohort');
      if (people !== undefined && row.definition === null) throw invalid('people', 'A fixed list has no conditions.');
      if (people !== undefined) await check(project, people, id);
      if (await queries.isFormerName(db, project.id, name, id)) {
        throw new AppError('conflict', 'Another cohort had this name before.', { field: 'name' });
      }
      const definition = people === undefined ? null : { version: 1, people };
      const changed = { name, description, definition, now: clock.now() };
      await withOwnName('cohort', queries.changeCohort(db, project.id, id, changed));
      if (people !== undefined) await recompute(project, id);
      return one(project, id);
    },
    async remove(project, id) {
      const { usedBy } = await one(project, id);
      if (usedBy.length > 0) throw new AppError('conflict', `This cohort is used by ${usedBy.join(', ')}.`);
      await queries.deleteCohort(db, project.id, id);
    },
    async recompute(project, id) {
      await recompute(project, id);
      return one(project, id);
    },
    async preview(project, people) {
      await check(project, people, null);
      const found = await find(project, people);
      return { size: found.people.length, ms: found.computedMs };
    },
    work,
    tidy: () => queries.tidyLists(db),
    async erase({ projectId, persons }) {
      return { cohorts: await queries.removePeople(db, projectId as ProjectId, persons) };
    },
  };
}
