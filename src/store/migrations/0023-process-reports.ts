/** What each process says of itself, so that screens show the same whichever process draws them, and after a restart. */
import type { Knex } from 'knex';

export const name = '0023-process-reports';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Some small rows for each process, written over while it runs; they stay for a day after it is over.
    create table process_reports (
      process uuid,
      part text,
      says jsonb not null,
      at timestamptz not null,
      is_over bool not null,
      primary key (process, part)
    )`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table if exists process_reports');
}
