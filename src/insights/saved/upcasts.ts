/**
 * Older versions of stored queries as the present one. A query keeps the version that it was saved with; it is up-cast whenever it is
 * opened. `test/fixtures/insights/` has queries of every version, which open for ever.
 */
import type { SavedKind } from './values.ts';

export interface VersionedQuery {
  kind: SavedKind;
  query: Record<string, unknown>;
}

/** The step from version n + 1 to n + 2 is at index n. */
export type Upcasts = readonly ((stored: VersionedQuery) => VersionedQuery)[];

/** The first version is the present one. */
const upcasts: Upcasts = [];

/** @throws for a version that never was */
export function upcast(stored: VersionedQuery, version: number, steps: Upcasts = upcasts): VersionedQuery {
  if (!Number.isInteger(version) || version < 1 || version > steps.length + 1) {
    throw new Error(`unknown version of a saved query: ${version}`);
  }
  return steps.slice(version - 1).reduce((query, step) => step(query), stored);
}
