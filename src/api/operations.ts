/** The list of what the public API answers. A route, its rights, its schemas and its description are one entry; there is no other way in. */
import type * as z from 'zod';
import type { Traffic } from '#src/columns/contract.ts';
import { traffic } from '#src/columns/values.ts';
import type { HistoryAsked } from '#src/events/history.ts';
import { type AnnotationInput, annotationInput } from '#src/insights/annotations/contract.ts';
import {
  breakdownInput,
  type NamedComparison,
  overviewInput,
  type RangePreset,
  rangeInput,
} from '#src/insights/contract.ts';
import { goalFiguresInput } from '#src/insights/goals/contract.ts';
import { hoursInput } from '#src/insights/kinds/heatmap/contract.ts';
import { vitalsInput } from '#src/insights/kinds/vitals/contract.ts';
import { tellsOfSome } from '#src/insights/query/follow/contract.ts';
import { forbidden, invalid, notFound } from '#src/kit/errors.ts';
import { isUuid } from '#src/kit/ids.ts';
import { isMoment } from '#src/kit/place.ts';
import type { ProjectId } from '#src/projects/contract.ts';
import { followOperations } from './follow-operations.ts';
import { type Asked, aboutProject, type Operation, type Reached, type Segments, whichWithin } from './operation.ts';
import * as schemas from './schemas.ts';

