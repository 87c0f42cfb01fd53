/** Says on a channel whose rights may have become less, whatever changed them, so that open streams end at once. */
import type { Knex } from 'knex';

export const name = '0027-access-notices';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create function notify_access() returns trigger language plpgsql as $$
    declare
      person text := case tg_table_name
        when 'members' then to_jsonb(old) ->> 'user_id'
        when 'users' then to_jsonb(old) ->> 'id'
        else to_jsonb(old) #>> '{sess,passport,user}'
      end;
    begin
      if person is not null then
        perform pg_notify('luneta_access', person);
      end if;
      return null;
    end $$;

    create trigger members_less after delete or update of role on members
      for each row execute function notify_access();
    create trigger users_disabled after update of disabled_at on users
      for each row execute function notify_access();
    create trigger sign_in_sessions_ended after delete on sign_in_sessions
      for each row execute function notify_access();
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop trigger members_less on members;
    drop trigger users_disabled on users;
    drop trigger sign_in_sessions_ended on sign_in_sessions;
    drop function notify_access();
  `);
}
