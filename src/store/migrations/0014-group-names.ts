/**
 * Which properties occur in groups of which kind, so that a filter need not look for a property where it never was. Adds a small table with
 * triggers, and reads all property groups once, which takes about a second for each 100,000.
 *
 * A name stays when no group has it any more: it says where to look, not what is there.
 */
import type { Knex } from 'knex';

export const name = '0014-group-names';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table group_names (
      project_id int not null,
      kind smallint not null,                          -- groupKinds in events/contract.ts
      name text not null,
      primary key (project_id, kind, name)
    );

    -- In order, so that writers never wait for each other crosswise.
    create function note_group_names() returns trigger language plpgsql as $$
    begin
      insert into group_names (project_id, kind, name)
      select project_id, kind, name
        from (select distinct project_id, kind, jsonb_object_keys(properties) as name from fresh) as seen
       where not exists (select from group_names k
                          where k.project_id = seen.project_id and k.kind = seen.kind and k.name = seen.name)
       order by 1, 2, 3
          on conflict do nothing;
      return null;
    end $$;
    lock table property_groups in share row exclusive mode;
    create trigger group_names_added after insert on property_groups
      referencing new table as fresh for each statement execute function note_group_names();
    create trigger group_names_changed after update on property_groups
      referencing new table as fresh for each statement execute function note_group_names();

    insert into group_names (project_id, kind, name)
    select distinct project_id, kind, jsonb_object_keys(properties) from property_groups;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop trigger if exists group_names_changed on property_groups;
    drop trigger if exists group_names_added on property_groups;
    drop function if exists note_group_names;
    drop table if exists group_names;
  `);
}
