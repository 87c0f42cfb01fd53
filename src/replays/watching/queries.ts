/** SQL of recordings as they are looked for, and of what people keep of them. */
import { type GroupKind, groupKinds } from '#src/events/contract.ts';
import type { JsonObject } from '#src/kit/json.ts';
import { type Queryable, query, type Sql, sql } from '#src/store/sql.ts';
import type { ReplayListQuery } from './contract.ts';
import { REPLAYS_PER_PAGE, type ReplayShow, type ReplaySort } from './values.ts';

/** Which recordings are meant. */
export interface WantedReplays
  extends Pick<ReplayListQuery, 'search' | 'minSeconds' | 'maxSeconds' | 'show' | 'sort' | 'page'> {
  projectId: number;
  from: number;
  to: number;
  /** An event of the session fulfils this condition on rows of `events`. */
  event: Sql | null;
  /** Numbers of the person. */
  persons: readonly number[] | null;
  /** users.id of the reader. */
  reader: number;
  /** Texts of distinct ids may be searched. */
  seesPersons: boolean;
}

export interface ReplayRow {
  session: string;
  firstAt: number;
  lastAt: number;
  activeMs: number;
  clicks: number;
  keys: number;
  errors: number;
  rageClicks: number;
  pages: number;
  urls: string[];
  width: number | null;
  windows: number;
  distinctId: string;
  personUuid: string | null;
  identified: boolean | null;
  personProperties: JsonObject | null;
  isWatched: boolean;
  page: JsonObject | null;
  exit: JsonObject | null;
  device: JsonObject | null;
  geo: JsonObject | null;
  source: JsonObject | null;
}

const duration = sql`extract(epoch from r.last_at - r.first_at)`;

const shows: Record<ReplayShow, Sql> = {
  all: sql`true`,
  unwatched: sql`watched.user_id is null`,
  errors: sql`r.errors > 0`,
  rage: sql`r.rage_clicks > 0`,
};

const orders: Record<ReplaySort, Sql> = {
  newest: sql`r.first_at desc`,
  longest: sql`r.last_at - r.first_at desc`,
  errors: sql`r.errors + r.rage_clicks desc, r.first_at desc`,
  active: sql`r.active_ms desc`,
};

/** Recordings with their sessions, persons after merges, and whether the reader watched them. */
function joined(reader: number): Sql {
  return sql`
    replay_sessions as r
    left join sessions as s on s.project_id = r.project_id and s.uuid = r.session
    left join distinct_ids as ids on ids.project_id = r.project_id and ids.distinct_id = r.distinct_id
    left join person_overrides as merged on merged.project_id = r.project_id and merged.old_person = ids.person
    left join persons as p on p.project_id = r.project_id and p.number = coalesce(merged.new_person, ids.person)
    left join replay_views as watched
      on watched.project_id = r.project_id and watched.session = r.session and watched.user_id = ${reader}`;
}

function matching(wanted: WantedReplays): Sql {
  const { projectId, from, to, search = '', minSeconds, maxSeconds, event, persons, seesPersons } = wanted;
  const found = sql`lower(${search}::text)`;
  const conditions = [
    sql`r.project_id = ${projectId} and r.first_at >= ${sql.time(from)} and r.first_at < ${sql.time(to)}`,
    minSeconds !== undefined && sql`${duration} >= ${minSeconds}::int`,
    maxSeconds !== undefined && sql`${duration} <= ${maxSeconds}::int`,
    persons !== null && sql`ids.person = any(${[...persons]}::int[])`,
    search !== '' &&
      sql`(r.session::text = ${found} or position(${found} in lower(array_to_string(r.urls, ' '))) > 0 or ${beginsOrEndsOn(projectId, found)}
           ${seesPersons ? sql`or position(${found} in lower(r.distinct_id)) > 0 or position(${found} in lower(p.properties ->> 'email')) > 0 or position(${found} in lower(p.properties ->> 'name')) > 0` : sql.empty})`,
    event !== null && happened(projectId, event),
  ].filter((condition) => condition !== false);
  return sql.join(conditions, sql` and `);
}

