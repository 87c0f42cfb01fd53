/** What the recurring jobs did last, for the screen that shows it. Locks nothing (creates only). */
import type { Knex } from 'knex';

export const name = '0002-job-runs';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table job_runs (
      name text primary key,
      started_at timestamptz not null,
      finished_at timestamptz,                         -- null: running, or its process was killed
      succeeded_at timestamptz,                        -- end of the newest run without an error
      took_ms int,
      failures int not null default 0,                 -- in a row
      error text
    );
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table if exists job_runs');
}
