/** Pages of several hosts are told apart by them; where all but a few are of one, it goes without saying. `www.` is a host like any other. */

import { partsOf } from '#src/columns/filters/visit-fields.ts';
import type { BreakdownDimension } from '../kinds/breakdown/contract.ts';

/** What tells of the host. */
export const HOST = '$host';

export type PageDimension = Extract<BreakdownDimension, 'page' | 'entryPage' | 'exitPage'>;

/** Whether rows of a table are pages. */
export function isOfPages(dimension: string): dimension is PageDimension {
  return dimension === 'page' || dimension === 'entryPage' || dimension === 'exitPage';
}

interface Row {
  value: string;
  count: number;
}

/** A host with less than this share of all is a stray one: of translators, previews, copies. */
const MIN_SHARE = 0.01;
/** Stray hosts are left aside while they have no more than this share together: many small sites are sites. */
const MAX_STRAY = 0.1;

/**
 * Whether pages, each with what says its host beside it, are of several hosts that each have a share worth telling apart. Those that say
 * none are of whichever there is.
 */
export function areOfSeveralHosts(rows: readonly Row[]): boolean {
  const counts = new Map<string, number>();
  let all = 0;
  for (const { value, count } of rows) {
    const [host] = partsOf(value);
    all += count;
    if (host !== '') counts.set(host, (counts.get(host) ?? 0) + count);
  }
  const [largest = 0, ...others] = [...counts.values()].sort((one, other) => other - one);
  const [second] = others;
  if (second === undefined) return false;
  const rest = others.reduce((sum, count) => sum + count, 0);
  return second >= all * MIN_SHARE || rest > (largest + rest) * MAX_STRAY;
}

/**
 * Whether one page is there twice, once without its host: it has to be counted as one.
 * @param more rows that are not shown, but may tell of pages that are
 */
export function haveToBeJoined(rows: readonly Row[], more: readonly Row[] = []): boolean {
  const all = [...rows, ...more];
  return !areOfSeveralHosts(rows) && new Set(all.map(({ value }) => partsOf(value)[1])).size < all.length;
}

/** Which page it was. */
export const page = { kind: 'page' as const, names: ['$pathname'] };
export const pageWithHost = { ...page, beside: HOST };
