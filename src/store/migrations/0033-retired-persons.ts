/** How many persons went with what retention deleted. Adds a column with a constant default. */
import type { Knex } from 'knex';

export const name = '0033-retired-persons';

export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table retention_log add column persons int not null default 0');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table retention_log drop column if exists persons');
}
