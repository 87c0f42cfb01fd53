/** Operations of questions that follow people over time. They are posted, since they may be long; they change nothing. */
import type { Filters } from '#src/columns/contract.ts';
import {
  eventsIn,
  funnelInput,
  type Naming,
  pathsInput,
  retentionInput,
  type Telling,
  tellsOfSome,
  trendsInput,
} from '#src/insights/follow/contract.ts';
import { forbidden, notFound } from '#src/kit/errors.ts';
import * as follow from './follow-schemas.ts';
import { type Asked, aboutProject, type Operation, type Reached } from './operation.ts';
import * as schemas from './schemas.ts';

const aboutPeople = {
  method: 'post',
  scope: 'query:read',
  least: 'viewer',
  params: schemas.projectPath,
  query: schemas.nothing,
} as const;

export const followOperations: readonly Operation[] = [
  aboutProject({
    ...aboutPeople,
    id: 'queryTrends',
    path: '/projects/:project/query/trends',
    summary:
      'Series of events by interval: how often, by how many, in how many visits, or what they say; also by value',
    body: follow.TrendsQuestion,
    answer: follow.Trends,
    async run({ insights }, reached, { body }) {
      return insights.follow.trends(reached.project, trendsInput.parse(await within(insights, reached, body)));
    },
  }),
  aboutProject({
    ...aboutPeople,
    id: 'queryFunnel',
    path: '/projects/:project/query/funnel',
    summary: 'How many came how far along some steps, and how long it took; also by what the first step says',
    body: follow.FunnelQuestion,
    answer: follow.Funnel,
    async run({ insights }, reached, { body }) {
      return insights.follow.funnel(reached.project, funnelInput.parse(await within(insights, reached, body)));
    },
  }),
  aboutProject({
    ...aboutPeople,
    id: 'queryRetention',
    path: '/projects/:project/query/retention',
    summary: 'How many came back in which period, by the period in which they began',
    body: follow.RetentionQuestion,
    answer: follow.Retention,
    async run({ insights }, reached, { body }) {
      return insights.follow.retention(reached.project, retentionInput.parse(await within(insights, reached, body)));
    },
  }),
  aboutProject({
    ...aboutPeople,
    id: 'queryPaths',
    path: '/projects/:project/query/paths',
    summary: 'Which pages and events follow each other, and how often',
    body: follow.PathsQuestion,
    answer: follow.Paths,
    async run({ insights }, reached, { body }) {
      return insights.follow.paths(reached.project, pathsInput.parse(await within(insights, reached, body)));
    },
  }),
];

/**
 * The question within its segment.
 * @throws AppError `forbidden` to who may not know of persons, `not_found` for a segment that is not there, or not theirs to see
 */
async function within<Question extends Naming & Segmented>(
  { segments }: Pick<Asked['rooms']['insights'], 'segments'>,
  { project, role, reader, seesPersons }: Reached,
  { segment, ...question }: Question,
) {
  const asker = { project: project.id, role, reader };
  const isThere = segment === undefined || (await segments.list(asker)).some(({ id }) => id === segment);
  if (!isThere) throw notFound('segment');
  const filters = await segments.within(asker, segment, question.filters);
  const telling = { ...question, events: eventsIn(question), filters };
  if (!seesPersons && tellsOfSome(telling)) throw forbidden('This key may not know anything of persons.');
  return { ...question, ...(filters && { filters }) };
}

interface Segmented extends Pick<Telling, 'breakdown'> {
  segment?: number | undefined;
  filters?: Filters | undefined;
}
