/** The format of an account's table downloads. */
import type { Knex } from 'knex';

export const name = '0030-table-format';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table users
      add column table_format text check (table_format in ('comma', 'semicolon', 'xlsx')); -- null: by language
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table users drop column if exists table_format');
}
