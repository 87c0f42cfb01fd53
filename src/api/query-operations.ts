/** Operations of queries, one for each kind of insight. Those without parameters are posted, since they may be long; they change nothing. */
import * as z from 'zod';
import type { InsightKind, QueryInput } from '#src/insights/define.ts';
import * as kinds from '#src/insights/kinds/kinds.ts';
import { ofSegment, rangeParameters, readParameters } from '#src/insights/query/parameters.ts';
import { rowId } from '#src/kit/row.ts';
import { answerWithCaveats, withCaveats } from './caveats.ts';
import { type ApiProject, aboutProject, type Operation, type Segments, withinSegment } from './operation.ts';
import * as schemas from './schemas.ts';

type Kind = InsightKind<string, QueryInput, unknown>;

export const queryOperations: readonly Operation[] = (Object.values(kinds) as unknown as Kind[]).map(operationOf);

function operationOf(kind: Kind): Operation {
  const name = kind.name[0]?.toUpperCase() + kind.name.slice(1);
  const isPosted = kind.parameters === undefined;
  const body = z
    .strictObject({ ...kind.input.shape, segment: z.optional(rowId).meta(ofSegment) })
    .meta({ id: `${name}Query` });
  return aboutProject({
    id: `query${name}`,
    ...(isPosted && { method: 'post' as const, body }),
    path: `/projects/:project/query/${kind.name}`,
    summary: kind.summary,
    scope: 'query:read',
    minRole: kind.access,
    params: schemas.projectPath,
    query: isPosted ? schemas.nothing : z.strictObject({ ...rangeParameters, ...kind.parameters }),
    answer: answerWithCaveats(kind.result),
    async run({ insights, collect }, reached, { query, body: posted }) {
      const { segment, ...given } = isPosted ? posted : readParameters(query);
      const input = isPosted ? (given as unknown as QueryInput) : kind.input.parse(given);
      const asked = await withSegment(insights, reached, segment as number, input);
      const result = await insights.query(kind, reached.project, asked);
      const named = {
        events: kind.events?.(asked) ?? [],
        people: asked.people,
        goal: asked.goal,
        allGoals: kind.usesGoals,
      };
      const [unknown, waiting] = await Promise.all([
        insights.unknownEvents(reached.project, named),
        collect?.waiting() ?? 0,
      ]);
      return withCaveats(result as object, unknown, waiting);
    },
  });
}

/** The query with the filters of its segment. @throws AppError `not_found` for a segment that does not exist, or is not theirs to see */
async function withSegment(
  insights: Segments,
  reached: ApiProject,
  segment: number | undefined,
  { filters, people, ...input }: QueryInput,
): Promise<QueryInput> {
  const selection = await withinSegment(insights, reached, segment, { filters, people });
  return {
    ...input,
    ...(selection.filters && { filters: selection.filters }),
    ...(selection.people && { people: selection.people }),
  };
}
