/** Mails: those that are being sent, those that wait for somebody to pass their link on, and what became of the others. Creates only. */
import type { Knex } from 'knex';

export const name = '0004-mail';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table mails (
      id uuid primary key,                             -- version 7: sorts by time
      created_at timestamptz not null,
      kind text not null,
      to_address text not null,
      language text not null,
      user_id int references users (id) on delete cascade,
      team_id int references teams (id) on delete cascade,
      readable_by text not null,                       -- least role in the team that may copy the link
      subject text not null,
      body bytea,                                      -- encrypted; null: sent, or older than 30 days
      expires_at timestamptz,                          -- end of the link
      state text not null,
      attempts int not null default 0,
      next_attempt_at timestamptz,                     -- only while queued
      sent_at timestamptz,
      error_kind text,
      error_detail text,
      link_shown_at timestamptz,                       -- somebody copied the link: it proves no mailbox any more
      check ((state = 'queued') = (next_attempt_at is not null))
    );
    create index mails_due on mails (next_attempt_at) where state = 'queued';
    create index mails_team on mails (team_id, id desc);
    create index mails_user on mails (user_id);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table if exists mails');
}
