/** SQL that reads recordings. */
import { type Queryable, query, sql } from '#src/store/sql.ts';
import type { ReplayBlock, ReplaySession } from './contract.ts';

export type SessionRow = Omit<ReplaySession, 'windows' | 'blocks'> & { week: number; skewMs: number };

export async function sessionOf(on: Queryable, projectId: number, session: string): Promise<SessionRow | null> {
  const [row] = await query<SessionRow>(
    on,
    sql`select r.session, r.week, r.first_at as "firstAt", r.last_at as "lastAt", r.received_at as "receivedAt",
               r.skew_ms as "skewMs", r.active_ms as "activeMs", r.distinct_id as "distinctId", d.person,
               r.clicks, r.keys, r.errors, r.warns, r.network_errors as "networkErrors", r.rage_clicks as "rageClicks",
               r.pages, r.urls, r.width, r.height, r.bytes
          from replay_sessions r
          left join distinct_ids d on d.project_id = r.project_id and d.distinct_id = r.distinct_id
         where r.project_id = ${projectId} and r.session = ${session}::uuid`,
  );
  return row ?? null;
}

export function blocksOf(
  on: Queryable,
  projectId: number,
  { session, week }: Pick<SessionRow, 'session' | 'week'>,
  limit: number,
): Promise<ReplayBlock[]> {
  return query<ReplayBlock>(
    on,
    sql`select window_id as window, seq, from_at as "fromAt", to_at as "toAt", has_full as "hasFull",
               length as bytes, raw_length as "rawBytes"
          from replay_blocks
         where project_id = ${projectId} and session = ${session}::uuid and week = ${week}
         order by seq limit ${limit}`,
  );
}

export interface BodyRow {
  seq: number;
  window: string;
  rawLength: number;
  body: Buffer | null;
  blob: number | null;
}

/** Bodies of blocks from `fromSeq` to `toSeq`. */
export function bodiesOf(
  on: Queryable,
  projectId: number,
  { session, week }: Pick<SessionRow, 'session' | 'week'>,
  { fromSeq, toSeq, limit }: { fromSeq: number; toSeq: number; limit: number },
): Promise<BodyRow[]> {
  return query<BodyRow>(
    on,
    sql`select seq, window_id as window, raw_length as "rawLength", body, blob
          from replay_blocks
         where project_id = ${projectId} and session = ${session}::uuid and week = ${week}
           and seq >= ${fromSeq} and seq <= ${toSeq}
         order by seq limit ${limit}`,
  );
}
