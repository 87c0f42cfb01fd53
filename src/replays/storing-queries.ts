/** SQL that stores parts of recordings. */
import type { KnownFields, RecordedPart } from '#src/collect/recordings/contract.ts';
import { type Queryable, query, sql } from '#src/store/sql.ts';

/** A part with the project that it belongs to. */
export interface ProjectPart extends RecordedPart {
  projectId: number;
}

/** Enters uuids of parts; gives those that are new. */
export async function enterUuids(on: Queryable, parts: readonly ProjectPart[], at: number): Promise<Set<string>> {
  const rows = await query<{ projectId: number; uuid: string }>(
    on,
    sql`insert into replay_uuids (project_id, uuid, at)
        select project_id, uuid, ${sql.time(at)}
          from unnest(${parts.map(({ projectId }) => projectId)}::int[], ${parts.map(({ uuid }) => uuid)}::uuid[])
            as sent (project_id, uuid)
        on conflict do nothing
        returning project_id as "projectId", uuid`,
  );
  return new Set(rows.map(({ projectId, uuid }) => keyOf(projectId, uuid)));
}

export function keyOf(projectId: number, uuid: string): string {
  return `${projectId} ${uuid}`;
}

export async function deleteOldUuids(on: Queryable, before: number): Promise<void> {
  await query(on, sql`delete from replay_uuids where at < ${sql.time(before)}`);
}

export interface PlacedPart {
  seq: number;
  week: number;
  skewMs: number;
}

/** How many distinct ids of a session are kept, and how many windows have their secret fields kept. */
const MAX_IDS = 20;

/** Adds a part to its session's row, making a new one; gives the place of its block. Times follow the clock offset of the session's first part. */
export async function addToSession(on: Queryable, part: ProjectPart, week: number): Promise<PlacedPart> {
  const { projectId, session, window, distinctId, fromMs, toMs, receivedAt, skewMs, rawLength, body, summary } = part;
  const [row] = await query<PlacedPart>(
    on,
    sql`insert into replay_sessions as s (
          project_id, session, week, first_at, last_at, received_at, skew_ms, distinct_id, distinct_ids, bytes, raw_bytes,
          active_ms, clicks, keys, errors, warns, network_errors, rage_clicks, pages, urls, windows, width, height,
          secret_fields, next_seq
        ) values (
          ${projectId}, ${session}::uuid, ${week}, ${sql.time(fromMs + skewMs)}, ${sql.time(toMs + skewMs)},
          ${sql.time(receivedAt)}, ${skewMs}::bigint, ${distinctId}, array[${distinctId}::text], ${body.length}, ${rawLength},
          ${summary.activeMs}, ${summary.clicks}, ${summary.keys}, ${summary.errors}, ${summary.warns},
          ${summary.networkErrors}, ${summary.rageClicks}, ${summary.pages}, ${summary.urls}::text[], 1,
          ${summary.width}::int, ${summary.height}::int, ${sql.json({ [window]: part.secretFields })}, 1
        )
        on conflict (project_id, session) do update set
          first_at = least(s.first_at, to_timestamp((${fromMs}::float8 + s.skew_ms) / 1000)),
          last_at = greatest(s.last_at, to_timestamp((${toMs}::float8 + s.skew_ms) / 1000)),
          received_at = greatest(s.received_at, excluded.received_at),
          distinct_id = excluded.distinct_id,
          distinct_ids = case
            when excluded.distinct_id = any(s.distinct_ids) or cardinality(s.distinct_ids) >= ${MAX_IDS} then s.distinct_ids
            else s.distinct_ids || excluded.distinct_id end,
          bytes = s.bytes + excluded.bytes,
          raw_bytes = s.raw_bytes + excluded.raw_bytes,
          active_ms = s.active_ms + excluded.active_ms,
          clicks = s.clicks + excluded.clicks,
          keys = s.keys + excluded.keys,
          errors = s.errors + excluded.errors,
          warns = s.warns + excluded.warns,
          network_errors = s.network_errors + excluded.network_errors,
          rage_clicks = s.rage_clicks + excluded.rage_clicks,
          pages = s.pages + excluded.pages,
          urls = case when cardinality(s.urls) >= 3 then s.urls else array(
            select url from unnest(s.urls || excluded.urls) with ordinality as each (url, place)
             group by url order by min(place) limit 3) end,
          secret_fields = s.secret_fields || excluded.secret_fields,
          windows = (select count(*) from jsonb_object_keys(s.secret_fields || excluded.secret_fields)),
          width = coalesce(s.width, excluded.width),
          height = coalesce(s.height, excluded.height),
          next_seq = s.next_seq + 1,
          packed_at = null
        returning next_seq - 1 as seq, week, skew_ms as "skewMs"`,
  );
  return row as PlacedPart;
}

export async function insertBlock(on: Queryable, part: ProjectPart, { seq, week, skewMs }: PlacedPart): Promise<void> {
  const { projectId, session, window, fromMs, toMs, hasFull, rawLength, body } = part;
  await query(
    on,
    sql`insert into replay_blocks (
          project_id, session, week, seq, window_id, from_at, to_at, has_full, packed, raw_length, length, body
        ) values (
          ${projectId}, ${session}::uuid, ${week}, ${seq}, ${window}, ${sql.time(fromMs + skewMs)},
          ${sql.time(toMs + skewMs)}, ${hasFull}, false, ${rawLength}, ${body.length}, ${Buffer.from(body)}
        )`,
  );
}

export async function secretFieldsOf(
  on: Queryable,
  projectId: number,
  sessions: readonly string[],
): Promise<KnownFields> {
  const rows = await query<{ session: string; fields: Record<string, number[]> }>(
    on,
    sql`select session, secret_fields as fields from replay_sessions
         where project_id = ${projectId} and session = any(${[...sessions]}::uuid[])`,
  );
  return Object.fromEntries(rows.map(({ session, fields }) => [session, fields]));
}
