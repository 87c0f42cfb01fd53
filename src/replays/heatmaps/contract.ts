/** Heatmaps of pages. Read by the browser, so zod/mini only. */
import * as z from 'zod/mini';
import { rangeInput } from '#src/kit/range.ts';
import { heatmapShows, MAX_HOST, MAX_PAGE_PATTERN, widthClassNames } from './values.ts';

export const heatmapPageInput = z.object({
  project: z.string().check(z.minLength(1), z.maxLength(64)),
  range: rangeInput,
  /** A page as the project reads it; `*` is any text. Absent: the page with the most clicks. */
  page: z.optional(z.string().check(z.trim(), z.minLength(1), z.maxLength(MAX_PAGE_PATTERN))),
  /** Only pages of this host. */
  host: z.optional(z.string().check(z.minLength(1), z.maxLength(MAX_HOST))),
  width: z._default(z.enum(widthClassNames), 'desktop'),
});

export const heatmapInput = z.extend(heatmapPageInput, { show: z._default(z.enum(heatmapShows), 'click') });
export type HeatmapInput = z.output<typeof heatmapInput>;
export type HeatmapQuery = Omit<HeatmapInput, 'project'>;

/** What happened on a page. */
export interface PageActivity {
  page: string;
  clicks: number;
  rage: number;
  dead: number;
  /** Views of which the scroll depth is known. */
  views: number;
}

/** Clicks in a cell of the page. */
export interface HeatmapCell {
  /** Hundredths of the width, 0 to 100. */
  x: number;
  /** Of its top, CSS px from the top of the page. */
  y: number;
  /** On elements that do not scroll: from the top of the viewport. */
  fixed: boolean;
  count: number;
}

export interface Heatmap {
  /** The project records them. */
  isOn: boolean;
  /** What is shown; null: nothing happened in the period. */
  page: string | null;
  totals: Omit<PageActivity, 'page'>;
  /** The pages with the most clicks. */
  pages: PageActivity[];
  hosts: string[];
  /** The most clicked first; none of scroll depth. */
  cells: HeatmapCell[];
  /** There are more places than are listed. */
  isCut: boolean;
  /** Views that reached each hundredth of the page, from 0 to 100; empty unless scroll depth is shown. */
  reached: number[];
}

/** A recording in which a page can be seen. Times are ms. */
export interface HeatmapRecording {
  session: string;
  firstAt: number;
  lastAt: number;
  /** Paths that are meant. */
  paths: string[];
  blocks: { window: string; seq: number; fromAt: number; toAt: number; hasFull: boolean; bytes: number }[];
}
