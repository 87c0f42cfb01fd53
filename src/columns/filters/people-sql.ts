/**
 * Sets of persons as conditions on rows of `events`: the same persons as the engine's (people.ts), which tests hold them to. Only for looking
 * at rows, and for the SQL that explains a number.
 */

import { eventMarks } from '#src/events/contract.ts';
import { type Sql, sql } from '#src/store/sql.ts';
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
    ) in (${'listed' in criterion ? listedSql(projectId, criterion.listed) : didSql(rows, criterion)})`;
}

function didSql(rows: FilteredRows, { did, within, least }: Extract<PersonCriterion, { did: Rules }>): Sql {
  const { projectId } = rows;
  const inside = { ...rows, ...within };
  const rules = did.map(({ names, filters }) => {
    const conditions = filters.filter(({ of }) => of.length > 0).map((each) => filterSql(inside, each));
    if (names !== null) conditions.unshift(namesSql(inside, names));
    return conditions.length === 0 ? sql`true` : sql`(${sql.join(conditions, sql` and `)})`;
  });
  return sql`
      select coalesce(past.new_person, events.person)
        from events
        left join person_overrides as past
          on past.project_id = events.project_id and past.old_person = events.person
       where events.project_id = ${projectId}
         and events.ts >= ${sql.time(within.from)} and events.ts < ${sql.time(within.until)}
         and events.marks & ${eventMarks.bot} = 0
         and ${rules.length === 0 ? sql`false` : sql`(${sql.join(rules, sql` or `)})`}
       group by 1
      having count(*) >= ${least}`;
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
