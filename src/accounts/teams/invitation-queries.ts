/** SQL of invitations. */
import type { Role } from '#src/projects/contract.ts';
import { type Queryable, query, sql } from '#src/store/sql.ts';
import type { TeamId, UserId } from '../contract.ts';

export interface InvitationRow {
  id: number;
  email: string;
  role: Role;
  inviter: string | null;
  mail_id: string | null;
  created_at: number;
  expires_at: number;
}

/** Neither accepted nor withdrawn, the latest first. */
export function waiting(on: Queryable, teamId: TeamId): Promise<InvitationRow[]> {
  return query(
    on,
    sql`select invitations.id, invitations.email, invitations.role, users.name as inviter, invitations.mail_id,
               invitations.created_at, invitations.expires_at
          from invitations
          left join users on users.id = invitations.invited_by
         where invitations.team_id = ${teamId} and accepted_at is null and revoked_at is null
         order by invitations.created_at desc, invitations.id desc`,
  );
}

/** One that waits, held until the end of the transaction. */
export async function waitingOne(on: Queryable, teamId: TeamId, id: number): Promise<InvitationRow | null> {
  const [row] = await query<InvitationRow>(
    on,
    sql`select id, email, role, null as inviter, mail_id, created_at, expires_at
          from invitations
         where team_id = ${teamId} and id = ${id} and accepted_at is null and revoked_at is null
           for update`,
  );
  return row ?? null;
}

export interface NewInvitation {
  email: string;
  role: Role;
  hash: Buffer;
  mailId: string | null;
  invitedBy: UserId;
  expiresAt: number;
}

export async function insert(on: Queryable, teamId: TeamId, made: NewInvitation, now: number): Promise<number> {
  const [row] = await query<{ id: number }>(
    on,
    sql`insert into invitations (team_id, email, role, hash, mail_id, invited_by, expires_at, created_at)
        values (${teamId}, ${made.email}, ${made.role}, ${made.hash}, ${made.mailId}, ${made.invitedBy},
                ${new Date(made.expiresAt)}, ${new Date(now)})
        returning id`,
  );
  return (row as { id: number }).id;
}

export async function replaceLink(
  on: Queryable,
  id: number,
  made: Pick<NewInvitation, 'hash' | 'mailId' | 'expiresAt'>,
): Promise<void> {
  await query(
    on,
    sql`update invitations
           set hash = ${made.hash}, mail_id = ${made.mailId}, expires_at = ${new Date(made.expiresAt)}
         where id = ${id}`,
  );
}

export async function revoke(on: Queryable, id: number, now: number): Promise<void> {
  await query(on, sql`update invitations set revoked_at = ${new Date(now)} where id = ${id}`);
}

/** Revokes the invitations to one address: a new one replaces them. */
export async function revokeTo(on: Queryable, teamId: TeamId, email: string, now: number): Promise<void> {
  await query(
    on,
    sql`update invitations
           set revoked_at = ${new Date(now)}
         where team_id = ${teamId} and lower(email) = lower(${email}) and accepted_at is null and revoked_at is null`,
  );
}

/** Revokes invitations into these roles by a person who may no longer make them. */
export async function revokeFrom(
  on: Queryable,
  teamId: TeamId,
  userId: UserId,
  into: readonly Role[],
  now: number,
): Promise<void> {
  await query(
    on,
    sql`update invitations
           set revoked_at = ${new Date(now)}
         where team_id = ${teamId} and invited_by = ${userId} and role = any(${[...into]}::text[])
           and accepted_at is null and revoked_at is null`,
  );
}

export interface FoundInvitation {
  id: number;
  team_id: TeamId;
  team: string;
  team_deletes_at: number | null;
  email: string;
  role: Role;
  inviter: string | null;
  mail_id: string | null;
  expires_at: number;
  accepted_at: number | null;
  revoked_at: number | null;
}

export async function byHash(on: Queryable, hash: Buffer, lock: 'held' | 'free'): Promise<FoundInvitation | null> {
  const [row] = await query<FoundInvitation>(
    on,
    sql`select invitations.id, invitations.team_id, teams.name as team, teams.deletes_at as team_deletes_at,
               invitations.email, invitations.role, users.name as inviter, invitations.mail_id,
               invitations.expires_at, invitations.accepted_at, invitations.revoked_at
          from invitations
          join teams on teams.id = invitations.team_id
          left join users on users.id = invitations.invited_by
         where invitations.hash = ${hash} ${lock === 'held' ? sql`for update of invitations` : sql.empty}`,
  );
  return row ?? null;
}

export async function accept(on: Queryable, id: number, now: number): Promise<void> {
  await query(on, sql`update invitations set accepted_at = ${new Date(now)} where id = ${id}`);
}

export async function isMember(on: Queryable, teamId: TeamId, email: string): Promise<boolean> {
  const found = await query(
    on,
    sql`select from members
          join users on users.id = members.user_id
         where members.team_id = ${teamId} and users.email_key = ${email}`,
  );
  return found.length > 0;
}

export async function languageOf(on: Queryable, emailKey: string): Promise<string | null> {
  const [row] = await query<{ language: string }>(on, sql`select language from users where email_key = ${emailKey}`);
  return row?.language ?? null;
}
