/** Pages of several hosts are told apart by them; where all are of one, it goes without saying. `www.` is a host like any other. */

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
}

/** Whether pages, each with what says its host beside it, are of several. Those that say none are of whichever there is. */
export function areOfSeveralHosts(rows: readonly Row[]): boolean {
  const hosts = new Set(rows.map(({ value }) => partsOf(value)[0]));
  hosts.delete('');
  return hosts.size > 1;
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
