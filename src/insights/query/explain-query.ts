/** How the result of a query is calculated, as its kind says it. */
import { placeDates } from '#src/columns/filters/date-times.ts';
import { notFound } from '#src/kit/errors.ts';
import { zoneOf } from '#src/kit/zone.ts';
import { sqlText } from '#src/store/sql-text.ts';
import type { InsightKind, QueryContext, QueryExplanation, QueryInput } from '../define.ts';

/** Explains with the dates of conditions in the project's zone. @throws AppError `not_found` for a kind without an explanation */
export async function explainQuery<Input extends QueryInput>(
  { explain }: Pick<InsightKind<string, Input, unknown>, 'explain'>,
  context: QueryContext,
  input: Input,
): Promise<QueryExplanation> {
  if (explain === undefined) throw notFound('explanation');
  const zone = zoneOf(context.scope.timeZone);
  const placed: QueryContext = {
    ...context,
    people: placeDates(context.people, zone),
    rulesOf: (events) => placeDates(context.rulesOf(events), zone),
  };
  return { sql: sqlText(await explain(placed, placeDates(input, zone))) };
}
