/** Which filters readers of a shared link may change. Adds a column. */
import type { Knex } from 'knex';

export const name = '0059-share-filters';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table share_links
      add column filters text[] not null default '{}'  -- fields of visits (src/sharing/values.ts)
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table share_links drop column if exists filters');
}
