/** Features that people can turn on for themselves. Creates one table. */
import type { Knex } from 'knex';

export const name = '0060-early-access';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table early_access_features (
      project_id int not null,
      flag int not null,                               -- flags.id
      name text not null,
      description text not null,
      stage text not null,                             -- src/flags/values.ts
      documentation_url text,
      created_at timestamptz not null,
      changed_at timestamptz not null,
      primary key (project_id, flag)
    );
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table if exists early_access_features');
}
