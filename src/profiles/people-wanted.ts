/** Which people are asked for, as conditions on rows of `persons`. */
import { personsSql } from '#src/columns/filter-sql.ts';
import { type Sql, sql } from '#src/store/sql.ts';
import type { PeopleAsked } from './contract.ts';

/** The same people, said in two ways. */
export interface WantedPeople {
  /** For looking among all of them: by indexes where there are any. */
  found: Sql;
  /** For telling whether these few are among them: from their rows alone. */
  fits: Sql;
}

/** Shorter ones are looked for at the beginning only: nearly everybody has two letters somewhere. */
const SHORTEST_PIECE = 3;

export function wantedPeople(projectId: number, { search, property, everybody }: PeopleAsked): WantedPeople {
  const all = [sql`project_id = ${projectId} and not merged`];
  if (!everybody) all.push(sql`has_profile`);
  const [found, fits] = [[...all], [...all]];
  if (search !== undefined) {
    const by = searched(projectId, search);
    found.push(sql`number in (${by.numbers})`);
    fits.push(by.fits);
  }
  if (property !== undefined) {
    const { name, operator, value } = property;
    const values = operator === 'isSet' ? [] : [value];
    const condition = personsSql({ match: 'all', of: [{ about: 'person', name, operator, values }] });
    found.push(condition);
    fits.push(condition);
    // What the index knows; the condition above decides.
    if (operator === 'is' && value !== '' && !name.startsWith('$') && isStorable(value)) {
      found.push(sql`has_profile and person_words(properties) @> ${[wordOf(value)]}::text[]`);
    }
  }
  return { found: sql.join(found, sql` and `), fits: sql.join(fits, sql` and `) };
}

/** Who has this id, this value, or these letters in an e-mail address or name. */
function searched(projectId: number, search: string): { numbers: Sql; fits: Sql } {
  if (!isStorable(search)) return { numbers: sql`select number from persons where false`, fits: sql`false` };
  const ids = search.includes('@') ? [search, search.toLowerCase()] : [search];
  const letters = `${search.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
  const piece = search.length < SHORTEST_PIECE ? letters : `%${letters}`;
  const profiles = sql`select number from persons where project_id = ${projectId} and has_profile and`;
  const byId = sql`select person from distinct_ids where project_id = ${projectId} and distinct_id = any(${ids}::text[])`;
  const [email, name] = [
    sql`lower(properties ->> 'email') like ${piece}`,
    sql`lower(properties ->> 'name') like ${piece}`,
  ];
  const word = sql`person_words(properties) @> ${[wordOf(search)]}::text[]`;
  // The beginning of each is looked up in an index of its own; a piece is looked for in one pass over all.
  const byLetters =
    search.length < SHORTEST_PIECE
      ? sql`${profiles} ${email} union all ${profiles} ${name}`
      : sql`${profiles} (${email} or ${name})`;
  return {
    numbers: sql`${byId} union all ${byLetters} union all ${profiles} ${word}`,
    fits: sql`(number in (${byId}) or has_profile and (${email} or ${name} or ${word}))`,
  };
}

/** As `person_words` of the database writes them. */
function wordOf(value: string): string {
  return [...value.toLowerCase()].slice(0, 200).join('');
}

function isStorable(value: string): boolean {
  return !value.includes('\0') && value.isWellFormed();
}
