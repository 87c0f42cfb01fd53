/** Constants of heatmaps that the browser reads too: no schemas, so no zod comes along. */

/** Widths of viewports that pages are drawn for, CSS px, both included. */
export const widthClasses = {
  desktop: { from: 1024, to: 20_000 },
  tablet: { from: 576, to: 1023 },
  phone: { from: 1, to: 575 },
} as const;
export type WidthClass = keyof typeof widthClasses;
export const widthClassNames = Object.keys(widthClasses) as WidthClass[];

/** What is drawn. */
export const heatmapShows = ['click', 'rage', 'dead', 'scroll'] as const;
export type HeatmapShow = (typeof heatmapShows)[number];

export const MAX_PAGE_PATTERN = 400;
export const MAX_HOST = 255;
/** Places of one answer; beyond it the rarest are left out. */
export const MAX_CELLS = 20_000;
/** Pages that are listed. */
export const PAGES_SHOWN = 50;
/** Height of a cell, CSS px; its width is a hundredth of the page's. */
export const CELL_HEIGHT = 10;
/** Depths of a page, of which it is known how many views reached them. */
export const DEPTHS = 100;
