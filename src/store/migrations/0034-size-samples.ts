/** How large the parts of the database were, day by day: how fast it grows. Locks nothing (creates only). */
import type { Knex } from 'knex';

export const name = '0034-size-samples';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table size_samples (
      day date not null,                               -- UTC
      part text not null,                              -- sizeParts in status/contract.ts
      at timestamptz not null,
      bytes bigint not null,
      primary key (day, part)
    )`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table if exists size_samples');
}
