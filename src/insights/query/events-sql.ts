/** Shared SQL of explanations that follow people: who did an event, which rules it fulfils, in which order events are. */
import type { Scope, SeriesRule } from '#src/columns/columns.ts';
import { filterSql, keyText, namesSql } from '#src/columns/filters/filter-sql.ts';
import { type GroupSubject, isGroupSubject } from '#src/columns/values.ts';
import { rulesIn } from '#src/kit/reading/reader.ts';
import { type Sql, sql } from '#src/store/sql.ts';
import type { QueryContext } from '../define.ts';
import { eventPerson, type Rows } from './rows.ts';

/** Who or what is counted; absent: persons. */
export type CountedActor = 'persons' | 'visits' | GroupSubject | undefined;

/** The rows of a query's scope in a span of time, ms. */
export function rowsOfScope(
  { scope: project }: Pick<QueryContext, 'scope'>,
  { filters, people, include = [] }: Scope,
  { from, until }: { from: number; until: number },
): Rows {
  return {
    projectId: project.id,
    filters,
    people,
    include,
    reading: rulesIn(project.settings),
    from,
    until,
    bounceSeconds: 0,
  };
}

/** True of events that fulfil one of the rules. */
export function rulesSql(rows: Rows, rules: readonly SeriesRule[]): Sql {
  if (rules.length === 0) return sql`false`;
  const each = rules.map(({ names, filters }) => {
    const conditions = filters
      .filter(({ of }) => of.length > 0)
      .map((own) => filterSql({ ...rows, asEngine: true }, own));
    if (names !== null) conditions.unshift(namesSql(rows, names));
    return conditions.length === 0 ? sql`true` : sql`(${sql.join(conditions, sql` and `)})`;
  });
  return sql`(${sql.join(each, sql` or `)})`;
}

/** The number of a person, the id of a visit, or the key of a group. */
export function actorSql(of: CountedActor): Sql {
  if (of === 'visits') return sql`events.session_id`;
  return isGroupSubject(of) ? keyText(of) : eventPerson;
}

/** True of events that have one; null: all have. */
export function hasActorSql(of: CountedActor): Sql | null {
  if (of === 'visits') return sql`events.session_id is not null`;
  return isGroupSubject(of) ? sql`${keyText(of)} <> ''` : null;
}

/** Conditions that are all to be true. */
export function allOf(...conditions: (Sql | null)[]): Sql {
  const given = conditions.filter((each) => each !== null);
  return given.length === 0
    ? sql`true`
    : sql.join(
        given,
        sql`
          and `,
      );
}

/** The order of events: those of the same moment are in the order in which they were stored. */
export const inOrder = sql`events.ts, events.epoch, events.received_at, events.uuid`;

/** Number of the period (from 1) of an event; 0 before all. @param starts ms */
export function periodSql(moment: Sql, starts: readonly number[]): Sql {
  return sql`width_bucket(${moment}, ${timesSql(starts)})`;
}

/** A list of moments. */
export function timesSql(moments: readonly number[]): Sql {
  const texts = moments.map((moment) => new Date(moment).toISOString());
  return sql`${texts}::timestamptz[]`;
}

/** A length of time. */
export function lengthSql(ms: number): Sql {
  return sql`make_interval(secs => ${ms / 1000})`;
}
