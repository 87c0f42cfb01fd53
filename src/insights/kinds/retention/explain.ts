/** The SQL of retention: a row for each value, period of the start and column, with the means over whole cells. */
import type { RetentionQuery } from '#src/columns/columns.ts';
import { type Sql, sql } from '#src/store/sql.ts';
import type { QueryContext } from '../../define.ts';
import { actorSql, allOf, hasActorSql, inOrder, periodSql, rowsOfScope, rulesSql } from '../../query/events-sql.ts';
import { fromEvents, type Rows } from '../../query/rows.ts';
import { valueSql } from '../../query/value-sql.ts';
import type { RetentionInput } from './contract.ts';
import { prepareRetention } from './run.ts';

/** Periods count from 1. Cohorts without anybody have no row. */
export async function explainRetention(context: QueryContext, input: RetentionInput): Promise<Sql> {
  const { asked, starts, running } = await prepareRetention(context, input);
  const tables = new RetentionTables(context, asked);
  const { value, columns } = tables;
  const isWhole = sql`(where sizes.period + columns.until <= ${running ?? starts.length})`;
  const cell = sql`over (partition by ${value}columns.number)`;
  return sql`
        with ${tables.starts()}
        ), returns as (${tables.returns()}
        ), cohorts as (
        -- Each person once in the period in which they began.
        select distinct ${value}person, period
        from ${value === sql.empty ? sql`starts` : sql`starts join shown using (value)`}
        ), sizes as (
        select ${value}period, count(*) as size
        from cohorts
        group by ${value}period
        ), columns (number, since, until) as (
        -- So many periods after the start.
        values ${columns}
        ), returned as (
        -- Who came back in the periods of a column${asked.isRolling ? sql`, or in a later one` : sql.empty}.
        select ${value}cohorts.period, columns.number, count(distinct person) as people
        from cohorts
          join returns using (person${value === sql.empty ? sql.empty : sql`, value`})
          join columns on returns.period >= cohorts.period + columns.since${
            asked.isRolling ? sql.empty : sql` and returns.period <= cohorts.period + columns.until`
          }
        group by ${value}cohorts.period, columns.number
        )
        select ${value}sizes.period, columns.number as "column", sizes.size, coalesce(returned.people, 0) as returned,
          sum(coalesce(returned.people, 0)) filter ${isWhole} ${cell} / sum(sizes.size) filter ${isWhole} ${cell} as mean,
          avg(coalesce(returned.people, 0)::numeric / sizes.size) filter ${isWhole} ${cell} as "simpleMean"
        from sizes
          join columns on sizes.period + columns.since <= ${starts.length}
          left join returned using (${value}period, number)
        order by ${value}sizes.period, columns.number`;
}

class RetentionTables {
  private readonly asked: RetentionQuery;
  private readonly rows: Rows;
  private readonly said: Sql;
  /** Columns before others; without a breakdown none. */
  readonly value: Sql;
  readonly columns: Sql;

  constructor(context: QueryContext, asked: RetentionQuery) {
    const { edges, kind, first, by, columns } = asked;
    const [from, until] = [edges[0] as number, edges.at(-1) as number];
    this.asked = asked;
    this.rows = rowsOfScope(context, asked, { from: kind === 'recurring' ? from : Math.min(from, first), until });
    const { decimalSeparator = 'point' } = context.scope.settings;
    this.said = by === null ? sql.empty : sql`, ${valueSql(this.rows, by, decimalSeparator ?? 'point')} as value`;
    this.value = by === null ? sql.empty : sql`value, `;
    this.columns = sql.join(columns.map((each, at) => sql`(${at + 1}, ${each.from}, ${each.to})`));
  }

  /** Tables `starts` and, with a breakdown, `shown`. */
  starts(): Sql {
    const starts = this.asked.kind === 'recurring' ? this.allStarts() : this.firstStarts();
    if (this.asked.by === null) return starts;
    return sql`${starts}
        ), shown as (
        -- The values with the most starts.
        select value
        from starts
        group by value
        order by count(*) desc, value collate "C"
        limit ${this.asked.most}`;
  }

  private allStarts(): Sql {
    const where = allOf(rulesSql(this.rows, this.asked.start), this.hasActor());
    return sql`starts as (
        -- Every start event of the range.
        select ${this.person()} as person, ${this.period()} as period${this.said}
        ${fromEvents(this.rows, { names: null, where })}`;
  }

  private firstStarts(): Sql {
    const { kind, start } = this.asked;
    const names = start.map(({ names }) => ({ names, filters: [] }));
    const isEver = kind === 'firstEver';
    const where = allOf(rulesSql(this.rows, isEver ? names : start), this.hasActor());
    return sql`firsts as (
        -- ${isEver ? sql`First event of that name by person, without conditions.` : sql`First start event by person.`}
        select distinct on (1) ${this.person()} as person, ${this.period()} as period${this.said}${
          isEver ? sql`, ${rulesSql(this.rows, start)} as is_start` : sql.empty
        }
        ${fromEvents(this.rows, { names: null, where })}
        order by 1, ${inOrder}
        ), starts as (
        -- Those in the range${isEver ? sql` that are a start event` : sql.empty}.
        select *
        from firsts
        where period > 0${isEver ? sql` and is_start` : sql.empty}`;
  }

  /** Periods with so many events that are a return. */
  returns(): Sql {
    const { back, least, edges } = this.asked;
    const rows = { ...this.rows, from: edges[0] as number };
    return sql`
        -- Periods in which they did the returning event${least > 1 ? sql` often enough` : sql.empty}.
        select ${this.person()} as person, ${this.period()} as period${this.said}
        ${fromEvents(rows, { names: null, where: allOf(rulesSql(rows, back), this.hasActor()) })}
        group by ${this.asked.by === null ? sql`1, 2` : sql`1, 2, 3`}
        having count(*) >= ${least}`;
  }

  private person(): Sql {
    return actorSql(this.asked.of);
  }

  private hasActor(): Sql | null {
    return hasActorSql(this.asked.of);
  }

  private period(): Sql {
    return periodSql(sql`events.ts`, this.asked.edges.slice(0, -1));
  }
}
