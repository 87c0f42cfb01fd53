/** SQL of active periods of persons, for kinds by period. */
import type { SeriesRule } from '#src/columns/columns.ts';
import { filterSql, keyText, namesSql } from '#src/columns/filters/filter-sql.ts';
import { isGroupSubject } from '#src/columns/values.ts';
import { type Sql, sql } from '#src/store/sql.ts';
import type { CountedPer } from './contract.ts';
import { eventPerson, fromEvents, type Rows } from './rows.ts';

export interface ActivityRows extends Omit<Rows, 'bounceSeconds' | 'from' | 'until'> {
  /** Moments (ms) at which periods begin, and last the one up to which the last is counted. */
  edges: readonly number[];
  /** Who is active; absent: persons. */
  per?: CountedPer;
}

/** A row for each person and period (from 1 on) in which they did one of these so many times. */
export function activePersons(given: ActivityRows, rules: readonly SeriesRule[], minCount: number): Sql {
  const rows = rowsOf(given);
  const isOneOf = rules.map(({ names, filters }) => {
    const conditions = filters
      .filter(({ of }) => of.length > 0)
      .map((own) => filterSql({ ...rows, asEngine: true }, own));
    return sql`(${sql.join([names === null ? sql`true` : namesSql(rows, names), ...conditions], sql` and `)})`;
  });
  return sql`
        select ${actorOf(given)} as person, ${periodOf(given)} as period
        ${fromEvents(rows, { names: null, where: sql`(${sql.join(isOneOf, sql` or `)})${hasActor(given)}` })}
        group by 1, 2
        having count(*) >= ${minCount}`;
}

/** A row for each person, with the period of their first event of any kind; 0 for one before all periods. */
export function firstPeriods(given: ActivityRows): Sql {
  const rows = { ...rowsOf(given), from: 0, filters: null, people: null };
  return sql`
        select ${actorOf(given)} as person, min(${periodOf(given)}) as period
        ${fromEvents(rows, { names: null })}${hasActor(given)}
        group by 1`;
}

/** SQL: who did it: a person's number, or the key of a group. */
function actorOf({ per }: Pick<ActivityRows, 'per'>): Sql {
  return isGroupSubject(per) ? keyText(per) : eventPerson;
}

/** SQL: the event has an actor; added to the conditions. */
function hasActor({ per }: Pick<ActivityRows, 'per'>): Sql {
  return isGroupSubject(per) ? sql` and ${keyText(per)} <> ''` : sql.empty;
}

function rowsOf({ edges, ...rows }: ActivityRows): Rows {
  return { ...rows, from: edges[0] as number, until: edges.at(-1) as number, bounceSeconds: 0 };
}

function periodOf({ edges }: ActivityRows): Sql {
  const begins = edges.slice(0, -1).map((edge) => sql.time(edge));
  return sql`width_bucket(events.ts, array[${sql.join(begins, sql`, `)}]::timestamptz[])`;
}
