/** Which persons a transaction wrote: a list of persons that was made before is brought up to date by these alone. */
import type { Knex } from 'knex';

export const name = '0024-person-changes';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Some minutes are kept. Of project 0, marks: when they were made tells how old what lies before them is.
    create table person_changes (
      project_id int not null,
      xact xid8 not null default pg_current_xact_id(),
      numbers int[] not null,
      marked_at timestamptz
    );
    create index person_changes_xact on person_changes (project_id, xact);
    insert into person_changes (project_id, numbers, marked_at) values (0, '{}', 'epoch')`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table if exists person_changes');
}
