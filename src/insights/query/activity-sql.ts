/** SQL of active periods of persons, for kinds by period. */
import type { SeriesRule } from '#src/columns/columns.ts';
import { type Sql, sql } from '#src/store/sql.ts';
import type { CountedPer } from './contract.ts';
import { actorSql, allOf, hasActorSql, periodSql, rulesSql } from './events-sql.ts';
import { fromEvents, type Rows } from './rows.ts';

export interface ActivityRows extends Omit<Rows, 'bounceSeconds' | 'from' | 'until'> {
  /** Moments (ms) at which periods begin, and last the one up to which the last is counted. */
  edges: readonly number[];
  /** Who is active; absent: persons. */
  per?: CountedPer;
}

/** A row for each person and period (from 1 on) in which they did one of these so many times. */
export function activePersons(given: ActivityRows, rules: readonly SeriesRule[], minCount: number): Sql {
  const rows = rowsOf(given);
  const where = allOf(rulesSql(rows, rules), hasActorSql(given.per));
  return sql`
        select ${actorSql(given.per)} as person, ${periodOf(given)} as period
        ${fromEvents(rows, { names: null, where })}
        group by 1, 2
        having count(*) >= ${minCount}`;
}

/** A row for each person, with the period of their first event of any kind; 0 for one before all periods. */
export function firstPeriods(given: ActivityRows): Sql {
  const rows = { ...rowsOf(given), from: 0, filters: null, people: null };
  const where = hasActorSql(given.per) ?? undefined;
  return sql`
        select ${actorSql(given.per)} as person, min(${periodOf(given)}) as period
        ${fromEvents(rows, { names: null, ...(where && { where }) })}
        group by 1`;
}

function rowsOf({ edges, ...rows }: ActivityRows): Rows {
  return { ...rows, from: edges[0] as number, until: edges.at(-1) as number, bounceSeconds: 0 };
}

function periodOf({ edges }: ActivityRows): Sql {
  return periodSql(sql`events.ts`, edges.slice(0, -1));
}
