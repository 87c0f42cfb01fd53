/** SQL of heatmaps. */
import { type HeatmapKind, heatmapKinds } from '#src/events/contract.ts';
import { type Queryable, query, type Sql, sql } from '#src/store/sql.ts';
import { CELL_HEIGHT, DEPTHS, MAX_CELLS } from './values.ts';

/** Which points are meant. */
export interface WantedPoints {
  projectId: number;
  from: number;
  to: number;
  /** Of the viewport, both included. */
  width: { from: number; to: number };
}

export interface PageRow {
  host: string;
  page: string;
  kind: number;
  count: number;
}

/** Distinct pages of one answer; the rarest of more are left out. */
const MAX_PAGES = 5_000;

function within({ projectId, from, to, width }: WantedPoints): Sql {
  return sql`project_id = ${projectId} and ts >= ${sql.time(from)} and ts < ${sql.time(to)}
         and width between ${width.from} and ${width.to}`;
}

/** What happened on each page. */
export function countPages(on: Queryable, wanted: WantedPoints): Promise<PageRow[]> {
  return query(
    on,
    sql`select host, page, kind, count(*)::int as count from heatmap_points where ${within(wanted)}
         group by host, page, kind order by count desc limit ${MAX_PAGES}`,
  );
}

/** Pages as they are stored. */
export type StoredPages = readonly Pick<PageRow, 'host' | 'page'>[];

function onPages(pages: StoredPages): Sql {
  return sql`(host, page) in (
    select * from unnest(${pages.map(({ host }) => host)}::text[], ${pages.map(({ page }) => page)}::text[]))`;
}

export function countCells(
  on: Queryable,
  wanted: WantedPoints,
  { pages, kind }: { pages: StoredPages; kind: HeatmapKind },
): Promise<{ x: number; y: number; fixed: boolean; count: number }[]> {
  return query(
    on,
    sql`select x / 10 as x, y / ${CELL_HEIGHT}::int * ${CELL_HEIGHT}::int as y, fixed, count(*)::int as count
          from heatmap_points
         where ${within(wanted)} and kind = ${heatmapKinds[kind]}::smallint and ${onPages(pages)}
         group by 1, 2, 3 order by count desc, y, x limit ${MAX_CELLS + 1}`,
  );
}

/** Views by how far they came, in hundredths of the page. */
export function countDepths(
  on: Queryable,
  wanted: WantedPoints,
  pages: StoredPages,
): Promise<{ depth: number; count: number }[]> {
  return query(
    on,
    sql`select least(y / 10, ${DEPTHS}::int) as depth, count(*)::int as count
          from heatmap_points
         where ${within(wanted)} and kind = ${heatmapKinds.scroll}::smallint and ${onPages(pages)}
         group by 1`,
  );
}

/** The newest recording with one of these paths among its first pages: best as its very first. */
export async function recordingWith(
  on: Queryable,
  { projectId, width }: Pick<WantedPoints, 'projectId' | 'width'>,
  paths: readonly string[],
): Promise<string | null> {
  const [row] = await query<{ session: string }>(
    on,
    sql`select session from replay_sessions
         where project_id = ${projectId} and urls && ${[...paths]}::text[] and width between ${width.from} and ${width.to}
         order by (urls[1] = any(${[...paths]}::text[])) desc, first_at desc limit 1`,
  );
  return row?.session ?? null;
}
