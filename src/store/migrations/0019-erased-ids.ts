/**
 * By which distinct ids somebody was known who was erased, letter for letter: what waited elsewhere is compared with these, and not with what
 * a receipt may be found by. Adds a column.
 */
import type { Knex } from 'knex';

export const name = '0019-erased-ids';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table privacy_requests add column erased_ids bytea[] not null default '{}';   -- keyed hashes
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table privacy_requests drop column if exists erased_ids');
}
