/** People behind a number of a result: what the engine is asked for them. */
import type { PointPeople } from '#src/columns/columns.ts';
import { forbidden, invalid, notFound } from '#src/kit/errors.ts';
import type { InsightKind, KindPoints, QueryContext, QueryInput } from '../define.ts';
import { amountsOf } from '../goals/selection.ts';
import { type QueryParts, runQuery } from './run-query.ts';
import type { QueryScope } from './scope.ts';

/** The point that is asked for. @throws AppError `not_found` for kinds without points, `forbidden`, `invalid` */
export function pointOf<Input extends QueryInput>(
  { points }: Pick<InsightKind<string, Input, unknown>, 'points'>,
  { seesPersons }: Pick<QueryScope, 'seesPersons'>,
  given: unknown,
): { points: KindPoints<Input>; point: unknown } {
  if (points === undefined) throw notFound('point');
  if (!seesPersons) throw forbidden('You may not query data about persons.');
  const read = points.point.safeParse(given);
  if (!read.success) throw invalid('point', 'Invalid point.');
  return { points, point: read.data };
}

/** @throws AppError as `Insights.pointPeople` */
export async function runPointPeople<Input extends QueryInput, Result>(
  parts: QueryParts,
  kind: InsightKind<string, Input, Result>,
  scope: QueryScope,
  input: Input,
  given: unknown,
  gone?: AbortSignal,
): Promise<PointPeople> {
  const { points, point } = pointOf(kind, scope, given);
  const goals = await parts.goals.list(scope);
  const amounts = amountsOf(goals);
  const listed = {
    ...kind,
    name: `people ${kind.name}`,
    // As large as the number of people: it is shown page by page, and the parts of it are kept by the engine.
    isCached: () => false,
    async run(context: QueryContext, asked: Input): Promise<PointPeople> {
      const { question, span } = await points.resolve(context, asked, point);
      const { id: projectId } = scope;
      return context.columns.pointPeople(question, { projectId, include: asked.include, span, amounts });
    },
  };
  return runQuery(parts, listed, scope, input, gone);
}
