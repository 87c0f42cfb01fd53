/**
 * Sets of persons as conditions on rows of `events`: the same persons as the engine's (people.ts), which tests hold them to. Only for looking
 * at rows, and for the SQL that explains a number.
 */

import { eventMarks } from '#src/events/contract.ts';
import { type Sql, sql } from '#src/store/sql.ts';
import type { Span } from '../storage/span.ts';
import { type FilteredRows, filterSql, namesSql } from './filter-sql.ts';
import type { People, PersonCriterion, Rules } from './rules.ts';

/** True of the rows of `events` that are by one of them. @throws AppError `invalid` for conditions that cannot be */
export function peopleSql(rows: FilteredRows, { match, of }: People): Sql {
  const conditions = of.map((each) => {
    const found = 'of' in each ? peopleSql(rows, each) : criterionSql(rows, each);
    return each.not ? sql`not ${found}` : found;
  });
  if (conditions.length === 0) return sql`true`;
  return sql`(${sql.join(conditions, match === 'all' ? sql` and ` : sql` or `)})`;
}

function criterionSql(rows: FilteredRows, criterion: PersonCriterion): Sql {
  if ('has' in criterion) return filterSql(rows, { match: 'all', of: [criterion.has] });
  const { projectId } = rows;
  return sql`coalesce(
      (select new_person from person_overrides where project_id = ${projectId} and old_person = events.person),
      events.person
    ) in (${numbersSql(rows, criterion)})`;
}

function numbersSql(rows: FilteredRows, criterion: Exclude<PersonCriterion, { has: unknown }>): Sql {
  if ('listed' in criterion) return listedSql(rows.projectId, criterion.listed);
  return 'sequence' in criterion ? sequenceSql(rows, criterion) : didSql(rows, criterion);
}

function didSql(rows: FilteredRows, { did, within, least }: Extract<PersonCriterion, { did: Rules }>): Sql {
  return sql`
      select coalesce(past.new_person, events.person)
        ${doneSql(rows, did, within)}
       group by 1
      having count(*) >= ${least}`;
}

/** Each step is a later event than the one before: of one moment, one that was stored later. */
function sequenceSql(
  rows: FilteredRows,
  { sequence, within, windowMs }: Extract<PersonCriterion, { sequence: unknown }>,
): Sql {
  const steps = sequence.map((rules, at) => {
    const done = sql`(
        select coalesce(past.new_person, events.person) as person, events.ts, events.epoch, events.received_at, events.uuid
          ${doneSql(rows, rules, within)}) as ${stepName(at)}`;
    if (at === 0) return done;
    const [step, before] = [stepName(at), stepName(at - 1)];
    return sql`join ${done}
          on ${step}.person = ${before}.person
         and ${orderOf(step)} > ${orderOf(before)}
         and ${step}.ts <= ${stepName(0)}.ts + make_interval(secs => ${windowMs / 1000}::float8)`;
  });
  return sql`
      select ${stepName(0)}.person
        from ${sql.join(steps, sql` `)}`;
}

function stepName(at: number): Sql {
  return sql.id(`step${at + 1}`);
}

function orderOf(step: Sql): Sql {
  return sql`(${step}.ts, ${step}.epoch, ${step}.received_at, ${step}.uuid)`;
}

/** The rows of events that fulfil one of the rules, with what their person was merged into. */
function doneSql(rows: FilteredRows, rules: Rules, within: Span): Sql {
  const { projectId } = rows;
  const inside = { ...rows, ...within };
  const wanted = rules.map(({ names, filters }) => {
    const conditions = filters.filter(({ of }) => of.length > 0).map((each) => filterSql(inside, each));
    if (names !== null) conditions.unshift(namesSql(inside, names));
    return conditions.length === 0 ? sql`true` : sql`(${sql.join(conditions, sql` and `)})`;
  });
  return sql`from events
        left join person_overrides as past
          on past.project_id = events.project_id and past.old_person = events.person
       where events.project_id = ${projectId}
         and events.ts >= ${sql.time(within.from)} and events.ts < ${sql.time(within.until)}
         and events.marks & ${eventMarks.bot | eventMarks.internal} = 0
         and ${wanted.length === 0 ? sql`false` : sql`(${sql.join(wanted, sql` or `)})`}`;
}

function listedSql(projectId: number, listed: Extract<PersonCriterion, { listed: unknown }>['listed']): Sql {
  return sql`
      select coalesce(past.new_person, listed.number)
        from (
          select person as number from distinct_ids
           where project_id = ${projectId} and distinct_id = any(${[...listed.distinctIds]}::text[])
          union
          select number from persons
           where project_id = ${projectId} and uuid = any(${[...listed.persons]}::uuid[])
        ) as listed
        left join person_overrides as past
          on past.project_id = ${projectId} and past.old_person = listed.number`;
}
