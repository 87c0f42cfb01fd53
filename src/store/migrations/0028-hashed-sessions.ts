/** Sign-in sessions are found by a hash of their id: what lies in the database, or in a copy of it, is no cookie. */
import type { Knex } from 'knex';

export const name = '0028-hashed-sessions';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`update sign_in_sessions set sid = encode(sha256(convert_to(sid, 'UTF8')), 'hex')`);
}

/** The ids cannot be had back: everybody signs in again. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw('delete from sign_in_sessions');
}
