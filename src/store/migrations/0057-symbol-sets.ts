/** What PostHog's command line uploads: releases with their commits, and source maps by chunk. Creates tables only. */
import type { Knex } from 'knex';

export const name = '0057-symbol-sets';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table build_releases (                      -- announced by builds; releases of errors are in table releases
      id uuid primary key,
      project_id int not null,
      hash_id text not null,                           -- the client's name for it
      version text not null,
      name text not null,                              -- of the client's project
      metadata jsonb not null,                         -- bounded; git: branch, commit_id, remote_url
      created_at timestamptz not null,
      unique (project_id, hash_id)
    );
    create index build_releases_of_version on build_releases (project_id, version);

    create table symbol_sets (
      id uuid primary key,
      project_id int not null,
      chunk_id text not null,
      release uuid,                                    -- build_releases.id
      content_hash text,                               -- the client's word
      stored_hash text,                                -- that of the upload; null: not uploaded yet
      created_at timestamptz not null,
      unique (project_id, chunk_id)
    );
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table if exists symbol_sets, build_releases');
}