/** Its first or last page, which lists show, has the text. @param text in small letters */
function beginsOrEndsOn(projectId: number, text: Sql): Sql {
  return sql`exists (
    select from property_groups as page
     where page.project_id = ${projectId} and page.kind = ${groupKinds.page}::smallint
       and page.number in (s.entry_page, s.exit_page)
       and position(${text} in lower(page.properties ->> '$pathname')) > 0)`;
}

/** The session has such an event. Found by its persons, since events have no index of sessions. */
function happened(projectId: number, event: Sql): Sql {
  return sql`exists (
    select from events
     where events.project_id = ${projectId} and events.session_id = s.id
       and events.ts >= s.first_ts and events.ts <= s.last_ts
       and events.person in (
         select s.person union select p.number
         union select old_person from person_overrides as past
                where past.project_id = ${projectId} and past.new_person = p.number)
       and ${event})`;
}

export async function countReplays(
  on: Queryable,
  wanted: WantedReplays,
): Promise<{ all: number; unwatched: number; errors: number; rage: number; people: number; median: number | null }> {
  const count = (condition: Sql) => sql`(count(*) filter (where ${condition}))::int`;
  const [row] = await query<never>(
    on,
    sql`select count(*)::int as "all", ${count(shows.unwatched)} as unwatched, ${count(shows.errors)} as errors,
               ${count(shows.rage)} as rage,
               (count(distinct coalesce(p.number::text, r.distinct_id)) filter (where ${shows[wanted.show]}))::int as people,
               (percentile_cont(0.5) within group (order by ${duration}) filter (where ${shows[wanted.show]}))::float8 as median
          from ${joined(wanted.reader)} where ${matching(wanted)}`,
  );
  return row ?? { all: 0, unwatched: 0, errors: 0, rage: 0, people: 0, median: null };
}

export function listReplays(on: Queryable, wanted: WantedReplays): Promise<ReplayRow[]> {
  return query(
    on,
    sql`${columns(wanted.reader)} where ${matching(wanted)} and ${shows[wanted.show]}
         order by ${orders[wanted.sort]}, r.session
         limit ${REPLAYS_PER_PAGE} offset ${wanted.page * REPLAYS_PER_PAGE}`,
  );
}

export async function findReplay(
  on: Queryable,
  projectId: number,
  session: string,
  reader: number,
): Promise<ReplayRow | null> {
  const [row] = await query<ReplayRow>(
    on,
    sql`${columns(reader)} where r.project_id = ${projectId} and r.session = ${session}::uuid`,
  );
  return row ?? null;
}

function columns(reader: number): Sql {
  const group = (kind: GroupKind, number: Sql) => sql`(
    select properties from property_groups
     where project_id = r.project_id and kind = ${groupKinds[kind]}::smallint and number = ${number})`;
  return sql`
    select r.session, r.first_at as "firstAt", r.last_at as "lastAt", r.active_ms as "activeMs", r.clicks, r.keys, r.errors,
           r.rage_clicks as "rageClicks", r.pages, r.urls, r.width, r.windows, r.distinct_id as "distinctId",
           p.uuid as "personUuid", p.identified, p.properties as "personProperties", watched.user_id is not null as "isWatched",
           ${group('page', sql`s.entry_page`)} as page, ${group('page', sql`s.exit_page`)} as exit,
           ${group('device', sql`s.device`)} as device, ${group('geo', sql`s.geo`)} as geo, ${group('source', sql`s.source`)} as source
      from ${joined(reader)}`;
}

export async function hasReplays(on: Queryable, projectId: number): Promise<boolean> {
  return (await query(on, sql`select from replay_sessions where project_id = ${projectId} limit 1`)).length > 0;
}

/** Those of the sessions that are recorded. */
export function recordedOf(
  on: Queryable,
  projectId: number,
  sessions: readonly string[],
): Promise<{ session: string; firstAt: number; lastAt: number }[]> {
  return query(
    on,
    sql`select session, first_at as "firstAt", last_at as "lastAt" from replay_sessions
         where project_id = ${projectId} and session = any(${[...sessions]}::uuid[])`,
  );
}

