/** What a project calls its group types: one of them, and several. Null: as events name the type. */
import type { Knex } from 'knex';

export const name = '0050-group-type-words';

export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table group_types add column singular text, add column plural text');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table group_types drop column if exists singular, drop column if exists plural');
}
