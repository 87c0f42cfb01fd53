/** SQL about one's own account: profile, second step, passkeys, spent challenges. */

import type { TableFormat } from '#src/kit/values.ts';
import { type Queryable, query, sql } from '#src/store/sql.ts';
import { emailKey } from '../queries.ts';
import type { ProfileInput } from './contract.ts';

export interface OwnRow {
  email: string;
  name: string;
  language: string;
  time_zone: string;
  table_format: TableFormat | null;
  password_hash: string | null;
  totp_secret: string | null;
  totp_confirmed_at: number | null;
}

export async function own(on: Queryable, userId: number): Promise<OwnRow | null> {
  const [row] = await query<OwnRow>(
    on,
    sql`select email, name, language, time_zone, table_format, password_hash, totp_secret, totp_confirmed_at
          from users where id = ${userId} and disabled_at is null`,
  );
  return row ?? null;
}

export async function setProfile(
  on: Queryable,
  userId: number,
  { name, language, timeZone, tableFormat }: ProfileInput,
): Promise<void> {
  await query(
    on,
    sql`update users
           set name = ${name}, language = ${language}, time_zone = ${timeZone},
               table_format = ${tableFormat === undefined ? sql`table_format` : sql`${tableFormat}`}
         where id = ${userId}`,
  );
}

export async function hasAddress(on: Queryable, email: string): Promise<boolean> {
  const [row] = await query<{ taken: boolean }>(
    on,
    sql`select exists (select from users where email_key = ${emailKey(email)}) as taken`,
  );
  return row?.taken ?? false;
}

/** The current address, locked until the transaction ends; null when the account is deleted. */
export async function addressForChange(on: Queryable, userId: number): Promise<OwnRow | null> {
  const [row] = await query<OwnRow>(
    on,
    sql`select email, name, language, time_zone, table_format, password_hash, totp_secret, totp_confirmed_at
          from users where id = ${userId} and disabled_at is null for update`,
  );
  return row ?? null;
}

/** @throws AppError `conflict` when the address has an account */
export async function setAddress(on: Queryable, userId: number, email: string, now: number): Promise<void> {
  await query(
    on,
    sql`update users set email = ${email}, email_key = ${emailKey(email)}, email_verified_at = ${new Date(now)}
         where id = ${userId}`,
  );
}

/** False when the second step is on already. */
export async function setTotp(on: Queryable, userId: number, sealed: string): Promise<boolean> {
  const changed = await query(
    on,
    sql`update users set totp_secret = ${sealed}, totp_last_step = null
         where id = ${userId} and totp_confirmed_at is null returning id`,
  );
  return changed.length > 0;
}

/** False when it is on already, or was begun again meanwhile. */
export async function confirmTotp(on: Queryable, userId: number, sealed: string, now: number): Promise<boolean> {
  const changed = await query(
    on,
    sql`update users set totp_confirmed_at = ${new Date(now)}
         where id = ${userId} and totp_secret = ${sealed} and totp_confirmed_at is null returning id`,
  );
  return changed.length > 0;
}

/** Takes a code's step; false when it, or a later one, was taken before. */
export async function takeStep(on: Queryable, userId: number, step: number): Promise<boolean> {
  const taken = await query(
    on,
    sql`update users set totp_last_step = ${step}
         where id = ${userId} and (totp_last_step is null or totp_last_step < ${step}) returning id`,
  );
  return taken.length > 0;
}

export async function clearTotp(on: Queryable, userId: number): Promise<void> {
  await query(
    on,
    sql`update users set totp_secret = null, totp_confirmed_at = null, totp_last_step = null where id = ${userId}`,
  );
  await query(on, sql`delete from recovery_codes where user_id = ${userId}`);
}

export async function setRecoveryCodes(on: Queryable, userId: number, hashes: readonly Buffer[]): Promise<void> {
  await query(on, sql`delete from recovery_codes where user_id = ${userId}`);
  await query(
    on,
    sql`insert into recovery_codes (user_id, hash) select ${userId}::int, unnest(${[...hashes]}::bytea[])`,
  );
}

