/** The list of what the public API answers. A route, its rights, its schemas and its description are one entry; there is no other way in. */
import type * as z from 'zod';
import type { HistoryQuery } from '#src/events/history.ts';
import { type AnnotationInput, annotationInput } from '#src/insights/annotations/contract.ts';
import { rangeInput } from '#src/insights/contract.ts';
import { datesOf } from '#src/insights/query/parameters.ts';
import { invalid, notFound } from '#src/kit/errors.ts';
import { isUuid } from '#src/kit/ids.ts';
import { isMoment } from '#src/kit/place.ts';
import type { ProjectId } from '#src/projects/contract.ts';
import { alertOperations } from './alert-operations.ts';
import { answerWithCaveats, withCaveats } from './caveats.ts';
import { cohortOperations } from './cohort-operations.ts';
import { dashboardOperations } from './dashboard-operations.ts';
import { experimentOperations } from './experiment-operations.ts';
import { flagOperations } from './flag-operations.ts';
import { groupOperations } from './group-operations.ts';
import { insightOperations } from './insight-operations.ts';
import { issueOperations } from './issue-operations.ts';
import { type ApiProject, aboutProject, type Operation, type OperationContext } from './operation.ts';
import { queryOperations } from './query-operations.ts';
import { readInput } from './read-input.ts';
import { replayOperations } from './replay-operations.ts';
import { reportOperations } from './report-operations.ts';
import * as schemas from './schemas.ts';
import { shareOperations } from './share-operations.ts';

