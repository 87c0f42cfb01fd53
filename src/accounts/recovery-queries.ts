/** SQL for sign-in links by email. */
import { type Queryable, query, type Sql, sql } from '#src/store/sql.ts';
import { emailKey } from './queries.ts';

export interface PersonRow {
  id: number;
  name: string;
  email: string;
  email_verified_at: number | null;
  language: string;
  time_zone: string;
  /** Null for someone in no team, or in several. */
  only_team: number | null;
}

/** Someone who may sign in. */
async function person(on: Queryable, who: Sql): Promise<PersonRow | null> {
  const [row] = await query<PersonRow>(
    on,
    sql`select id, name, email, email_verified_at, language, time_zone,
               (select min(team_id) from members where user_id = users.id having count(*) = 1) as only_team
          from users where ${who} and disabled_at is null`,
  );
  return row ?? null;
}

export const personByEmail = (on: Queryable, email: string) => person(on, sql`email_key = ${emailKey(email)}`);

export const personById = (on: Queryable, id: number) => person(on, sql`id = ${id}`);

export async function markVerified(on: Queryable, userId: number, now: number): Promise<void> {
  await query(
    on,
    sql`update users set email_verified_at = coalesce(email_verified_at, ${new Date(now)}) where id = ${userId}`,
  );
}

/** Passkeys and accounts of other services end. */
export async function removeOtherSignIns(on: Queryable, userId: number): Promise<void> {
  await query(on, sql`delete from passkeys where user_id = ${userId}`);
  await query(on, sql`delete from identities where user_id = ${userId}`);
}

/** Owners of teams, those of the installation's own project first: who may be let in from the command line. */
export async function owners(on: Queryable): Promise<{ id: number; name: string; email: string }[]> {
  return query(
    on,
    sql`select users.id, users.name, users.email
          from users
          join members on members.user_id = users.id and members.role = 'owner'
          left join projects on projects.team_id = members.team_id and projects.built_in
         where users.disabled_at is null
         group by users.id
         order by bool_or(projects.id is not null) desc, users.id`,
  );
}
