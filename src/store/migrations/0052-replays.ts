/** Session replay: recorded sessions, their blocks, and what a project's recordings take. Creates tables only. */
import type { Knex } from 'knex';

export const name = '0052-replays';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table replay_sessions (
      project_id int not null,
      session uuid not null,                           -- $session_id, as sessions.uuid
      week int not null,                               -- of first_at, weeks since 1970-01-01: the partition of its blocks
      first_at timestamptz not null,                   -- by our clock, as those of events
      last_at timestamptz not null,
      received_at timestamptz not null,                -- of the newest block
      skew_ms bigint not null,                         -- ours minus the client's clock; 0 when they agree
      distinct_id text not null,                       -- the newest
      distinct_ids text[] not null,                    -- all
      bytes bigint not null,                           -- of the blocks as they are stored
      raw_bytes bigint not null,                       -- the same as JSON
      active_ms int not null,
      clicks int not null,
      keys int not null,
      errors int not null,                             -- console errors
      warns int not null,
      network_errors int not null,                     -- requests that failed
      rage_clicks int not null,
      pages int not null,
      urls text[] not null,                            -- the first pages
      windows int not null,
      width int,                                       -- of the first viewport, CSS px; null: not known yet
      height int,
      secret_fields jsonb not null,                    -- node ids of password, card and CPF fields, by window
      next_seq int not null,
      packed_at timestamptz,                           -- null: blocks wait to be packed
      primary key (project_id, session)
    ) with (fillfactor = 75, autovacuum_vacuum_scale_factor = 0.02);
    create index replay_sessions_first_at on replay_sessions (project_id, first_at);
    create index replay_sessions_distinct_id on replay_sessions (project_id, distinct_id);
    create index replay_sessions_unpacked on replay_sessions (received_at) where packed_at is null;

    create table replay_blocks (                       -- recorded events of one window: JSON lines, zstd
      project_id int not null,
      session uuid not null,
      week int not null,
      seq int not null,
      window_id text not null,
      from_at timestamptz not null,
      to_at timestamptz not null,
      has_full boolean not null,                       -- begins with a full snapshot: playing can start here
      packed boolean not null,
      raw_length int not null,
      length int not null,
      body bytea,                                      -- null: in the file of blob
      blob bigint,                                     -- blobs.id
      primary key (project_id, session, seq, week)
    ) partition by list (week);
    alter table replay_blocks alter column body set storage external;

    create table replay_uuids (                        -- what was stored in the last two days, against copies
      project_id int not null,
      uuid uuid not null,
      at timestamptz not null,
      primary key (project_id, uuid)
    );
    create index replay_uuids_at on replay_uuids (at);

    create table replay_usage (                        -- what a project's recordings take, measured by a job
      project_id int not null primary key,
      measured_at timestamptz not null,
      bytes bigint not null,
      bytes_week bigint not null,                      -- of sessions of the last seven days
      sessions int not null,
      seconds bigint not null,
      dropped int not null                             -- sessions deleted for the budget, of the last 30 days
    );
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table if exists replay_usage, replay_uuids, replay_blocks, replay_sessions');
}
