/** The rows of a table as its screen sorts and searches them, and what is not among them. */
import * as z from 'zod/mini';
import { type Cell, defineFile, MAX_LINES, rounded, tableRows } from '../../query/file.ts';
import type { Breakdown, BreakdownInput } from './contract.ts';
import { type Figure, figureOf, figuresOf, hostOf, matching, shareOf, sortColumns, sorted } from './values.ts';

const options = z.strictObject({
  sort: z._default(z.enum(sortColumns), 'count'),
  reversed: z._default(z.boolean(), false),
  find: z._default(z.string().check(z.maxLength(200)), ''),
});
type Options = z.infer<typeof options>;

/** Unit of `count`. */
const counts: Partial<Record<Breakdown['dimension'], string>> = { page: 'views', outbound: 'clicks', event: 'events' };
const figureColumns: Record<Figure, string> = {
  bounceRate: 'bounce_rate',
  exitRate: 'exit_rate',
  timeOnPage: 'time_on_page_seconds',
  scrollDepth: 'scroll_depth',
  duration: 'duration_seconds',
  conversions: 'conversions_here',
  conversionRate: 'conversion_rate',
  converted: 'converted_visits',
  convertedRate: 'converted_visits_rate',
};

export const breakdownFile = defineFile<BreakdownInput, Breakdown, Options>({
  options,
  inFull: (input) => ({ ...input, limit: MAX_LINES }),
  name: ({ dimension }) => dimension,
  rows(table, { options: order, textOf }) {
    const isCompared = table.rows.some(([, , , previous]) => previous !== null);
    const head = [
      table.dimension,
      ...(isByHost(table) ? ['host'] : []),
      'visitors',
      counts[table.dimension] ?? 'visits',
      'share',
      ...figuresOf(table).map((figure) => figureColumns[figure]),
      ...(isCompared ? ['previous', 'change'] : []),
    ];
    return tableRows(
      head,
      rowsOf(table, order, head.length, isCompared, (value) => textOf(table.dimension, value)),
    );
  },
});

function isByHost({ cols }: Breakdown): boolean {
  return cols.includes('host');
}

function* rowsOf(
  table: Breakdown,
  { find, ...order }: Options,
  width: number,
  isCompared: boolean,
  textOf: (value: string) => string,
): Generator<Cell[]> {
  const figures = figuresOf(table);
  const hostCell = (host: Cell): Cell[] => (isByHost(table) ? [host] : []);
  for (const row of sorted(matching(table.rows, find, table, textOf), order, table, textOf)) {
    const [value, visitors, count, previous] = row;
    yield [
      value,
      ...hostCell(hostOf(table, row) ?? null),
      visitors,
      count,
      rounded(shareOf(count, table)),
      ...figures.map((figure) => rounded(figureOf(table, row, figure).value)),
      ...(isCompared ? [previous, previous === null ? null : count - previous] : []),
    ];
  }
  const { other } = table;
  if (other.values === 0 || find.trim() !== '') return;
  const own = [`(${other.values} others)`, ...hostCell(null), null, other.count, rounded(shareOf(other.count, table))];
  yield [...own, ...Array.from({ length: width - own.length }, () => null)];
}
