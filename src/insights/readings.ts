/**
 * How pages were read: the next page view of a window, or leaving it, says how long the one before was shown and how much of it was seen.
 * Views without an end say nothing. It is the end that lies in the range, and that filters keep.
 */
import type { Columns, Question, ValueSummary } from '#src/columns/columns.ts';
import { viewNames } from './asked.ts';
import type { BreakdownColumn } from './contract.ts';

/** Who leaves a page open is not reading it. */
const MOST_SECONDS = 30 * 60;

export interface Readings {
  cols: BreakdownColumn[];
  /** The figures of a page, one for each of `cols`. */
  of(page: string): (number | null)[];
}

/** @param question with one span */
export async function askReadings(columns: Pick<Columns, 'values'>, question: Question): Promise<Readings> {
  const found = await columns.values(question, {
    names: [...viewNames, '$pageleave'],
    by: { property: '$prev_pageview_pathname' },
    figures: [
      { property: '$prev_pageview_duration', most: MOST_SECONDS, quantile: null, limits: [] },
      { property: '$prev_pageview_max_scroll_percentage', most: 1, quantile: null, limits: [] },
    ],
  });
  const byPage = found.map(([inSpan]) => new Map(inSpan?.rows.map((row) => [row.value, row])));
  // Ends that do not say of which page they are belong to none.
  const of = (page: string) => byPage.map((rows) => (page === '' ? null : mean(rows.get(page))));
  return { cols: ['timeOnPage', 'scrollDepth'], of };
}

function mean(row: ValueSummary | undefined): number | null {
  return row === undefined ? null : row.sum / row.count;
}