export const operations: readonly Operation[] = [
  {
    id: 'listProjects',
    path: '/projects',
    summary: 'Projects that the key reaches',
    scope: 'project:read',
    least: 'viewer',
    params: schemas.nothing,
    query: schemas.nothing,
    answer: schemas.Projects,
    run: async ({ projects }) => ({ projects: (await projects()).map(projectAnswer) }),
  },
  aboutProject({
    id: 'getProject',
    path: '/projects/:project',
    summary: 'One project',
    scope: 'project:read',
    least: 'viewer',
    params: schemas.projectPath,
    query: schemas.nothing,
    answer: schemas.Project,
    run: async (_rooms, reached) => projectAnswer(reached),
  }),
  aboutProject({
    id: 'listEvents',
    path: '/projects/:project/events',
    summary: 'Events, the newest first',
    scope: 'events:read',
    least: 'member',
    params: schemas.projectPath,
    query: schemas.eventsQuery,
    answer: schemas.Events,
    async run(rooms, { project }, { query: { person, distinctId, after, limit, ...query } }) {
      const who = await whoOf(rooms, project.id, person, distinctId);
      if (who === null) return { events: [], next: null };
      const asked = { ...query, ...who, limit: limit + 1, after: after === undefined ? undefined : eventCursor(after) };
      const found = await rooms.history.page(project.id, asked);
      const events = found.slice(0, limit);
      const last = events.at(-1);
      return { events, next: found.length > limit && last ? `${last.ts}.${last.uuid}` : null };
    },
  }),
  aboutProject({
    id: 'getEvent',
    path: '/projects/:project/events/:ts/:uuid',
    summary: 'One event, by its time and uuid',
    scope: 'events:read',
    least: 'member',
    params: schemas.eventPath,
    query: schemas.nothing,
    answer: schemas.Event,
    run: ({ history }, { project }, { params }) => history.one(project.id, params.ts, params.uuid),
  }),
  aboutProject({
    id: 'listPersons',
    path: '/projects/:project/persons',
    summary: 'People, the newest first',
    scope: 'persons:read',
    least: 'member',
    params: schemas.projectPath,
    query: schemas.personsQuery,
    answer: schemas.Persons,
    async run({ people }, { project }, { query: { search, after, limit } }) {
      const from = after === undefined ? undefined : personCursor(after);
      const found = await people.page(project.id, { search, after: from, limit: limit + 1 });
      const persons = found.slice(0, limit);
      return { persons, next: found.length > limit ? String(persons.at(-1)?.number) : null };
    },
  }),
  aboutProject({
    id: 'getPerson',
    path: '/projects/:project/persons/:uuid',
    summary: 'One person; the uuid of somebody who was merged leads to who they are now',
    scope: 'persons:read',
    least: 'member',
    params: schemas.personPath,
    query: schemas.nothing,
    answer: schemas.Person,
    async run({ people }, { project }, { params }) {
      const person = await people.get(project.id, params.uuid);
      if (person === null) throw notFound('person');
      return person;
    },
  }),
  aboutProject({
    id: 'queryOverview',
    path: '/projects/:project/query/overview',
    summary:
      'The numbers of the overview: visitors, visits, views, views per visit, bounce rate, visit duration, and their course',
    scope: 'query:read',
    least: 'viewer',
    params: schemas.projectPath,
    query: schemas.overviewQuery,
    answer: schemas.Overview,
    async run({ insights }, reached, { query: { goal, ...query } }) {
      const { project } = reached;
      const which = await whichOf(insights, reached, query);
      const input = overviewInput.parse({ project: String(project.id), goal, ...withPeriods(query) });
      return insights.overview(project, { ...input, ...which });
    },
  }),
  aboutProject({
    id: 'queryGoals',
    path: '/projects/:project/query/goals',
    summary: 'What was reached of each goal: conversions, people, rate of the visitors, revenue by currency',
    scope: 'query:read',
    least: 'viewer',
    params: schemas.projectPath,
    query: schemas.goalsQuery,
    answer: schemas.GoalFigures,
    async run({ insights }, reached, { query }) {
      const which = await whichOf(insights, reached, query);
      return insights.goalFigures(reached.project, { ...goalFiguresInput.parse(withPeriods(query)), ...which });
    },
  }),
  aboutProject({
    id: 'queryHours',
    path: '/projects/:project/query/hours',
    summary: 'When people are there: visitors and views by weekday and hour',
    scope: 'query:read',
    least: 'viewer',
    params: schemas.projectPath,
    query: schemas.hoursQuery,
    answer: schemas.Hours,
    async run({ insights }, reached, { query }) {
      const { project } = reached;
      const which = await whichOf(insights, reached, query);
      const { compare: _, ...asked } = withPeriods(query);
      return insights.hours(project, { ...hoursInput.parse({ project: String(project.id), ...asked }), ...which });
    },
  }),
  aboutProject({
    id: 'queryVitals',
    path: '/projects/:project/query/vitals',
    summary: 'Web vitals: 75th percentile, or another, and ratings, over all and by page',
    scope: 'query:read',
    least: 'viewer',
    params: schemas.projectPath,
    query: schemas.vitalsQuery,
    answer: schemas.Vitals,
    async run({ insights }, reached, { query: { sort, find, page, ...query } }) {
      const { project } = reached;
      const which = await whichOf(insights, reached, query);
      const { compare: _, ...asked } = withPeriods(query);
      const input = vitalsInput.parse({ project: String(project.id), ...asked, ...orderOf({ sort, find, page }) });
      return insights.vitals(project, { ...input, ...which });
    },
  }),
  aboutProject({
    id: 'listAnnotations',
    path: '/projects/:project/annotations',
    summary: 'Notes on the charts, the newest first: at most 1,000',
    scope: 'query:read',
    least: 'viewer',
    params: schemas.projectPath,
    query: schemas.annotationsQuery,
    answer: schemas.Annotations,
    async run({ insights }, { project }, { query }) {
      const dates = datesOf(['from', query.from], ['to', query.to]);
      const range = dates && (await insights.range(project, rangeInput.parse(dates)));
      return { annotations: await insights.annotations.list(project, range) };
    },
  }),
  aboutProject({
    id: 'createAnnotation',
    method: 'post',
    path: '/projects/:project/annotations',
    summary: 'Puts a note on the charts: of a date, of a moment, or of now',
    scope: 'annotations:write',
    least: 'member',
    params: schemas.projectPath,
    query: schemas.nothing,
    body: schemas.NewAnnotation,
    answer: schemas.Annotation,
    async run({ insights, deps }, { project }, { body: { day, at, text, url } }) {
      if (day !== undefined && at !== undefined) throw invalid('at', 'Give either `day` or `at`.');
      const when = day === undefined ? { at: at ?? deps.clock.now() } : { day };
      return insights.annotations.create(project, readNote({ when, text, url: url ?? null }));
    },
  }),
  aboutProject({
    id: 'deleteAnnotation',
    method: 'delete',
    path: '/projects/:project/annotations/:annotation',
    summary: 'Takes a note off the charts; the answer is what it was',
    scope: 'annotations:write',
    least: 'member',
    params: schemas.annotationPath,
    query: schemas.nothing,
    answer: schemas.Annotation,
    run: ({ insights }, { project }, { params }) => insights.annotations.remove(project, params.annotation),
  }),
  aboutProject({
    id: 'queryBreakdown',
    path: '/projects/:project/query/breakdown',
    summary: 'A table by one dimension: pages by views, referring domains by visits',
    scope: 'query:read',
    least: 'viewer',
    params: schemas.projectPath,
    query: schemas.breakdownQuery,
    answer: schemas.Breakdown,
    async run({ insights }, reached, { query: { sort, find, page, goal, ...query } }) {
      const { project } = reached;
      const which = await whichOf(insights, reached, query);
      const input = breakdownInput.parse({
        ...{ project: String(project.id), goal, ...withPeriods(query) },
        ...orderOf({ sort, find, page }),
      });
      return insights.breakdown(project, { ...input, ...which });
    },
  }),
  ...followOperations,
];

