/** SQL of packing. */
import type { RecordingSummary } from '#src/kit/recording/summary.ts';
import { type Queryable, query, sql } from '#src/store/sql.ts';
import type { PackedBlock } from './pack.ts';

export interface QuietSession {
  projectId: number;
  session: string;
  week: number;
  skewMs: number;
  nextSeq: number;
  rawBytes: number;
}

/** Sessions with blocks to pack to which nothing was added since `before`, the oldest first. */
export function quietSessions(on: Queryable, before: number, limit: number): Promise<QuietSession[]> {
  return query<QuietSession>(
    on,
    sql`select project_id as "projectId", session, week, skew_ms as "skewMs", next_seq as "nextSeq", raw_bytes as "rawBytes"
          from replay_sessions
         where packed_at is null and received_at < ${sql.time(before)}
         order by received_at limit ${limit}`,
  );
}

export interface StoredBlock {
  seq: number;
  window: string;
  rawLength: number;
  body: Buffer | null;
  blob: number | null;
}

/** Blocks of a session, up to so many bytes of JSON but at least one. @param onlyLoose leaves out those that are packed */
export function blocksToPack(
  on: Queryable,
  { projectId, session, week }: QuietSession,
  { onlyLoose, maxRawBytes }: { onlyLoose: boolean; maxRawBytes: number },
): Promise<StoredBlock[]> {
  return query<StoredBlock>(
    on,
    sql`select seq, window_id as window, raw_length as "rawLength", body, blob
          from (select *, sum(raw_length) over (order by seq) - raw_length as before
                  from replay_blocks
                 where project_id = ${projectId} and session = ${session}::uuid and week = ${week}
                   and (not packed or not ${onlyLoose}::boolean)) as blocks
         where before < ${maxRawBytes}
         order by seq`,
  );
}

/** A packed block with the file that holds it; null: the row does. */
export interface PlacedBlock extends PackedBlock {
  blob: number | null;
}

/**
 * Puts packed blocks in the place of others, unless something was added to the session or taken from it meanwhile. The rest of a large session stays to be
 * packed. In the transaction of `on`.
 *
 * @returns files of the replaced blocks; null: nothing was done
 */
export async function replaceBlocks(
  on: Queryable,
  { projectId, session, week, skewMs, nextSeq }: QuietSession,
  {
    seqs,
    blocks,
    summary,
    now,
  }: { seqs: readonly number[]; blocks: readonly PlacedBlock[]; summary: RecordingSummary | null; now: number },
): Promise<number[] | null> {
  const of = sql`project_id = ${projectId} and session = ${session}::uuid`;
  const [locked] = await query<{ seq: number }>(
    on,
    sql`select next_seq as seq from replay_sessions where ${of} for update`,
  );
  if (locked?.seq !== nextSeq) return null;
  const gone = await query<{ blob: number | null }>(
    on,
    sql`delete from replay_blocks where ${of} and week = ${week} and seq = any(${[...seqs]}::int[]) returning blob`,
  );
  if (gone.length !== seqs.length) throw new Error('blocks of a recording vanished while they were packed');
  let seq = nextSeq;
  for (const { window, fromMs, toMs, hasFull, rawLength, body, blob } of blocks) {
    await query(
      on,
      sql`insert into replay_blocks (
            project_id, session, week, seq, window_id, from_at, to_at, has_full, packed, raw_length, length, body, blob
          ) values (
            ${projectId}, ${session}::uuid, ${week}, ${seq++}, ${window}, ${sql.time(fromMs + skewMs)},
            ${sql.time(toMs + skewMs)}, ${hasFull}, true, ${rawLength}, ${body.length},
            ${blob === null ? Buffer.from(body) : null}::bytea, ${blob}::bigint
          )`,
    );
  }
  await query(
    on,
    sql`update replay_sessions r set
          next_seq = ${seq},
          bytes = sums.bytes,
          raw_bytes = sums.raw,
          packed_at = case when sums.loose = 0 then ${sql.time(now)} end
          ${summary === null ? sql.empty : sql`, ${countersOf(summary)}`}
          from (select coalesce(sum(length), 0) as bytes, coalesce(sum(raw_length), 0) as raw,
                       count(*) filter (where not packed) as loose
                  from replay_blocks
                 where project_id = ${projectId} and session = ${session}::uuid and week = ${week}) as sums
         where r.project_id = ${projectId} and r.session = ${session}::uuid`,
  );
  return gone.flatMap(({ blob }) => blob ?? []);
}

function countersOf({ urls, width, height, ...counts }: RecordingSummary) {
  return sql`
    active_ms = ${counts.activeMs}, clicks = ${counts.clicks}, keys = ${counts.keys}, errors = ${counts.errors},
    warns = ${counts.warns}, network_errors = ${counts.networkErrors}, rage_clicks = ${counts.rageClicks},
    pages = ${counts.pages}, urls = ${urls}::text[], width = ${width}::int, height = ${height}::int`;
}

/** Nothing can be done for it: it is left as it is. */
export async function leaveUnpacked(
  on: Queryable,
  { projectId, session, nextSeq }: QuietSession,
  now: number,
): Promise<void> {
  await query(
    on,
    sql`update replay_sessions set packed_at = ${sql.time(now)}
         where project_id = ${projectId} and session = ${session}::uuid and next_seq = ${nextSeq}`,
  );
}
