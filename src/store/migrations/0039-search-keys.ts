/**
 * People are found without regard to accents, as rows of tables are: `joao` finds *João*. Rewrites `persons` and builds two of its indexes,
 * which holds up reads and writes of it for some ten to twenty seconds per million people with a profile.
 */
import type { Knex } from 'knex';

export const name = '0039-search-keys';

/** Accents and other signs above and below letters, once they are apart: Latin, Greek and Cyrillic, Hebrew, Arabic, then for any script. */
const ACCENTS =
  '[\\u0300-\\u036f\\u0483-\\u0489\\u0591-\\u05bd\\u064b-\\u065f\\u0670\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20f0\\ufe20-\\ufe2f]+';

/** As migration 0015 made them. */
const keys = (fold: string) => `
    add column name_key text generated always as (case when has_profile then left(${fold}(properties ->> 'name'), 400) end) stored,
    add column word_keys text[] generated always as (case when has_profile then nullif(person_words(properties), '{}') end) stored`;

const words = (fold: string) => `
    create or replace function person_words(properties jsonb) returns text[] language sql immutable parallel safe as $$
      select coalesce(array_agg(distinct left(${fold}(value #>> '{}'), 200)), '{}')
        from jsonb_each(properties)
       where left(key, 1) <> '$' and jsonb_typeof(value) in ('string', 'number', 'boolean') and value #>> '{}' <> ''
    $$;`;

const indexes = `
    create index persons_name on persons (project_id, name_key text_pattern_ops) where name_key is not null;
    create index persons_words on persons using gin (word_keys);`;

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- In lower case and without accents. Dumps restore generated columns with an empty search path, so it is named with its schema.
    create function search_key(value text) returns text language sql immutable parallel safe as $$
      select case when octet_length(value) = length(value) then lower(value)
                  else lower(regexp_replace(normalize(value, NFD), '${ACCENTS}', '', 'g')) end
    $$;
    alter table persons drop column name_key, drop column word_keys;
    ${words('public.search_key')}
    alter table persons ${keys('public.search_key')};
    ${indexes}`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table persons drop column name_key, drop column word_keys;
    ${words('lower')}
    alter table persons ${keys('lower')};
    ${indexes}
    drop function search_key(text);`);
}
