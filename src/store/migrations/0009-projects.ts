/** Tokens that we made are told from those brought along. Adds a column with a constant default: no rewrite, a brief lock. */
import type { Knex } from 'knex';

export const name = '0009-projects';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table project_tokens add column ours boolean not null default false;
    update project_tokens set ours = true where token like 'lnt\\_%';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table project_tokens drop column ours');
}
