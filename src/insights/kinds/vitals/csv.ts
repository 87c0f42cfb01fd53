/** A line for each vital over all pages, and then for each page by the one that was asked for. */
import * as z from 'zod/mini';
import { type Cell, defineFile, MAX_LINES, rounded, tableRows } from '../../query/file.ts';
import { type Vital, type Vitals, type VitalsInput, vitalNames } from './contract.ts';
import { matchingPages, sortedPages, vitalColumns } from './values.ts';

const options = z.strictObject({
  sort: z._default(z.enum(vitalColumns), 'count'),
  reversed: z._default(z.boolean(), false),
  find: z._default(z.string().check(z.maxLength(200)), ''),
});
type Options = z.infer<typeof options>;

export const vitalsFile = defineFile<VitalsInput, Vitals, Options>({
  options,
  inFull: (input) => ({ ...input, limit: MAX_LINES }),
  rows(result, { input, options: order }) {
    const isByHost = result.pages.some(({ host }) => host !== undefined);
    const head = [
      'vital',
      'page',
      ...(isByHost ? ['host'] : []),
      `p${result.percentile}`,
      'measurements',
      'good',
      'poor',
      'rating',
    ];
    return tableRows(head, rowsOf(result, input.vital, order, isByHost));
  },
});

function* rowsOf(
  { vitals, pages, other }: Vitals,
  vital: VitalsInput['vital'],
  { find, ...order }: Options,
  isByHost: boolean,
): Generator<Cell[]> {
  const hostCell = (host: Cell): Cell[] => (isByHost ? [host] : []);
  for (const name of vitalNames) yield [name, '(all pages)', ...hostCell(null), ...cellsOf(vitals[name])];
  for (const { page, host = null, ...own } of sortedPages(matchingPages(pages, find), order)) {
    yield [vital, page, ...hostCell(host), ...cellsOf(own)];
  }
  if (other.pages === 0 || find.trim() !== '') return;
  yield [vital, `(${other.pages} others)`, ...hostCell(null), null, other.samples, null, null, null];
}

function cellsOf({ value, samples, good, poor, rating }: Vital): Cell[] {
  return [rounded(value), samples, good, poor, rating];
}