/** Those of the persons, by uuid, of whom something is recorded. */
export async function recordedPeople(on: Queryable, projectId: number, persons: readonly string[]): Promise<string[]> {
  const rows = await query<{ uuid: string }>(
    on,
    sql`select p.uuid from persons as p
         where p.project_id = ${projectId} and p.uuid = any(${[...persons]}::uuid[])
           and exists (
             select from distinct_ids as ids
               join replay_sessions as r on r.project_id = ids.project_id and r.distinct_id = ids.distinct_id
              where ids.project_id = p.project_id
                and ids.person in (
                  select p.number
                  union all select old_person from person_overrides as past
                             where past.project_id = p.project_id and past.new_person = p.number))`,
  );
  return rows.map(({ uuid }) => uuid);
}

/** The visit of a recording; null: none of its events was stored. */
export async function visitOf(
  on: Queryable,
  projectId: number,
  session: string,
): Promise<{ id: number; person: number; firstTs: number; lastTs: number } | null> {
  const [row] = await query<{ id: number; person: number; firstTs: number; lastTs: number }>(
    on,
    sql`select id, person, first_ts as "firstTs", last_ts as "lastTs" from sessions
         where project_id = ${projectId} and uuid = ${session}::uuid`,
  );
  return row ?? null;
}

/** Notes that someone watched. @returns true once in `everyMs` */
export async function noteView(on: Queryable, { projectId, session, user, now, everyMs }: Viewing): Promise<boolean> {
  const rows = await query(
    on,
    sql`insert into replay_views as seen (project_id, session, user_id, viewed_at)
        select project_id, session, ${user}, ${sql.time(now)} from replay_sessions
         where project_id = ${projectId} and session = ${session}::uuid
        on conflict (project_id, session, user_id) do update set viewed_at = excluded.viewed_at
         where seen.viewed_at <= ${sql.time(now - everyMs)}
        returning session`,
  );
  return rows.length > 0;
}

interface Viewing {
  projectId: number;
  session: string;
  /** users.id */
  user: number;
  now: number;
  everyMs: number;
}

export interface CommentRow {
  id: number;
  at: number;
  text: string;
  createdAt: number;
  userId: number;
  userName: string | null;
}

export function listComments(on: Queryable, projectId: number, session: string, limit: number): Promise<CommentRow[]> {
  return query(
    on,
    sql`select comments.id, comments.at_ms as at, comments.text, comments.created_at as "createdAt",
               comments.user_id as "userId", users.name as "userName"
          from replay_comments as comments left join users on users.id = comments.user_id
         where comments.project_id = ${projectId} and comments.session = ${session}::uuid
         order by comments.at_ms, comments.id limit ${limit}`,
  );
}

/** @returns false when there are `max` comments already, or no such recording */
export async function insertComment(
  on: Queryable,
  { projectId, session, at, text, user, now, max }: NewComment,
): Promise<boolean> {
  const rows = await query(
    on,
    sql`insert into replay_comments (project_id, session, at_ms, user_id, text, created_at)
        select project_id, session, ${at}, ${user}, ${text}, ${sql.time(now)} from replay_sessions
         where project_id = ${projectId} and session = ${session}::uuid
           and (select count(*) from replay_comments as others
                 where others.project_id = ${projectId} and others.session = ${session}::uuid) < ${max}
        returning id`,
  );
  return rows.length > 0;
}

interface NewComment {
  projectId: number;
  session: string;
  at: number;
  text: string;
  user: number;
  now: number;
  max: number;
}

/** @param user only a comment of this account; null: of anybody */
export async function deleteComment(
  on: Queryable,
  { projectId, session, comment, user }: { projectId: number; session: string; comment: number; user: number | null },
): Promise<boolean> {
  const own = user === null ? sql.empty : sql`and user_id = ${user}`;
  const rows = await query(
    on,
    sql`delete from replay_comments
         where project_id = ${projectId} and session = ${session}::uuid and id = ${comment} ${own}
        returning id`,
  );
  return rows.length > 0;
}
