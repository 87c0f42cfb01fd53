/** Activity of persons or groups by period: lifecycle and stickiness. The same figures as those of the engine (src/columns/queries/activities.ts). */
import type { Activity, ActivityQuery } from '#src/columns/columns.ts';
import type { ActivityPick } from '#src/columns/kernels/activity.ts';
import { type Sql, sql } from '#src/store/sql.ts';
import { actorSql } from './actors.ts';
import { MAX_NUMBERS } from './conditions.ts';
import { bucketOf, fromEvents, type QueryParts, type Span } from './events.ts';
import { rulesSql, scopeSql } from './scope.ts';

/** @throws Unsupported for too many groups */
export async function clickhouseActivity(parts: QueryParts, asked: ActivityQuery): Promise<Activity> {
  const periods = asked.edges.length - 1;
  const active = await activeSql(parts, asked, null);
  // Whether a period is one's first, or follows another, is seen from the period before: no list is searched for each period.
  const rows = await parts.house.query<ActivityRow>(
    sql`select periods, tupleElement(each, 1) as period, count() as active, countIf(period = first) as new,
               countIf(period <> first and tupleElement(each, 2) = period - 1) as returning
          from (select length(own) as periods, began.period as first, arrayJoin(arrayZip(own, arrayPushFront(arrayPopBack(own), -1))) as each
                  ${active}) as activity
         group by periods, period`,
  );
  const found: Activity = {
    periods: Array.from({ length: periods }, () => ({ active: 0, new: 0, returning: 0 })),
    byPeriods: new Array<number>(periods).fill(0),
  };
  for (const row of rows) {
    const period = found.periods[row.period - 1];
    if (period === undefined) continue;
    period.active += row.active;
    period.new += row.new;
    period.returning += row.returning;
    found.byPeriods[row.periods - 1] = (found.byPeriods[row.periods - 1] ?? 0) + row.active;
  }
  // Each person is active in the sum of the periods: the first of them has it.
  for (const [at, active] of found.byPeriods.entries()) found.byPeriods[at] = active / (at + 1);
  return found;
}

/** Of those who are active in so many periods, in one of them. */
interface ActivityRow {
  periods: number;
  /** From 1 on. */
  period: number;
  active: number;
  new: number;
  returning: number;
}

/** Those who are behind a number, by their numbers. @param given SQL: number of the actor of an event; null: its own */
export async function activityActors(
  parts: QueryParts,
  asked: ActivityQuery,
  pick: ActivityPick,
  given: Sql | null,
): Promise<number[]> {
  const rows = await parts.house.query<{ actor: number }>(
    sql`select active.actor as actor ${await activeSql(parts, asked, given)}
         where ${pickedSql(pick)} order by active.actor limit ${MAX_NUMBERS + 1}`,
  );
  return rows.map(({ actor }) => actor);
}

function pickedSql(pick: ActivityPick): Sql {
  if ('periods' in pick) return sql`length(own) ${pick.orMore ? sql`>=` : sql`=`} ${pick.periods}`;
  const period = pick.period + 1;
  const [isNow, wasBefore] = [sql`has(own, ${period})`, sql`has(own, ${period - 1})`];
  if (pick.state === 'dormant') return sql`${wasBefore} and not ${isNow}`;
  const isNew = sql`began.period = ${period}`;
  if (pick.state === 'new') return sql`${isNow} and ${isNew}`;
  return sql`${isNow} and not ${isNew} and ${pick.state === 'returning' ? wasBefore : sql`not ${wasBefore}`}`;
}

/** From: each actor with the periods in which they were active (`own`), and the one in which they began (`began.period`), from 1 on. */
async function activeSql(parts: QueryParts, asked: ActivityQuery, given: Sql | null): Promise<Sql> {
  const { edges, did, minCount, of = 'persons' } = asked;
  const span = { from: edges[0] as number, until: edges.at(-1) as number };
  const whole = wholeOfActivity(asked);
  const [scope, rules, actor] = await Promise.all([
    scopeSql(parts, asked, span),
    rulesSql(parts, did, span),
    given ?? actorSql(parts, of, whole),
  ]);
  const active = sql`
    select actor, arraySort(groupArray(period)) as own from (
      select ${actor} as actor, ${bucketOf(edges, sql`ts`)} as period ${fromEvents(parts, span, sql`${scope} and ${rules} and ${actor} <> 0`)}
       group by actor, period having count() >= ${minCount})
     group by actor`;
  return sql`from (${active}) as active left any join (${await beganSql(parts, asked, whole, actor)}) as began on began.actor = active.actor`;
}

/** Time of the events that matter. */
export function wholeOfActivity({ edges, first }: ActivityQuery): Span {
  const begin = edges[0] as number;
  return { from: Math.min(begin, first ?? begin), until: edges.at(-1) as number };
}

/** The period of each one's first event of any kind, from 1 on. Filters are not about it. */
async function beganSql(parts: QueryParts, asked: ActivityQuery, whole: Span, actor: Sql): Promise<Sql> {
  const { edges, projectId, include, first } = asked;
  if (first === null) return sql`select toInt64(0) as actor, toInt64(0) as period where 0`;
  const all = await scopeSql(parts, { projectId, filters: null, include }, whole);
  return sql`
    select actor, if(began < ${edges[0] as number}, toInt64(0), ${bucketOf(edges, sql`began`)}) as period from (
      select ${actor} as actor, min(ts) as began ${fromEvents(parts, whole, sql`${all} and ${actor} <> 0`)} group by actor)`;
}
