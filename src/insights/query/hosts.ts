/** Separates pages by host when there are several significant hosts; with one dominant host it is omitted. `www.` is a host like any other. */

import { partsOf } from '#src/columns/filters/visit-fields.ts';
import type { BreakdownDimension } from '../kinds/breakdown/contract.ts';

/** Property of the host. */
export const HOST = '$host';

export type PageDimension = Extract<BreakdownDimension, 'page' | 'entryPage' | 'exitPage'>;

/** True for dimensions of pages. */
export function isOfPages(dimension: string): dimension is PageDimension {
  return dimension === 'page' || dimension === 'entryPage' || dimension === 'exitPage';
}

interface Row {
  value: string;
  count: number;
}

/** A host with less than this share of all is a stray one: of translators, previews, copies. */
const MIN_SHARE = 0.01;
/** Minor hosts are ignored up to this total share: many small sites are significant. */
const MAX_STRAY = 0.1;

/**
 * True when pages (with their hosts) have several hosts with a significant share. Pages without a host
 * count for any host.
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
 * True when a page occurs with and without a host: both have to be joined.
 * @param more hidden rows that may belong to shown pages
 */
export function haveToBeJoined(rows: readonly Row[], more: readonly Row[] = []): boolean {
  const all = [...rows, ...more];
  return !areOfSeveralHosts(rows) && new Set(all.map(({ value }) => partsOf(value)[1])).size < all.length;
}

/** The page of an event. */
export const page = { kind: 'page' as const, names: ['$pathname'] };
export const pageWithHost = { ...page, beside: HOST };
