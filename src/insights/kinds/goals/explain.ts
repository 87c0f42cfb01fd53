/** The SQL of numbers about goals: how often they were reached, by whom, by how many of the visitors, and what it was worth. */
import type { Amount, Selection } from '#src/columns/columns.ts';
import { filterSql, namesSql } from '#src/columns/filters/filter-sql.ts';
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
export function revenueSql(rows: Rows, goal: Goal, currency: string): Sql {
  const { rules, amount } = selectionOf(goal);
  const none = { property: '', currencyProperty: null, currency: null };
  const joined = sql`
          cross join lateral (
          select
          ${partsSql(amount ?? none)} as parts,
          ${currencySql(amount ?? none)} as currency
          ) as worth`;
  const where = sql`${selectedSql(rows, { rules, amount })}
          and worth.parts between -${Number.MAX_SAFE_INTEGER} and ${Number.MAX_SAFE_INTEGER}
          and worth.currency = ${currency}`;
  return sql`
        select coalesce(sum(worth.parts::bigint), 0) / 10000 as value, count(*) as count
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
  const told = sql`${eventPerson} as person, events.session_id as id, events.ts < ${sql.time(rows.until)} as is_within`;
  return sql`
        with visits as (${visits(rows)}
        ), reached as (${reachedSql(rows, goals, told, true)}
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

/** What reached each goal: its name as `value`, and what is told of the event. */
function reachedSql(rows: Rows, goals: readonly Goal[], told: Sql, isOpen = false): Sql {
  const reached = goals.map(
    (goal) => sql`
        select ${goal.name} as value, ${told}
        ${fromEvents(rows, { names: null, where: selectedSql(rows, selectionOf(goal)), isOpen })}`,
  );
  const none = sql`
        select '' as value, ${told}
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

/** Ten-thousandths, rounded; null for what says no amount: a number, or a text that says nothing but a number. */
function partsSql({ property }: Amount): Sql {
  const said = sql`events.properties -> ${property}`;
  const text = sql`(${said}) #>> '{}'`;
  return sql`case
            when jsonb_typeof(${said}) = 'number'
              or jsonb_typeof(${said}) = 'string' and ${text} ~ '^\\s*-?[0-9]{1,15}(\\.[0-9]+)?\\s*$'
            then floor((${text})::float8 * 10000 + 0.5) end`;
}

/** Three letters that the event names, else those that the goal knows. */
function currencySql({ currencyProperty, currency }: Amount): Sql {
  if (currencyProperty === null) return sql`${currency ?? ''}`;
  const said = sql`events.properties -> ${currencyProperty}`;
  const text = sql`(${said}) #>> '{}'`;
  return sql`case
            when jsonb_typeof(${said}) = 'string' and ${text} ~* '^\\s*[a-z]{3}\\s*$'
            then upper(regexp_replace(${text}, '\\s', '', 'g'))
            else ${currency ?? ''} end`;
}