function projectAnswer({ project, team, role }: Reached): z.output<typeof schemas.Project> {
  const { id, name, timeZone, weekStart } = project;
  return { id, name, timeZone, weekStart, team, role };
}

/** Null: nobody is known by it, so there are no events either. */
async function whoOf(
  { people }: Asked['rooms'],
  projectId: ProjectId,
  uuid: string | undefined,
  distinctId: string | undefined,
): Promise<Pick<HistoryAsked, 'persons' | 'distinctId'> | null> {
  const id = distinctId === undefined ? null : await people.ofDistinctId(projectId, distinctId);
  const person = uuid === undefined ? null : await people.get(projectId, uuid);
  if (uuid !== undefined && person === null) throw notFound('person');
  if (distinctId !== undefined && id === null) return null;
  const number = person?.number ?? id?.person;
  if (number === undefined) return {};
  const { persons } = await people.identityOf(projectId, [number]);
  return { persons, distinctId: id?.number };
}

/** The note, as the screens' schema has it. @throws AppError `invalid` */
function readNote(note: AnnotationInput): AnnotationInput {
  const result = annotationInput.safeParse(note);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw invalid(String(issue?.path.at(-1) ?? ''), issue?.message ?? 'This is not a note.');
}

/**
 * Which events a question is about: its filters and sets of persons within its segment, and what it takes in. What is asked about persons
 * tells of them as much as a list does.
 * @throws AppError `forbidden` to who may not know of persons, `not_found` for a segment that is not there, or not theirs to see
 */
async function whichOf(
  insights: Segments,
  reached: Reached,
  { segment, ...query }: Which & { segment?: number | undefined } & TakenIn,
): Promise<Which & { include?: Traffic[] }> {
  const { filters, people } = await whichWithin(insights, reached, segment, query);
  if (tellsOfSome({ filters, people }) && !reached.project.seesPersons)
    throw forbidden('This key may not know anything of persons.');
  const include = traffic.filter((each) => query[each] === 'include');
  return { ...(filters && { filters }), ...(people && { people }), ...(include.length > 0 && { include }) };
}

type Which = Parameters<typeof whichWithin>[3];

type TakenIn = { [Each in Traffic]?: 'include' | undefined };

function eventCursor(after: string): { ts: number; uuid: string } {
  const [ts = '', uuid = ''] = after.split('.');
  const isCursor = /^-?\d{1,15}$/.test(ts) && isMoment(Number(ts)) && isUuid(uuid);
  if (!isCursor) throw invalid('after', 'This is not the `next` of a page before.');
  return { ts: Number(ts), uuid };
}

function personCursor(after: string): number {
  if (!/^\d{1,9}$/.test(after)) throw invalid('after', 'This is not the `next` of a page before.');
  return Number(after);
}

interface Periods extends TakenIn, Which {
  segment?: number | undefined;
  range?: RangePreset | undefined;
  from?: string | undefined;
  to?: string | undefined;
  compare?: NamedComparison | undefined;
  compareFrom?: string | undefined;
  compareTo?: string | undefined;
}

/**
 * The question without what `whichOf` reads, what is asked about and compared with by name or as dates.
 * @throws AppError `invalid` for one of two dates
 */
function withPeriods<Query extends Periods>(asked: Query) {
  const { filters: _, people: _people, segment: __, bots: ___, internal: ____, ...withoutWhich } = asked;
  const { range, from, to, compare, compareFrom, compareTo, ...query } = withoutWhich;
  const dates = datesOf(['from', from], ['to', to]);
  const compared = datesOf(['compareFrom', compareFrom], ['compareTo', compareTo]);
  if (dates && range !== undefined) throw invalid('range', 'Give either `range`, or `from` and `to`.');
  if (compared && compare !== undefined) {
    throw invalid('compare', 'Give either `compare`, or `compareFrom` and `compareTo`.');
  }
  return { ...query, range: dates ?? range ?? 'last_28_days', compare: compared ?? compare ?? 'none' };
}

interface Ordered {
  sort?: string | undefined;
  find?: string | undefined;
  page?: number | undefined;
}

/** Of a table: another order than it has by itself. */
function orderOf({ sort, find, page }: Ordered) {
  if ((sort ?? find ?? page) === undefined) return {};
  const by = { sort: sort?.replace('-', '') ?? 'count', reversed: sort?.startsWith('-') ?? false };
  return { order: { ...by, find: find ?? '', page: page ?? 1 } };
}

function datesOf(...given: readonly (readonly [name: string, date: string | undefined])[]) {
  const [from, to] = given.map(([, date]) => date);
  const missing = given.find(([, date]) => date === undefined);
  if (missing === undefined) return { from, to };
  if (from !== undefined || to !== undefined) {
    throw invalid(missing[0], `Give both ${given.map(([name]) => `\`${name}\``).join(' and ')}.`);
  }
  return null;
}
