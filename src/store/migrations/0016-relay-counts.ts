/**
 * What is counted, beyond the process that counted it: requests that are passed on to an upstream, and warnings that waited on some disk. Adds
 * two small tables, and a column to the mirror's queue.
 */
import type { Knex } from 'knex';

export const name = '0016-relay-counts';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- A row for each process, written over as it counts. The row of nobody: what was counted with the queue, and by processes long gone.
    create table relay_counts (
      process uuid primary key,
      passed bigint not null,
      failed bigint not null,
      skipped bigint not null,
      problem_at timestamptz,
      problem text,
      began_at timestamptz not null,
      touched_at timestamptz not null
    );
    -- Warnings that waited on some disk and are counted: its files may be read again.
    create table ingestion_kept (
      id uuid primary key,
      at timestamptz not null
    );
    alter table relay_queue add column project_id int;   -- null: the token belonged to nobody, or could not be looked up
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table relay_queue drop column if exists project_id;
    drop table if exists ingestion_kept, relay_counts;
  `);
}
