/** SQL of the accounts room. */
import type { TableFormat } from '#src/kit/values.ts';
import type { Role } from '#src/projects/contract.ts';
import { type Queryable, query, sql } from '#src/store/sql.ts';

export interface ReaderRow {
  id: number;
  uuid: string;
  name: string;
  email: string;
  email_verified_at: number | null;
  language: string;
  time_zone: string;
  table_format: TableFormat | null;
  operator: boolean;
  teams: { id: number; name: string; role: Role; deletes_at: string | null }[];
}

/** A person who may sign in, with their teams, in one look. */
export async function reader(on: Queryable, userId: number): Promise<ReaderRow | null> {
  const [row] = await query<ReaderRow>(
    on,
    sql`
    select users.id, users.uuid, users.name, users.email, users.email_verified_at, users.language, users.time_zone,
           users.table_format,
           exists (select
                     from members
                     join projects on projects.team_id = members.team_id and projects.built_in
                    where members.user_id = users.id and members.role = 'owner') as operator,
           coalesce((select json_agg(json_build_object('id', teams.id, 'name', teams.name, 'role', members.role,
                                                       'deletes_at', teams.deletes_at) order by teams.name, teams.id)
                       from members
                       join teams on teams.id = members.team_id
                      where members.user_id = users.id), '[]') as teams
      from users
     where users.id = ${userId} and users.disabled_at is null`,
  );
  return row ?? null;
}

/** False until someone has set the installation up. */
export async function hasUsers(on: Queryable): Promise<boolean> {
  const [row] = await query<{ found: boolean }>(on, sql`select exists (select from users) as found`);
  return row?.found ?? false;
}

/** Advisory lock: two simultaneous set-ups create one owner. */
const SET_UP_LOCK = 7_135_201_122;

export async function lockSetUp(on: Queryable): Promise<void> {
  await query(on, sql`select pg_advisory_xact_lock(${SET_UP_LOCK})`);
}

export interface NewUser {
  uuid: string;
  email: string;
  name: string;
  language: string;
  timeZone: string;
  passwordHash: string | null;
  verifiedAt: number | null;
}

/** @throws AppError `conflict` when the address has an account */
export async function insertUser(on: Queryable, user: NewUser, now: number): Promise<number> {
  const verifiedAt = user.verifiedAt === null ? null : new Date(user.verifiedAt);
  const [row] = await query<{ id: number }>(
    on,
    sql`insert into users (uuid, email, email_key, email_verified_at, name, language, time_zone, password_hash, created_at)
        values (${user.uuid}, ${user.email}, ${emailKey(user.email)}, ${verifiedAt}, ${user.name}, ${user.language},
                ${user.timeZone}, ${user.passwordHash}, ${new Date(now)})
        returning id`,
  );
  return (row as { id: number }).id;
}

export async function insertTeam(on: Queryable, name: string, now: number): Promise<number> {
  const [row] = await query<{ id: number }>(
    on,
    sql`insert into teams (name, created_at) values (${name}, ${new Date(now)}) returning id`,
  );
  return (row as { id: number }).id;
}

export async function insertMember(on: Queryable, teamId: number, userId: number, role: Role, now: number) {
  await query(
    on,
    sql`insert into members (team_id, user_id, role, joined_at) values (${teamId}, ${userId}, ${role}, ${new Date(now)})`,
  );
}

export async function passwordOf(on: Queryable, email: string): Promise<{ id: number; hash: string | null } | null> {
  const [row] = await query<{ id: number; hash: string | null }>(
    on,
    sql`select id, password_hash as hash from users where email_key = ${emailKey(email)} and disabled_at is null`,
  );
  return row ?? null;
}

export async function setPasswordHash(on: Queryable, userId: number, hash: string): Promise<void> {
  await query(on, sql`update users set password_hash = ${hash} where id = ${userId}`);
}

/** Under which an address is found: case is not distinguished. */
export function emailKey(email: string): string {
  return email.trim().normalize('NFC').toLowerCase();
}

/** The subset of these sessions, people and teams that are still valid, to check open streams against. */
export async function stillThere(
  on: Queryable,
  watches: readonly { sid: string; userId: number; teamId: number }[],
  { startedAfter, seenAfter }: { startedAfter: number; seenAfter: number },
): Promise<{ sid: string; team_id: number; role: Role }[]> {
  return query(
    on,
    sql`
    select asked.sid, members.team_id, members.role
      from unnest(${watches.map(({ sid }) => sid)}::text[], ${watches.map(({ userId }) => userId)}::int[],
                  ${watches.map(({ teamId }) => teamId)}::int[]) as asked (sid, user_id, team_id)
      join sign_in_sessions on sign_in_sessions.sid = asked.sid
                           and (sess #>> '{luneta,startedAt}')::float8 >= ${startedAfter}
                           and (sess #>> '{luneta,seenAt}')::float8 >= ${seenAfter}
      join users on users.id = asked.user_id and users.disabled_at is null
      join members on members.user_id = asked.user_id and members.team_id = asked.team_id`,
  );
}
