/** What an erasure has set apart, to be emptied by its next look, and when it looked last. Adds two columns. */
import type { Knex } from 'knex';

export const name = '0025-groups-apart';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table privacy_requests
      add column groups_apart jsonb not null default '{}',   -- numbers of property groups by kind, only until it is done
      add column looked_at timestamptz;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table privacy_requests drop column if exists groups_apart, drop column if exists looked_at');
}