export const operations: readonly Operation[] = [
  {
    id: 'listProjects',
    path: '/projects',
    summary: 'List projects',
    scope: 'project:read',
    minRole: 'viewer',
    params: schemas.nothing,
    query: schemas.nothing,
    answer: schemas.Projects,
    run: async ({ projects }) => ({ projects: (await projects()).map(projectAnswer) }),
  },
  aboutProject({
    id: 'getProject',
    path: '/projects/:project',
    summary: 'Get a project',
    scope: 'project:read',
    minRole: 'viewer',
    params: schemas.projectPath,
    query: schemas.nothing,
    answer: schemas.Project,
    run: async (_rooms, reached) => projectAnswer(reached),
  }),
  aboutProject({
    id: 'listEvents',
    path: '/projects/:project/events',
    summary: 'List events, newest first',
    scope: 'events:read',
    minRole: 'member',
    params: schemas.projectPath,
    query: schemas.eventsQuery,
    answer: answerWithCaveats(schemas.Events),
    async run(rooms, { project }, { query: { person, distinctId, after, limit, ...query } }) {
      const who = await whoOf(rooms, project.id, person, distinctId);
      const named = query.event === undefined ? [] : [{ event: query.event }];
      const unknown = await rooms.insights.unknownEvents(project, { events: named });
      const waiting = (await rooms.collect?.waiting()) ?? 0;
      if (who === null) return withCaveats({ events: [], next: null }, unknown, waiting);
      const asked = { ...query, ...who, limit: limit + 1, after: after === undefined ? undefined : eventCursor(after) };
      const found = await rooms.history.page(project.id, asked);
      const events = found.slice(0, limit);
      const last = events.at(-1);
      const next = found.length > limit && last ? `${last.ts}.${last.uuid}` : null;
      return withCaveats({ events, next }, unknown, waiting);
    },
  }),
  aboutProject({
    id: 'getEvent',
    path: '/projects/:project/events/:ts/:uuid',
    summary: 'Get an event by time and UUID',
    scope: 'events:read',
    minRole: 'member',
    params: schemas.eventPath,
    query: schemas.nothing,
    answer: schemas.Event,
    run: ({ history }, { project }, { params }) => history.one(project.id, params.ts, params.uuid),
  }),
  aboutProject({
    id: 'listPersons',
    path: '/projects/:project/persons',
    summary: 'List people, newest first',
    scope: 'persons:read',
    minRole: 'member',
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
    summary: 'Get a person. The UUID of a merged person returns the person it was merged into.',
    scope: 'persons:read',
    minRole: 'member',
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
    id: 'listAnnotations',
    path: '/projects/:project/annotations',
    summary: 'List annotations, newest first (up to 1,000)',
    scope: 'query:read',
    minRole: 'viewer',
    params: schemas.projectPath,
    query: schemas.annotationsQuery,
    answer: schemas.Annotations,
    async run({ insights }, { project }, { query }) {
      const dates = datesOf(['from', query.from], ['to', query.to]);
      const range = dates && (await insights.range(project, readInput(rangeInput, dates)));
      return { annotations: await insights.annotations.list(project, range) };
    },
  }),
  aboutProject({
    id: 'createAnnotation',
    method: 'post',
    path: '/projects/:project/annotations',
    summary: 'Create an annotation for a date or time (default: now)',
    scope: 'annotations:write',
    minRole: 'member',
    params: schemas.projectPath,
    query: schemas.nothing,
    body: schemas.NewAnnotation,
    answer: schemas.Annotation,
    async run({ insights, deps }, { project }, { body: { day, at, text, url } }) {
      if (day !== undefined && at !== undefined) throw invalid('at', 'Use either `day` or `at`, not both.');
      const when = day === undefined ? { at: at ?? deps.clock.now() } : { day };
      return insights.annotations.create(project, readNote({ when, text, url: url ?? null }));
    },
  }),
  aboutProject({
    id: 'updateAnnotation',
    method: 'patch',
    path: '/projects/:project/annotations/:annotation',
    summary: 'Change an annotation. Its time stays unless `day` or `at` is set.',
    scope: 'annotations:write',
    minRole: 'member',
    params: schemas.annotationPath,
    query: schemas.nothing,
    body: schemas.AnnotationPatch,
    answer: schemas.Annotation,
    async run({ insights }, { project }, { params, body }) {
      const { day, at, text, url } = body;
      if (day !== undefined && at !== undefined) throw invalid('at', 'Use either `day` or `at`, not both.');
      const known = await insights.annotations.get(project, params.annotation);
      const before = known.day === null ? { at: known.at } : { day: known.day };
      const when = day !== undefined ? { day } : at !== undefined ? { at } : before;
      const note = readNote({ when, text: text ?? known.text, url: url === undefined ? known.url : url });
      return insights.annotations.change(project, params.annotation, note);
    },
  }),
  aboutProject({
    id: 'deleteAnnotation',
    method: 'delete',
    path: '/projects/:project/annotations/:annotation',
    summary: 'Delete an annotation and return it',
    scope: 'annotations:write',
    minRole: 'member',
    params: schemas.annotationPath,
    query: schemas.nothing,
    answer: schemas.Annotation,
    run: ({ insights }, { project }, { params }) => insights.annotations.remove(project, params.annotation),
  }),
  ...insightOperations,
  ...dashboardOperations,
  ...alertOperations,
  ...reportOperations,
  ...shareOperations,
  ...flagOperations,
  ...experimentOperations,
  ...cohortOperations,
  ...groupOperations,
  ...issueOperations,
  ...replayOperations,
  ...queryOperations,
];

function projectAnswer({ project, team, role }: ApiProject): z.output<typeof schemas.Project> {
  const { id, name, timeZone, weekStart } = project;
  return { id, name, timeZone, weekStart, team, role };
}

/** Null: an unknown person, so there are no events. */
async function whoOf(
  { people }: OperationContext['rooms'],
  projectId: ProjectId,
  uuid: string | undefined,
  distinctId: string | undefined,
): Promise<Pick<HistoryQuery, 'persons' | 'distinctId'> | null> {
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
  throw invalid(String(issue?.path.at(-1) ?? ''), issue?.message ?? 'Invalid annotation.');
}

function eventCursor(after: string): { ts: number; uuid: string } {
  const [ts = '', uuid = ''] = after.split('.');
  const isCursor = /^-?\d{1,15}$/.test(ts) && isMoment(Number(ts)) && isUuid(uuid);
  if (!isCursor) throw invalid('after', 'Invalid cursor. Use the `next` value of the previous page as `after`.');
  return { ts: Number(ts), uuid };
}

function personCursor(after: string): number {
  if (!/^\d{1,9}$/.test(after))
    throw invalid('after', 'Invalid cursor. Use the `next` value of the previous page as `after`.');
  return Number(after);
}
