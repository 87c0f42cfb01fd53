/** SQL of goal figures: conversions, converted people, conversion rate, and revenue. */
import type { Amount, Selection } from '#src/columns/columns.ts';
import { filterSql, namesSql } from '#src/columns/filters/filter-sql.ts';
import { besideAmountSql, currencySql, numberSql } from '#src/columns/filters/number-sql.ts';
import { type DecimalSeparator, UNKNOWN_CURRENCY } from '#src/kit/numbers/values.ts';
import { type Sql, sql } from '#src/store/sql.ts';
import type { Goal } from '../../goals/contract.ts';
import { selectionOf } from '../../goals/selection.ts';
import type { GoalPer } from '../../query/contract.ts';
import { eventPerson, fromEvents, fromVisits, type Rows } from '../../query/rows.ts';
import { viewNames } from '../../query/scope.ts';

/** Column `value`: how often it was reached; and by how many persons. */
export function conversionsSql(rows: Rows, goal: Goal): Sql {
  return sql`
        select count(*) as value, count(distinct ${eventPerson}) as people
        ${fromEvents(rows, { names: null, where: selectedSql(rows, selectionOf(goal)) })}`;
}

/** Column `value`: the share of the visitors who reached it; and what was divided. */
export function rateSql(rows: Rows, goal: Goal): Sql {
  return sql`
        with visitors as (${visitors(rows)}
        ), reached as (
        select distinct ${eventPerson} as person
        ${fromEvents(rows, { names: null, where: selectedSql(rows, selectionOf(goal)) })}
        )
        select count(reached.person) as converted, count(*) as visitors,
          count(reached.person)::numeric / nullif(count(*), 0) as value
        from visitors
          left join reached using (person)`;
}

/** Column `value`: the share of the visits in which it was reached, whenever in the visit; and what was divided. */
export function visitRateSql(rows: Rows, goal: Goal): Sql {
  return sql`
        with visits as (${visits(rows)}
        ), reached as (
        select distinct events.session_id as id
        ${fromEvents(rows, { names: null, where: selectedSql(rows, selectionOf(goal)), isOpen: true })}
        )
        select count(reached.id) as converted, count(*) as visits,
          count(reached.id)::numeric / nullif(count(*), 0) as value
        from visits
          left join reached using (id)`;
}

/** Column `value`: the sum of the amounts in this currency ('': none is named); and how many they are. */
export function revenueSql(rows: Rows, goal: Goal, currency: string, decimal: DecimalSeparator): Sql {
  const { rules, amount } = selectionOf(goal);
  const said = amount ?? { property: '', currencyProperty: null, currency: null };
  const joined = sql`
          cross join lateral (
          select
          events.properties -> ${said.property} as amount,
          events.properties ->> ${said.property} as text
          ) as said
          cross join lateral (
          select
          ${numberSql(sql`said.amount`, decimal)} as number,
          ${spokenCurrencySql(said)} as currency
          ) as worth`;
  const where = sql`${selectedSql(rows, { rules, amount })}
          and worth.number is not null
          and worth.currency = ${currency}`;
  return sql`
        select coalesce(sum(worth.number::text::numeric), 0) as value, count(*) as count
        ${fromEvents(rows, { names: null, joined, where })}`;
}

/**
 * A row for each goal that was reached: its name as `value`, how often, by how many, and how many of them are visitors, or, by visit, in how
 * many of the visits, whenever in them.
 */
export function goalsSql(rows: Rows, goals: readonly Goal[], per: GoalPer): Sql {
  if (per === 'visit') return goalsByVisitSql(rows, goals);
  return sql`
        with visitors as (${visitors(rows)}
        ), reached as (${reachedSql(rows, goals, sql`${eventPerson} as person`)}
        )
        select value, count(*) as count, count(distinct reached.person) as people,
          count(distinct visitors.person) as converted, (select count(*) from visitors) as visitors
        from reached
          left join visitors using (person)
        group by value
        order by count desc, value collate "C"`;
}

function goalsByVisitSql(rows: Rows, goals: readonly Goal[]): Sql {
  const converted = sql`${eventPerson} as person, events.session_id as id, events.ts < ${sql.time(rows.until)} as is_within`;
  return sql`
        with visits as (${visits(rows)}
        ), reached as (${reachedSql(rows, goals, converted, true)}
        )
        select value, count(*) filter (where is_within) as count,
          count(distinct reached.person) filter (where is_within) as people,
          count(distinct visits.id) as converted, (select count(*) from visits) as visits
        from reached
          left join visits using (id)
        group by value
        having bool_or(is_within) or count(visits.id) > 0
        order by count desc, value collate "C"`;
}

/** Converting events of each goal: its name as `value`, and the given columns. */
function reachedSql(rows: Rows, goals: readonly Goal[], columns: Sql, isOpen = false): Sql {
  const reached = goals.map(
    (goal) => sql`
        select ${goal.name} as value, ${columns}
        ${fromEvents(rows, { names: null, where: selectedSql(rows, selectionOf(goal)), isOpen })}`,
  );
  const none = sql`
        select '' as value, ${columns}
        ${fromEvents(rows, { names: null, where: sql`false` })}`;
  return sql.join(
    reached.length === 0 ? [none] : reached,
    sql`
        union all`,
  );
}

function visits(rows: Rows): Sql {
  return sql`
        select visit.id
        ${fromVisits(rows)}`;
}

function visitors(rows: Rows): Sql {
  return sql`
        select distinct ${eventPerson} as person
        ${fromEvents(rows, { names: viewNames })}`;
}

/** True of events that fulfil one of the rules. */
export function selectedSql(rows: Rows, { rules }: Selection): Sql {
  if (rules.length === 0) return sql`false`;
  const each = rules.map(({ names, filters }) => {
    const conditions = filters
      .filter(({ of }) => of.length > 0)
      .map((own) => filterSql({ ...rows, asEngine: true }, own));
    return sql`(${sql.join([namesSql(rows, names), ...conditions], sql` and `)})`;
  });
  return sql`(${sql.join(
    each,
    sql`
            or `,
  )})`;
}

/** Currency of the event, else of the amount's symbol, else of the goal. */
function spokenCurrencySql({ currencyProperty, currency }: Amount): Sql {
  const goal = currency ?? '';
  const beside = sql`case when jsonb_typeof(said.amount) = 'string'
            then ${currencySql(besideAmountSql(sql`said.text`), goal)} end`;
  if (currencyProperty === null) return sql`coalesce(${beside}, ${goal})`;
  const named = sql`events.properties -> ${currencyProperty}`;
  return sql`coalesce(
            case jsonb_typeof(${named})
            when 'string' then ${currencySql(sql`(events.properties ->> ${currencyProperty})`, goal)}
            when 'null' then null
            else case when ${named} is not null then ${UNKNOWN_CURRENCY} end
            end,
            ${beside},
            ${goal})`;
}
