/**
 * Dashboards: tiles in an order, with the range and the filters that they share. Read by the browser, so zod/mini only.
 */
import * as z from 'zod/mini';
import { filters } from '#src/columns/contract.ts';
import { breakdownDimensions, overviewMetrics, rangeInput } from '#src/insights/contract.ts';
import { comparison } from '#src/insights/query/contract.ts';
import { insightDescription, insightName, insightTags, type SavedInsight } from '#src/insights/saved/contract.ts';
import { lineOf } from '#src/kit/line.ts';
import { rowId } from '#src/kit/row.ts';
import {
  goalTileMetrics,
  MAX_HEADING,
  MAX_TILE_TEXT,
  MAX_TILES,
  tabletWidths,
  tileHeights,
  tileWidths,
} from './values.ts';

/** Stable within its dashboard: chosen by the client that adds the tile. */
const tileId = z.string().check(z.regex(/^[\w-]{1,40}$/));

const size = {
  id: tileId,
  /** Columns of twelve. */
  width: z.literal(tileWidths),
  /** Columns of twelve on tablets; absent: half for a quarter, full for wider ones. */
  tabletWidth: z.optional(z.literal(tabletWidths)),
  /** Rows. */
  height: z.literal(tileHeights),
};

export const tile = z.discriminatedUnion('kind', [
  z.strictObject({
    ...size,
    kind: z.literal('insight'),
    insight: rowId,
    /** Keeps the range and filters of the insight. */
    own: z.optional(z.boolean()),
  }),
  /** A number of *Overview* with its series. */
  z.strictObject({ ...size, kind: z.literal('metric'), metric: z.enum(overviewMetrics) }),
  /** A table of *Overview*. */
  z.strictObject({ ...size, kind: z.literal('breakdown'), dimension: z.enum(breakdownDimensions) }),
  /** Conversions of all goals. */
  z.strictObject({ ...size, kind: z.literal('goals') }),
  /** A number of one goal with its series. */
  z.strictObject({ ...size, kind: z.literal('goal'), goal: rowId, metric: z.enum(goalTileMetrics) }),
  /** Visitors by weekday and hour. */
  z.strictObject({ ...size, kind: z.literal('heatmap') }),
  z.strictObject({ ...size, kind: z.literal('vitals') }),
  z.strictObject({ ...size, kind: z.literal('text'), text: z.string().check(z.maxLength(MAX_TILE_TEXT)) }),
  z.strictObject({ ...size, kind: z.literal('heading'), text: lineOf(MAX_HEADING) }),
  /** A line. */
  z.strictObject({ ...size, kind: z.literal('separator') }),
]);
export type Tile = z.infer<typeof tile>;

export const content = z.strictObject({
  tiles: z.array(tile).check(
    z.maxLength(MAX_TILES, `Use at most ${MAX_TILES} tiles.`),
    z.refine((tiles) => new Set(tiles.map(({ id }) => id)).size === tiles.length, 'Two tiles have the same id.'),
  ),
  range: z._default(rangeInput, 'last_28_days'),
  compare: z._default(comparison, 'previous'),
  /** Of all tiles but those that keep their own. */
  filters: z.optional(filters),
});
export type DashboardContent = z.infer<typeof content>;

export const dashboardRef = z.object({ dashboard: rowId });

export const dashboardInput = z.object({
  name: insightName,
  description: z._default(insightDescription, ''),
  tags: z._default(insightTags, []),
  content,
});
export type DashboardInput = z.infer<typeof dashboardInput>;

export const dashboardChange = z.object({
  dashboard: rowId,
  /** The one that was changed; another newer one is a conflict. Absent: the newest. */
  revision: z.optional(z.int()),
  name: z.optional(insightName),
  description: z.optional(insightDescription),
  tags: z.optional(insightTags),
  content: z.optional(content),
});
export type DashboardChange = Omit<z.infer<typeof dashboardChange>, 'dashboard'>;

export const dashboardCopy = z.object({ dashboard: rowId, name: insightName });
export const dashboardFavorite = z.object({ dashboard: rowId, favorite: z.boolean() });

export interface DashboardSummary {
  id: number;
  name: string;
  description: string;
  tags: string[];
  /** Name null: the account no longer exists. */
  owner: { id: number; name: string | null };
  createdAt: number;
  changedAt: number;
  favorite: boolean;
  /** By the account that asks; null: never. */
  viewedAt: number | null;
  tiles: number;
}

export interface Dashboard extends DashboardSummary {
  revision: number;
  content: DashboardContent;
  /** Insights of the tiles. Those that no longer exist, or that the reader may not see, are not there. */
  insights: SavedInsight[];
}
