/** Points of heatmaps beside the events. Owner of `heatmap_points`; replays/ draws them. */
import type { Client, Pool } from 'pg';
import { dayMs } from '#src/kit/zone.ts';
import { query, sql } from '#src/store/sql.ts';
import { type FinishedEvent, heatmapKinds } from './contract.ts';

/** They are kept for as long as events, but no longer than this: a page looks different after a year. */
export const HEATMAP_DAYS = 400;

const ADD = `
  insert into heatmap_points (project_id, uuid, place, ts, kind, host, page, width, x, y, fixed)
  select * from unnest($1::int[], $2::uuid[], $3::smallint[], $4::timestamptz[], $5::smallint[], $6::text[], $7::text[], $8::int[],
                       $9::smallint[], $10::int[], $11::boolean[])
  on conflict do nothing`;

/** Stores the points of a batch; those of copies are there already. */
export async function storeHeatmapPoints(pool: Pick<Pool, 'query'>, batch: readonly FinishedEvent[]): Promise<void> {
  const points = batch.flatMap(({ projectId, uuid, ts, heatmap = [] }) =>
    heatmap.map((point, place) => ({ ...point, projectId, uuid, place, ts: new Date(ts).toISOString() })),
  );
  if (points.length === 0) return;
  await pool.query({
    name: 'heatmap-points-add',
    text: ADD,
    values: [
      points.map(({ projectId }) => projectId),
      points.map(({ uuid }) => uuid),
      points.map(({ place }) => place),
      points.map(({ ts }) => ts),
      points.map(({ kind }) => heatmapKinds[kind]),
      points.map(({ host }) => host),
      points.map(({ page }) => page),
      points.map(({ width }) => width),
      points.map(({ x }) => x),
      points.map(({ y }) => y),
      points.map(({ fixed }) => fixed),
    ],
  });
}

/** Deletes the points of a project that are too old, the oldest first. */
export async function retireHeatmapPoints(
  client: Client,
  { projectId, retentionDays, now }: { projectId: number; retentionDays: number | null; now: number },
  { batch, signal }: { batch: number; signal: AbortSignal | undefined },
): Promise<void> {
  const days = Math.min(retentionDays ?? HEATMAP_DAYS, HEATMAP_DAYS);
  const before = sql.time(Math.floor((now - days * dayMs) / dayMs) * dayMs);
  for (let rows = batch; rows === batch && !signal?.aborted; ) {
    const gone = await query(
      client,
      sql`delete from heatmap_points p
           using (select uuid, place from heatmap_points
                   where project_id = ${projectId} and ts < ${before} order by ts limit ${batch}) as old
           where p.project_id = ${projectId} and p.uuid = old.uuid and p.place = old.place
          returning p.place`,
    );
    rows = gone.length;
  }
}
