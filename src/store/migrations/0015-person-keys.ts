/**
 * What people are found by stands in columns of its own. An index over an expression of `properties` is written anew with every change of any
 * property, and all other indexes of the row with it; one over a column that stays as it was is left alone (a HOT update). Rewrites `persons`
 * and builds its indexes, which holds up reads and writes of it for some ten to twenty seconds per million people with a profile.
 */
import type { Knex } from 'knex';

export const name = '0015-person-keys';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index persons_words, persons_email, persons_name;
    -- Null for whoever has no profile. Beyond 400 characters nobody is looked for, and an index could not hold it.
    alter table persons
      add column email_key text generated always as (case when has_profile then left(lower(properties ->> 'email'), 400) end) stored,
      add column name_key text generated always as (case when has_profile then left(lower(properties ->> 'name'), 400) end) stored,
      add column word_keys text[] generated always as (case when has_profile then nullif(person_words(properties), '{}') end) stored;
    create index persons_email on persons (project_id, email_key text_pattern_ops) where email_key is not null;
    create index persons_name on persons (project_id, name_key text_pattern_ops) where name_key is not null;
    create index persons_words on persons using gin (word_keys);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table persons drop column email_key, drop column name_key, drop column word_keys;
    create index persons_words on persons using gin (person_words(properties)) where has_profile;
    create index persons_email on persons (project_id, lower(properties ->> 'email') text_pattern_ops) where has_profile;
    create index persons_name on persons (project_id, lower(properties ->> 'name') text_pattern_ops) where has_profile;
  `);
}