/** False when there is no such code, or it was used. */
export async function spendRecoveryCode(on: Queryable, userId: number, hash: Buffer, now: number): Promise<boolean> {
  const used = await query(
    on,
    sql`update recovery_codes set used_at = ${new Date(now)}
         where user_id = ${userId} and hash = ${hash} and used_at is null returning user_id`,
  );
  return used.length > 0;
}

export async function recoveryCodesLeft(on: Queryable, userId: number): Promise<number> {
  const [row] = await query<{ left: number }>(
    on,
    sql`select count(*) as left from recovery_codes where user_id = ${userId} and used_at is null`,
  );
  return Number(row?.left ?? 0);
}

export interface PasskeyRow {
  credential_id: string;
  user_id: number;
  public_key: Buffer;
  counter: number;
  transports: string[];
  name: string;
  created_at: number;
  last_used_at: number | null;
}

export async function passkeysOf(on: Queryable, userId: number): Promise<PasskeyRow[]> {
  return query(
    on,
    sql`select credential_id, user_id, public_key, counter, transports, name, created_at, last_used_at
          from passkeys where user_id = ${userId} order by created_at, credential_id`,
  );
}

/** A passkey of someone who may sign in. */
export async function passkey(on: Queryable, credentialId: string): Promise<PasskeyRow | null> {
  const [row] = await query<PasskeyRow>(
    on,
    sql`select credential_id, user_id, public_key, counter, transports, passkeys.name, passkeys.created_at, last_used_at
          from passkeys
          join users on users.id = passkeys.user_id and users.disabled_at is null
         where credential_id = ${credentialId}`,
  );
  return row ?? null;
}

/** @throws AppError `conflict` when it is registered already */
export async function insertPasskey(
  on: Queryable,
  row: Pick<PasskeyRow, 'credential_id' | 'user_id' | 'public_key' | 'counter' | 'transports' | 'name'>,
  now: number,
): Promise<void> {
  await query(
    on,
    sql`insert into passkeys (credential_id, user_id, public_key, counter, transports, name, created_at)
        values (${row.credential_id}, ${row.user_id}, ${row.public_key}, ${row.counter}, ${row.transports}, ${row.name},
                ${new Date(now)})`,
  );
}

export async function renamePasskey(on: Queryable, userId: number, credentialId: string, name: string) {
  const changed = await query(
    on,
    sql`update passkeys set name = ${name} where user_id = ${userId} and credential_id = ${credentialId} returning name`,
  );
  return changed.length > 0;
}

/** Its name; null when they have none of this id. */
export async function removePasskey(on: Queryable, userId: number, credentialId: string): Promise<string | null> {
  const [gone] = await query<{ name: string }>(
    on,
    sql`delete from passkeys where user_id = ${userId} and credential_id = ${credentialId} returning name`,
  );
  return gone?.name ?? null;
}

/** False when a later use has been noted already: then this answer is a copy. */
export async function notePasskeyUse(on: Queryable, credentialId: string, counter: number, now: number) {
  const noted = await query(
    on,
    sql`update passkeys set counter = ${counter}, last_used_at = ${new Date(now)}
         where credential_id = ${credentialId} and (counter < ${counter} or (counter = 0 and ${counter} = 0))
        returning credential_id`,
  );
  return noted.length > 0;
}

const CHALLENGE = 'passkey-challenge';

/** Marks a challenge as answered; false when it was. Forgets those that have ended by themselves. */
export async function spendChallenge(on: Queryable, hash: Buffer, until: number, now: number): Promise<boolean> {
  await query(on, sql`delete from one_time_links where purpose = ${CHALLENGE} and expires_at < ${new Date(now)}`);
  const spent = await query(
    on,
    sql`insert into one_time_links (hash, purpose, email, expires_at, used_at, created_at)
        values (${hash}, ${CHALLENGE}, '', ${new Date(until)}, ${new Date(now)}, ${new Date(now)})
        on conflict (hash) do nothing
        returning hash`,
  );
  return spent.length > 0;
}
