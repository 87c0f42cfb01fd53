/** Operations of questions that follow people over time. They are posted, since they may be long; they change nothing. */
import {
  funnelInput,
  pathsInput,
  retentionInput,
  type Telling,
  tellsOfSome,
  trendsInput,
} from '#src/insights/query/follow/contract.ts';
import { forbidden } from '#src/kit/errors.ts';
import * as follow from './follow-schemas.ts';
import { aboutProject, type Operation, type Reached, type Segments, whichWithin } from './operation.ts';
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
      return insights.follow.trends(reached.project, await within(insights, reached, body, trendsInput));
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
      return insights.follow.funnel(reached.project, await within(insights, reached, body, funnelInput));
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
      return insights.follow.retention(reached.project, await within(insights, reached, body, retentionInput));
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
      return insights.follow.paths(reached.project, await within(insights, reached, body, pathsInput));
    },
  }),
];

/**
 * The question within its segment.
 * @throws AppError `forbidden` to who may not know of persons, `not_found` for a segment that is not there, or not theirs to see
 */
async function within<Question extends Telling & Segmented, Input extends object>(
  insights: Segments,
  reached: Reached,
  { segment, ...question }: Question,
  schema: { parse(question: unknown): Input },
): Promise<Input> {
  // A segment's lists within lists may lie deeper than those of a question: what is asked is read before they are joined.
  const input = schema.parse(question);
  const { filters, people } = await whichWithin(insights, reached, segment, question);
  if (!reached.project.seesPersons && tellsOfSome({ ...question, filters, people })) {
    throw forbidden('This key may not know anything of persons.');
  }
  return { ...input, ...(filters && { filters }), ...(people && { people }) };
}

interface Segmented {
  segment?: number | undefined;
}
