/** Explains how a query's result is calculated, by its kind. */
import { localeOf, placeConditions } from '#src/columns/filters/date-times.ts';
import { notFound } from '#src/kit/errors.ts';
import { sqlText } from '#src/store/sql-text.ts';
import type { InsightKind, QueryContext, QueryExplanation, QueryInput } from '../define.ts';

/** Explains with the conditions as the project reads them. @throws AppError `not_found` for a kind without an explanation */
export async function explainQuery<Input extends QueryInput>(
  { explain }: Pick<InsightKind<string, Input, unknown>, 'explain'>,
  context: QueryContext,
  input: Input,
): Promise<QueryExplanation> {
  if (explain === undefined) throw notFound('explanation');
  const locale = localeOf(context.scope);
  const placed: QueryContext = {
    ...context,
    people: placeConditions(context.people, locale),
    rulesOf: (events) => placeConditions(context.rulesOf(events), locale),
  };
  const statement = await explain(placed, placeConditions(input, locale));
  return { sql: statement && sqlText(statement) };
}
