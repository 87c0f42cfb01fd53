/** What questions take in that others leave out. Pure. */
import type { Traffic } from '../contract.ts';

/** As part of a key: the same in any order. */
export function trafficKey(include: readonly Traffic[]): string {
  return include.length === 0 ? '' : ` with ${[...new Set(include)].sort().join()}`;
}
