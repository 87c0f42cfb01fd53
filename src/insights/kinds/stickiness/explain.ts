/** SQL of stickiness: a row per number of active intervals. */
import { rulesIn } from '#src/kit/reading/reader.ts';
import { type Sql, sql } from '#src/store/sql.ts';
import type { QueryContext } from '../../define.ts';
import { activePersons } from '../../query/activity-sql.ts';
import type { StickinessInput } from './contract.ts';
import { startsOf } from './run.ts';

export async function explainStickiness(context: QueryContext, input: StickinessInput): Promise<Sql> {
  const { edges, scope } = await startsOf(context, input);
  const reading = rulesIn(context.scope.settings);
  const rows = { ...scope, reading, projectId: context.scope.id, include: input.include ?? [], per: input.per, edges };
  const people = input.cumulative ? sql`sum(count(*)) over (order by intervals desc)` : sql`count(*)`;
  return sql`
        with active as (${activePersons(rows, context.rulesOf(input.event), input.minCount)}
        ), persons as (
        select person, count(*) as intervals
        from active
        group by person
        )
        select intervals, ${people} as people
        from persons
        group by intervals
        order by intervals`;
}
