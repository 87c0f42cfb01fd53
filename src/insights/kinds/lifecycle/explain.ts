/** The SQL of a lifecycle: a row for each interval, with its number from 1 on. */
import { rulesIn } from '#src/kit/reading/reader.ts';
import { type Sql, sql } from '#src/store/sql.ts';
import type { QueryContext } from '../../define.ts';
import { activePersons, firstPeriods } from '../../query/activity-sql.ts';
import type { LifecycleInput } from './contract.ts';
import { periodsOf } from './periods.ts';

/** Periods of the statement are one more than intervals: the first is the one before them. */
export async function explainLifecycle(context: QueryContext, input: LifecycleInput): Promise<Sql> {
  const { edges, starts, scope } = await periodsOf(context, input);
  const reading = rulesIn(context.scope.settings);
  const rows = { ...scope, reading, projectId: context.scope.id, include: input.include ?? [], per: input.per, edges };
  return sql`
        with active as (${activePersons(rows, context.rulesOf(input.event), 1)}
        ), began as (${firstPeriods(rows)}
        )
        select number as interval,
          count(*) filter (where now.person is not null and began.period = number + 1) as new,
          count(*) filter (where now.person is not null and before.person is not null) as returning,
          count(*) filter (where now.person is not null and before.person is null and began.period <= number) as resurrecting,
          count(*) filter (where now.person is null and before.person is not null) as dormant
        from generate_series(1, ${starts.length}) as number
          left join began on true
          left join active as now on now.person = began.person and now.period = number + 1
          left join active as before on before.person = began.person and before.period = number
        group by number
        order by number`;
}
