/** Property groups that nothing names any more: set apart, then deleted. Adds a column without a default (a brief lock) and a table. */
import type { Knex } from 'knex';

export const name = '0035-group-looks';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table property_groups add column apart_at timestamptz;   -- not found by its content since then
    create table group_looks (
      project_id int primary key,
      looked_at timestamptz not null                   -- when groups without events were last looked for
    )`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table if exists group_looks; alter table property_groups drop column if exists apart_at');
}
