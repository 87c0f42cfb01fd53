/** Groups behind a number of a result that counts groups. */
import type { PointGroups } from '#src/columns/columns.ts';
import type { InsightKind, QueryContext, QueryInput } from '../define.ts';
import { pointOf } from './point-people.ts';
import { type QueryParts, runQuery } from './run-query.ts';
import type { QueryScope } from './scope.ts';

/** @throws AppError as `Insights.pointGroups` */
export async function runPointGroups<Input extends QueryInput, Result>(
  parts: QueryParts,
  kind: InsightKind<string, Input, Result>,
  scope: QueryScope,
  input: Input,
  given: unknown,
  gone?: AbortSignal,
): Promise<PointGroups> {
  const { points, point } = pointOf(kind, scope, given);
  const listed = {
    ...kind,
    name: `groups ${kind.name}`,
    isCached: () => false,
    async run(context: QueryContext, asked: Input): Promise<PointGroups> {
      const { question } = await points.resolve(context, asked, point);
      return context.columns.pointGroups(question);
    },
  };
  return runQuery(parts, listed, scope, input, gone);
}
