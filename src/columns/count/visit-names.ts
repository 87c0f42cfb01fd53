/**
 * With filters on visits, the count of a chunk depends on lists of visits, but only on the visits in the
 * chunk. Visits are numbered in blocks, so the cache key has the list parts with visits of its blocks.
 */

import { blocksOfList, type SessionList } from '../kernels/session-set.ts';
import { SESSION_BLOCK } from '../storage/chunk-sql.ts';
import type { ColumnBytes } from '../storage/format.ts';
import { openColumn } from '../storage/format.ts';
import { serialOf } from '../storage/immutable.ts';

/** Key of a block's visits in the lists; null: none, since a part exists only for this query. */
export type NameOfBlock = (block: number) => string | null;

/** @param pieces of one list */
export function namesByBlock(pieces: readonly SessionList[]): NameOfBlock {
  const names = new Map<number, string | null>();
  for (const piece of pieces) {
    const own = serialOf(piece);
    for (const block of blocksOfList(piece, SESSION_BLOCK)) {
      const known = names.get(block);
      names.set(block, own === null || known === null ? null : `${known ?? ''}+${own}`);
    }
  }
  return (block) => {
    const name = names.get(block);
    return name === undefined ? '' : name;
  };
}

/** The same for all of these blocks and lists. */
export function nameOf(blocks: readonly number[], lists: readonly NameOfBlock[]): string | null {
  const names: string[] = [];
  for (const list of lists) {
    for (const block of blocks) {
      const name = list(block);
      if (name === null) return null;
      names.push(name);
    }
  }
  return names.join(' ');
}

const blocksKnown = new WeakMap<ColumnBytes, readonly number[]>();

/** Blocks of the visits in an event chunk. @param sessions its column */
export function blocksOfEvents(sessions: ColumnBytes | undefined): readonly number[] {
  if (sessions === undefined) return [];
  const known = blocksKnown.get(sessions);
  if (known !== undefined) return known;
  const blocks = new Set<number>();
  for (const id of openColumn(sessions).numbers ?? []) if (id !== 0) blocks.add(Math.floor(id / SESSION_BLOCK));
  const list = [...blocks];
  blocksKnown.set(sessions, list);
  return list;
}

/** The block of a stored chunk of visits, of which all are of one. @param ids its column */
export function blockOfVisits(ids: ColumnBytes): number {
  const { base, codes } = openColumn(ids);
  return Math.floor((base + (codes[0] ?? 0)) / SESSION_BLOCK);
}
