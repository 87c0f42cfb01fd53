/** Activity of persons by period: lifecycle and stickiness. The same figures as those of the engine (src/columns/queries/activities.ts). */
import type { Activity, ActivityQuery } from '#src/columns/columns.ts';
import { type Sql, sql } from '#src/store/sql.ts';
import { fromEvents, person, type QueryParts, rulesSql, scopeSql, Unsupported } from './scope.ts';

/** SQL: number of the period of an event, from 1 on; 0 before all. */
export function periodOf(edges: readonly number[]): Sql {
  const begins = edges.slice(0, -1);
  return sql`indexOf(${begins}, roundDown(ts, ${begins}))`;
}

/** @throws Unsupported for groups */
export async function clickhouseActivity(parts: QueryParts, asked: ActivityQuery): Promise<Activity> {
  const { edges, did, minCount, first, of = 'persons' } = asked;
  if (of !== 'persons') throw new Unsupported('groups');
  const span = { from: edges[0] as number, until: edges.at(-1) as number };
  const periods = edges.length - 1;
  const [scope, rules] = await Promise.all([scopeSql(parts, asked, span), rulesSql(parts, did, span)]);
  const active = sql`
    select actor, groupArray(period) as own from (
      select ${person} as actor, ${periodOf(edges)} as period ${fromEvents(parts, span, sql`${scope} and ${rules}`)}
       group by actor, period having count() >= ${minCount})
     group by actor`;
  const began = await beganSql(parts, asked, span.until, first);
  const rows = await parts.house.query<{ active: number[]; new: number[]; returning: number[]; periods: number }>(
    sql`select sumForEach(arrayMap(p -> has(own, p), range(1, ${periods + 1}))) as active,
               sumForEach(arrayMap(p -> has(own, p) and p = began.period, range(1, ${periods + 1}))) as new,
               sumForEach(arrayMap(p -> has(own, p) and p <> began.period and has(own, p - 1), range(1, ${periods + 1}))) as returning,
               length(own) as periods
          from (${active}) as active left any join (${began}) as began on began.actor = active.actor
         group by periods`,
  );
  const found: Activity = {
    periods: Array.from({ length: periods }, () => ({ active: 0, new: 0, returning: 0 })),
    byPeriods: new Array<number>(periods).fill(0),
  };
  for (const row of rows) {
    for (const [at, each] of found.periods.entries()) {
      each.active += row.active[at] ?? 0;
      each.new += row.new[at] ?? 0;
      each.returning += row.returning[at] ?? 0;
    }
    // Each person is active in the sum of the periods: the first of them has it.
    found.byPeriods[row.periods - 1] = row.active.reduce((sum, count) => sum + count, 0) / row.periods;
  }
  return found;
}

/** The period of each person's first event of any kind, from 1 on. Filters are not about it. */
async function beganSql(parts: QueryParts, asked: ActivityQuery, until: number, first: number | null): Promise<Sql> {
  const { edges, projectId, include } = asked;
  if (first === null) return sql`select toUInt32(0) as actor, toUInt32(0) as period where 0`;
  const [begin] = edges as [number];
  const span = { from: Math.min(begin, first), until };
  const all = await scopeSql(parts, { projectId, filters: null, include }, span);
  const begins = edges.slice(0, -1);
  return sql`
    select actor, if(began < ${begin}, 0, indexOf(${begins}, roundDown(began, ${begins}))) as period from (
      select ${person} as actor, min(ts) as began ${fromEvents(parts, span, all)} group by actor)`;
}
