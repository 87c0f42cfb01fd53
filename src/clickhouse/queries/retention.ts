/** Retention: the same figures as those of the engine (src/columns/queries/retentions.ts). */
import type { Retention, RetentionQuery } from '#src/columns/columns.ts';
import { type Sql, sql } from '#src/store/sql.ts';
import { periodOf } from './activity.ts';
import { fromEvents, person, type QueryParts, rulesSql, scopeSql, Unsupported } from './scope.ts';

/** @throws Unsupported for groups and breakdowns */
export async function clickhouseRetention(parts: QueryParts, asked: RetentionQuery): Promise<Retention> {
  const { edges, back, least, isRolling, columns, by, of = 'persons' } = asked;
  if (of !== 'persons' || by !== null) throw new Unsupported('breakdown');
  const span = { from: edges[0] as number, until: edges.at(-1) as number };
  const periods = edges.length - 1;
  const [scope, returning, started] = await Promise.all([
    scopeSql(parts, asked, span),
    rulesSql(parts, back, span),
    startedSql(parts, asked),
  ]);
  const returns = sql`
    select actor, groupArray(period) as own from (
      select ${person} as actor, ${periodOf(edges)} as period ${fromEvents(parts, span, sql`${scope} and ${returning}`)}
       group by actor, period having count() >= ${least})
     group by actor`;
  // Of several returns in a column one counts; of rolling ones, the last is one in all columns up to its own.
  const [froms, tos] = [columns.map(({ from }) => from), columns.map(({ to }) => to)];
  const later = sql`arrayMap(p -> p - began, arrayFilter(p -> p >= began, own))`;
  const cells = isRolling
    ? sql`arrayMap(f -> notEmpty(later) and arrayMax(later) >= f, ${froms})`
    : sql`arrayMap((f, t) -> arrayExists(l -> l >= f and l <= t, later), ${froms}, ${tos})`;
  const rows = await parts.house.query<{ period: number; size: number; returned: number[] }>(
    sql`select period, count() as size, sumForEach(cells) as returned from (
          select began as period, ${later} as later, ${cells} as cells
            from (select actor, toInt64(arrayJoin(periods)) as began from (${started})) as started
            left any join (${returns}) as returned on returned.actor = started.actor)
         group by period`,
  );
  const cohorts = Array.from({ length: periods }, (_, period) => {
    const row = rows.find((each) => each.period === period + 1);
    const begun = columns.filter(({ from }) => period + from < periods);
    return { size: row?.size ?? 0, returned: begun.map((_, at) => row?.returned[at] ?? 0) };
  });
  return { rows: [{ value: '', cohorts }], values: 1 };
}

/** The periods in which each person starts, from 1 on. */
async function startedSql(parts: QueryParts, asked: RetentionQuery): Promise<Sql> {
  const { edges, start, kind, first } = asked;
  const [begin, until] = [edges[0] as number, edges.at(-1) as number];
  const span = { from: kind === 'recurring' ? begin : Math.min(begin, first), until };
  const [scope, starting] = await Promise.all([scopeSql(parts, asked, span), rulesSql(parts, start, span)]);
  if (kind === 'recurring') {
    return sql`
      select ${person} as actor, groupUniqArray(${periodOf(edges)}) as periods
        ${fromEvents(parts, span, sql`${scope} and ${starting}`)} group by actor`;
  }
  const byName = await rulesSql(
    parts,
    start.map(({ names }) => ({ names, filters: [] })),
    span,
  );
  const counted = kind === 'firstEver' ? byName : starting;
  const begins = edges.slice(0, -1);
  // Of one moment, what was stored first is the first.
  return sql`
    select actor, [indexOf(${begins}, roundDown(tupleElement(began, 1), ${begins}))] as periods from (
      select ${person} as actor, min((ts, epoch, received_at, toString(uuid))) as began,
             argMin(${starting}, (ts, epoch, received_at, toString(uuid))) as counts
        ${fromEvents(parts, span, sql`${scope} and ${counted}`)} group by actor)
     where counts and tupleElement(began, 1) >= ${begin}`;
}
