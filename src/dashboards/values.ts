/** Limits and sizes of dashboards. Without schemas, so that the browser may import it as it is. */

export const MAX_DASHBOARDS = 200;
export const MAX_TILES = 40;
/** Characters of the Markdown of a text tile. */
export const MAX_TILE_TEXT = 10_000;
export const MAX_HEADING = 200;

/** Columns of the grid on wide screens; on phones each tile takes the whole width. */
export const GRID_COLUMNS = 12;
/** Widths in columns and heights in rows that tiles may have. */
export const tileWidths = [3, 4, 6, 8, 12] as const;
/** Columns between phones and wide screens, where a tile's own are too narrow. */
export const tabletWidths = [6, 12] as const;
export const tileHeights = [1, 2, 3, 4] as const;

/** Numbers of a goal that a tile may show. Stored. */
export const goalTileMetrics = ['conversions', 'conversionRate', 'revenue'] as const;
export type GoalTileMetric = (typeof goalTileMetrics)[number];

/** Version of stored contents. A change of meaning takes the next number and an up-cast (`content.ts`). */
export const CONTENT_VERSION = 1;
