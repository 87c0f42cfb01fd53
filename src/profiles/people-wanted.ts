/** The filter of people, as conditions on rows of `persons`. */
import { personsSql } from '#src/columns/filters/filter-sql.ts';
import { COHORT } from '#src/columns/values.ts';
import { isUuid } from '#src/kit/ids.ts';
import type { Reader } from '#src/kit/reading/reader.ts';
import { type Sql, sql } from '#src/store/sql.ts';
import type { PeopleQuery } from './contract.ts';

/** The same filter in two forms. */
export interface WantedPeople {
  /** To search all people, by an index or in one scan: people matching any of these conditions. */
  found: Sql[];
  /** To check few people, from their rows alone. */
  fits: Sql;
}

/** Shorter searches match only the beginning: nearly everyone has two letters somewhere. */
const SHORTEST_PIECE = 3;

/** Whom is asked for; of the cohort, its name. */
export type Wanted = Pick<PeopleQuery, 'search' | 'property' | 'everybody'> & { cohort?: string | undefined };

/** @param reader how the project reads values */
export function wantedPeople(
  projectId: number,
  reader: Reader,
  { search, property, everybody, cohort }: Wanted,
): WantedPeople {
  const all = [sql`project_id = ${projectId} and not merged`];
  if (!everybody) all.push(sql`has_profile`);
  const indexed: Sql[] = [];
  if (cohort !== undefined) {
    all.push(
      personsSql(reader, {
        match: 'all',
        of: [{ about: 'person', name: COHORT, operator: 'equals', values: [cohort] }],
      }),
    );
  }
  if (property !== undefined) {
    const { name, operator, value } = property;
    const values = operator === 'isSet' ? [] : [value];
    all.push(personsSql(reader, { match: 'all', of: [{ about: 'person', name, operator, values }] }));
    // Uses the index; the previous condition is exact.
    if (operator === 'equals' && value !== '' && !name.startsWith('$') && isStorable(value)) {
      indexed.push(sql`word_keys @> ${wordsOf(value)}`);
    }
  }
  if (search === undefined) return { found: [both(...all, ...indexed)], fits: both(...all) };
  const ways = waysTo(projectId, search);
  return { found: ways.map((way) => both(...all, ...indexed, way)), fits: both(...all, sql`(${either(ways)})`) };
}

/**
 * People with this distinct id, this current or merged uuid, this value, or this text in an email address or name. Case-insensitive;
 * accents are ignored in names and values.
 */
function waysTo(projectId: number, search: string): Sql[] {
  if (!isStorable(search)) return [sql`false`];
  const ids = search.includes('@') ? [search, search.toLowerCase()] : [search];
  const letters = `${search.replace(/[\\%_]/g, '\\$&')}%`;
  const isShort = search.length < SHORTEST_PIECE;
  const piece = isShort ? letters : `%${letters}`;
  const email = sql`email_key like ${piece.toLowerCase()}`;
  const name = sql`name_key like search_key(${piece})`;
  return [
    sql`number in (select person from distinct_ids where project_id = ${projectId} and distinct_id = any(${ids}::text[]))`,
    // Prefixes use an index each; infixes need one scan.
    ...(isShort ? [email, name] : [sql`has_profile and (${email} or ${name})`]),
    sql`word_keys @> ${wordsOf(search)}`,
    ...(isUuid(search) ? [sql`number = (${whoIsNow(projectId, search)})`] : []),
  ];
}

/** The current person of a uuid, which may be that of a merged person. */
function whoIsNow(projectId: number, uuid: string): Sql {
  return sql`
    select coalesce(o.new_person, own.number)
      from persons own
      left join person_overrides o on o.project_id = own.project_id and o.old_person = own.number
     where own.project_id = ${projectId} and own.uuid = ${uuid}::uuid`;
}

const both = (...all: Sql[]) => sql.join(all, sql` and `);
const either = (ways: Sql[]) => sql.join(ways, sql` or `);

/** Words in the form of the database function `person_words`. */
function wordsOf(value: string): Sql {
  return sql`array[left(search_key(${value}), 200)]`;
}

function isStorable(value: string): boolean {
  return !value.includes('\0') && value.isWellFormed();
}
