/** SQL about sign-in sessions. Rows come into being in the web room's store; what changes them here never brings one back. */
import { type Queryable, query, sql } from '#src/store/sql.ts';
import type { SignInMethod } from './contract.ts';

export interface SignInRow {
  sid: string;
  /** The id shown on the person's screens; the sid itself is never sent. */
  id: string;
  how: SignInMethod;
  user_agent: string;
  address: string;
  started_at: number;
  seen_at: number;
}

export async function ofUser(on: Queryable, userId: number, now: number): Promise<SignInRow[]> {
  return query(
    on,
    sql`
    select sid, encode(sha256(convert_to(sid, 'UTF8')), 'hex') as id,
           sess #>> '{luneta,how}' as how, sess #>> '{luneta,userAgent}' as user_agent,
           sess #>> '{luneta,address}' as address, (sess #>> '{luneta,startedAt}')::float8 as started_at,
           (sess #>> '{luneta,seenAt}')::float8 as seen_at
      from sign_in_sessions
     where sess #>> '{passport,user}' = ${String(userId)} and expire > ${new Date(now)}
     order by seen_at desc, sid`,
  );
}

/** True when a session was used since. */
export async function anySeen(on: Queryable, since: number): Promise<boolean> {
  const [row] = await query<{ seen: boolean }>(
    on,
    sql`select exists (
          select from sign_in_sessions
           where sess #>> '{passport,user}' is not null and (sess #>> '{luneta,seenAt}')::float8 >= ${since}
        ) as seen`,
  );
  return row?.seen === true;
}

export async function endOne(on: Queryable, userId: number, id: string): Promise<number> {
  const ended = await query(
    on,
    sql`delete from sign_in_sessions
         where sess #>> '{passport,user}' = ${String(userId)} and encode(sha256(convert_to(sid, 'UTF8')), 'hex') = ${id}
        returning 1 as ended`,
  );
  return ended.length;
}

/** Ends their other sessions, pending sign-ins included. */
export async function endOthers(on: Queryable, userId: number, sid: string): Promise<number> {
  const ended = await query(
    on,
    sql`delete from sign_in_sessions
         where sid <> ${sid}
           and (sess #>> '{passport,user}' = ${String(userId)} or sess #>> '{luneta_pending,userId}' = ${String(userId)})
        returning 1 as ended`,
  );
  return ended.length;
}

export async function noteSeen(on: Queryable, sid: string, at: number, until: number): Promise<void> {
  await query(
    on,
    sql`update sign_in_sessions
           set sess = jsonb_set(sess::jsonb, '{luneta,seenAt}', to_jsonb(${at}::float8))::json, expire = ${new Date(until)}
         where sid = ${sid}`,
  );
}

export async function noteProved(on: Queryable, sid: string, at: number): Promise<void> {
  await query(
    on,
    sql`update sign_in_sessions
           set sess = jsonb_set(sess::jsonb, '{luneta,provedAt}', to_jsonb(${at}::float8))::json
         where sid = ${sid}`,
  );
}

/** False when the session has ended. */
export async function noteJourney(on: Queryable, sid: string, journey: object): Promise<boolean> {
  const noted = await query(
    on,
    sql`update sign_in_sessions set sess = jsonb_set(sess::jsonb, '{luneta_journey}', ${sql.json(journey)})::json
         where sid = ${sid} returning 1 as noted`,
  );
  return noted.length > 0;
}

/** Only the first to ask gets it. */
export async function takeJourney<Journey>(on: Queryable, sid: string): Promise<Journey | null> {
  const [taken] = await query<{ journey: Journey }>(
    on,
    sql`with before as (
          select sid, sess -> 'luneta_journey' as journey
            from sign_in_sessions where sid = ${sid} and sess -> 'luneta_journey' is not null for update
        )
        update sign_in_sessions s set sess = (s.sess::jsonb - 'luneta_journey')::json
          from before where s.sid = before.sid
        returning before.journey`,
  );
  return taken?.journey ?? null;
}
