/**
 * Time on page and scroll depth: the next page view of a window, or leaving it, has both for the previous page.
 * Views without an end have none. Range and filters apply to the end event; conditions on the page apply to the
 * previous page (`endsOf`).
 */

import type { Columns, Question, ValueSummary } from '#src/columns/columns.ts';
import { partsOf } from '#src/columns/filters/visit-fields.ts';
import { HOST } from '../../query/hosts.ts';
import { endsOf, PATH_BEFORE } from '../../query/page-before.ts';
import type { BreakdownColumn } from './contract.ts';

/** Cap of the time on page: longer views are idle tabs. */
const MAX_SECONDS = 30 * 60;

export interface Readings {
  cols: BreakdownColumn[];
  /** The figures of a page, one for each of `cols`. @param keyOf the page, of its path with its host (`partsOf`) */
  by(keyOf: (value: string) => string): (page: string) => (number | null)[];
}

/** @param question with one span */
export async function queryReadings(columns: Pick<Columns, 'values'>, question: Question): Promise<Readings> {
  const { names, filters } = endsOf(question.filters);
  const found = await columns.values(
    { ...question, filters },
    {
      names,
      by: { property: PATH_BEFORE, beside: { kind: 'page', names: [HOST] } },
      figures: [
        { property: '$prev_pageview_duration', most: MAX_SECONDS, quantile: null, limits: [] },
        { property: '$prev_pageview_max_scroll_percentage', most: 1, quantile: null, limits: [] },
      ],
    },
  );
  const by: Readings['by'] = (keyOf) => {
    const byPage = found.map(([inSpan]) => sumsBy(keyOf, inSpan?.rows ?? []));
    return (page) => byPage.map((sums) => mean(sums.get(page)));
  };
  return { cols: ['timeOnPage', 'scrollDepth'], by };
}

type Sum = Pick<ValueSummary, 'sum' | 'count'>;

function sumsBy(keyOf: (value: string) => string, rows: readonly ValueSummary[]): Map<string, Sum> {
  const sums = new Map<string, Sum>();
  for (const { value, sum, count } of rows) {
    // Ends without a page are skipped.
    if (partsOf(value)[1] === '') continue;
    const key = keyOf(value);
    const known = sums.get(key);
    sums.set(key, known === undefined ? { sum, count } : { sum: known.sum + sum, count: known.count + count });
  }
  return sums;
}

function mean(row: Sum | undefined): number | null {
  return row === undefined ? null : row.sum / row.count;
}
