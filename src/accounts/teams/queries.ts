/** SQL of teams and their members. */
import type { Role } from '#src/projects/contract.ts';
import { type Queryable, query, sql } from '#src/store/sql.ts';
import type { TeamId, UserId } from '../contract.ts';

/** Serializes changes of members, so that two changes cannot both remove the last owner. */
export async function lockTeam(on: Queryable, teamId: TeamId): Promise<{ name: string; deletes_at: number | null }> {
  const [row] = await query<{ name: string; deletes_at: number | null }>(
    on,
    sql`select name, deletes_at from teams where id = ${teamId} for no key update`,
  );
  if (row === undefined) throw new Error(`team ${teamId} is gone`);
  return row;
}

export interface MemberRow {
  id: UserId;
  name: string;
  email: string;
  role: Role;
  last_active_at: number | null;
  has_password: boolean;
  has_passkey: boolean;
  issuers: string[];
}

/** Owners first, then by name. */
export function members(on: Queryable, teamId: TeamId): Promise<MemberRow[]> {
  return query(
    on,
    sql`
    select users.id, users.name, users.email, members.role, users.last_active_at,
           users.password_hash is not null as has_password,
           exists (select from passkeys where passkeys.user_id = users.id) as has_passkey,
           array(select distinct issuer from identities where identities.user_id = users.id order by issuer) as issuers
      from members
      join users on users.id = members.user_id
     where members.team_id = ${teamId}
     order by array_position(array['owner', 'admin', 'member', 'viewer'], members.role), users.name, users.id`,
  );
}

export interface OwnerRow {
  id: UserId;
  name: string;
  email: string;
  language: string;
  time_zone: string;
}

export function owners(on: Queryable, teamId: TeamId): Promise<OwnerRow[]> {
  return query(
    on,
    sql`select users.id, users.name, users.email, users.language, users.time_zone
          from members
          join users on users.id = members.user_id and users.disabled_at is null
         where members.team_id = ${teamId} and members.role = 'owner'
         order by members.joined_at, users.id`,
  );
}

/** @param user as it came in: found only in this team */
export async function roleOf(on: Queryable, teamId: TeamId, user: number): Promise<MemberName | null> {
  const [row] = await query<MemberName>(
    on,
    sql`select users.id, users.name, users.email, members.role
          from members
          join users on users.id = members.user_id
         where members.team_id = ${teamId} and members.user_id = ${user}`,
  );
  return row ?? null;
}

export interface MemberName {
  id: UserId;
  name: string;
  email: string;
  role: Role;
}

export async function setRole(on: Queryable, teamId: TeamId, userId: UserId, role: Role): Promise<void> {
  await query(on, sql`update members set role = ${role} where team_id = ${teamId} and user_id = ${userId}`);
}

export async function removeMember(on: Queryable, teamId: TeamId, userId: UserId): Promise<void> {
  await query(on, sql`delete from members where team_id = ${teamId} and user_id = ${userId}`);
}

export async function rename(on: Queryable, teamId: TeamId, name: string): Promise<void> {
  await query(on, sql`update teams set name = ${name} where id = ${teamId}`);
}

export async function teamsOf(on: Queryable, userId: UserId): Promise<number> {
  const [row] = await query<{ count: number }>(
    on,
    sql`select count(*) as count from members where user_id = ${userId}`,
  );
  return row?.count ?? 0;
}

export async function hasBuiltIn(on: Queryable, teamId: TeamId): Promise<boolean> {
  return (await query(on, sql`select from projects where team_id = ${teamId} and built_in`)).length > 0;
}

export async function noteActive(on: Queryable, userId: number, now: number, unlessSince: number): Promise<void> {
  await query(
    on,
    sql`update users
           set last_active_at = ${new Date(now)}
         where id = ${userId} and (last_active_at is null or last_active_at < ${new Date(unlessSince)})`,
  );
}
