/** Persons by what they did in a range: what the engine is asked for them. */
import type { Columns, RankFound, RankQuery } from '#src/columns/columns.ts';
import type { Clock } from '#src/kit/clock.ts';
import type { RangeInput } from '../contract.ts';
import type { Goals } from '../goals/goals.ts';
import { amountsOf } from '../goals/selection.ts';
import { beginRange, type FirstEventColumns } from './first-event.ts';
import { countedUntil, resolveRange } from './ranges.ts';
import type { QueryScope } from './scope.ts';

export interface RankPersonsQuery extends Omit<RankQuery, 'projectId' | 'include' | 'span' | 'amounts' | 'decimal'> {
  /** What they did in it counts, without bots and internal traffic. */
  range: RangeInput;
}

export interface RankParts {
  columns: FirstEventColumns & Pick<Columns, 'rankPersons'>;
  goals: Pick<Goals, 'list'>;
  clock: Pick<Clock, 'now'>;
}

/** @throws AppError `invalid` for a range that cannot be, `timeout` */
export async function rankPersons(
  { columns, goals, clock }: RankParts,
  scope: QueryScope,
  { range: input, ...asked }: RankPersonsQuery,
): Promise<RankFound> {
  const [{ context }, all] = await Promise.all([beginRange(columns, scope, input, clock.now()), goals.list(scope)]);
  const { range } = resolveRange(input, context);
  const span = { from: range.from, until: countedUntil(range) };
  return columns.rankPersons({ ...asked, projectId: scope.id, span, amounts: amountsOf(all) });
}
