/** Operations of cohorts. */
import * as z from 'zod';
import { cohortDraft } from '#src/insights/cohorts/contract.ts';
import { peopleQuery } from '#src/insights/query/people/contract.ts';
import { AppError, invalid, notFound } from '#src/kit/errors.ts';
import { isMoment } from '#src/kit/place.ts';
import { MAX_ROW_ID } from '#src/kit/row.ts';
import {
  Cohort,
  CohortPatch,
  CohortPeople,
  Cohorts,
  cohortPath,
  cohortPeopleQuery,
  NewCohort,
} from './cohort-schemas.ts';
import { type ApiProject, aboutProject, type Operation, type OperationContext } from './operation.ts';
import { readInput } from './read-input.ts';
import * as schemas from './schemas.ts';

type CohortRoom = OperationContext['rooms']['insights']['cohorts'];
type OneCohort = Awaited<ReturnType<CohortRoom['list']>>[number];

export const cohortOperations: readonly Operation[] = [
  aboutProject({
    id: 'listCohorts',
    path: '/projects/:project/cohorts',
    summary: 'List cohorts by name',
    scope: 'persons:read',
    minRole: 'member',
    params: schemas.projectPath,
    query: schemas.nothing,
    answer: Cohorts,
    run: async ({ insights }, { project }) => ({ cohorts: (await insights.cohorts.list(project)).map(answerOf) }),
  }),
  aboutProject({
    id: 'createCohort',
    method: 'post',
    path: '/projects/:project/cohorts',
    summary: 'Create a cohort from conditions or from a list of people',
    scope: 'cohorts:write',
    alsoNeeds: 'persons:read',
    minRole: 'member',
    params: schemas.projectPath,
    query: schemas.nothing,
    body: NewCohort,
    bodySize: 'large',
    isHeavy: true,
    answer: Cohort,
    async run({ insights: { cohorts } }, { project, reader }, { body: { members, conditions, ...given } }) {
      const draft = readInput(draftSchema, given);
      if ((conditions === undefined) === (members === undefined)) {
        throw invalid('conditions', 'Use either `conditions` or `members`.');
      }
      if (members !== undefined) {
        return answerOf(await cohorts.createFromMembers(project, { ...draft, members }, reader.id));
      }
      const people = readInput(peopleQuery, conditions, 'conditions');
      return answerOf(await named(cohorts.createDynamic(project, { ...draft, people }, reader.id)));
    },
  }),
  aboutProject({
    id: 'getCohort',
    path: '/projects/:project/cohorts/:cohort',
    summary: 'Get a cohort with its conditions, size and history of sizes',
    scope: 'persons:read',
    minRole: 'member',
    params: cohortPath,
    query: schemas.nothing,
    answer: Cohort,
    run: async ({ insights }, reached, { params }) => answerOf(await oneOf(insights.cohorts, reached, params.cohort)),
  }),
  aboutProject({
    id: 'listCohortPeople',
    path: '/projects/:project/cohorts/:cohort/people',
    summary: 'List the people of a cohort, newest first (50 per page)',
    scope: 'persons:read',
    minRole: 'member',
    params: cohortPath,
    query: cohortPeopleQuery,
    answer: CohortPeople,
    async run({ profiles }, { project }, { params: { cohort }, query: { after } }) {
      const asked = { cohort, everybody: true, sort: 'created' as const };
      const place = after === undefined ? {} : { after: cursorOf(after) };
      const { rows, next } = await profiles.list(project.id, { ...asked, ...place });
      return { people: rows, next: next !== null && 'at' in next ? `${next.at}.${next.number}` : null };
    },
  }),
  aboutProject({
    id: 'updateCohort',
    method: 'patch',
    path: '/projects/:project/cohorts/:cohort',
    summary: 'Change a cohort. Filters that use it keep working after a rename.',
    scope: 'cohorts:write',
    alsoNeeds: 'persons:read',
    minRole: 'member',
    params: cohortPath,
    query: schemas.nothing,
    body: CohortPatch,
    bodySize: 'large',
    isHeavy: true,
    answer: Cohort,
    async run({ insights: { cohorts } }, reached, { params, body: { conditions, ...given } }) {
      const { name, description } = await oneOf(cohorts, reached, params.cohort);
      const draft = readInput(draftSchema, { name, description, ...given });
      const people = conditions === undefined ? {} : { people: readInput(peopleQuery, conditions, 'conditions') };
      return answerOf(await named(cohorts.change(reached.project, params.cohort, { ...draft, ...people })));
    },
  }),
  aboutProject({
    id: 'deleteCohort',
    method: 'delete',
    path: '/projects/:project/cohorts/:cohort',
    summary: 'Delete a cohort that nothing uses, and return it',
    scope: 'cohorts:write',
    alsoNeeds: 'persons:read',
    minRole: 'member',
    params: cohortPath,
    query: schemas.nothing,
    answer: Cohort,
    async run({ insights: { cohorts } }, reached, { params }) {
      const cohort = await oneOf(cohorts, reached, params.cohort);
      await cohorts.remove(reached.project, params.cohort);
      return answerOf(cohort);
    },
  }),
];

const draftSchema = z.strictObject(cohortDraft);

/** Errors name the field as this API does. */
async function named<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof AppError && error.field === 'people') throw invalid('conditions', error.message);
    throw error;
  }
}

/** @throws AppError `not_found` */
async function oneOf(cohorts: CohortRoom, { project }: ApiProject, id: number): Promise<OneCohort> {
  const cohort = (await cohorts.list(project)).find((each) => each.id === id);
  if (cohort === undefined) throw notFound('cohort');
  return cohort;
}

function answerOf({ people, source, ...cohort }: OneCohort): z.output<typeof Cohort> {
  return {
    ...cohort,
    conditions: people === null ? null : { ...people },
    list: source?.from === 'list' ? source : null,
  };
}

/** @throws AppError `invalid` */
function cursorOf(after: string): { at: number; number: number } {
  const [, at, number] = /^(-?\d{1,15})\.(\d{1,10})$/.exec(after) ?? [];
  if (at === undefined || !isMoment(Number(at)) || Number(number) > MAX_ROW_ID) {
    throw invalid('after', 'Invalid cursor. Use the `next` value of the previous page as `after`.');
  }
  return { at: Number(at), number: Number(number) };
}
