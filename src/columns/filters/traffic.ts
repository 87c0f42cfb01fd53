/** Traffic that is excluded unless a query includes it. Pure. */
import type { Traffic } from '../contract.ts';

/** Part of a cache key, independent of order. */
export function trafficKey(include: readonly Traffic[]): string {
  return include.length === 0 ? '' : ` with ${[...new Set(include)].sort().join()}`;
}
