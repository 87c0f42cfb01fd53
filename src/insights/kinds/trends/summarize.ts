/** The lines of a trend, or its number. */
import type { SummaryDisplay } from '../../define.ts';
import type { ResultSummary } from '../../query/contract.ts';
import { greatestOf, linesOf, shareOf } from '../../query/summaries.ts';
import type { TrendsResult } from './contract.ts';

const MAX_LINES = 5;

export function summarizeTrends({ series, formulas }: TrendsResult, display: SummaryDisplay): ResultSummary {
  const rows = [...formulas, ...series].flatMap((each) => each.rows);
  if (display['chart'] === 'number') return { shape: 'number', number: rows[0]?.total ?? null };
  const [{ cells = null } = {}] = rows;
  if (display['chart'] === 'heatmap' && cells !== null) {
    const greatest = greatestOf(cells.flat().map((figure) => figure ?? 0));
    return { shape: 'cells', rows: cells.map((hours) => hours.map((figure) => shareOf(figure ?? 0, greatest))) };
  }
  return { shape: 'lines', lines: linesOf(rows.slice(0, MAX_LINES).map(({ points }) => points)) };
}
