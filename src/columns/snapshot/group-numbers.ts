/**
 * Groups by number, so that they are counted as persons are: their keys are numbered in this process as they are read, and a column of numbers is made
 * of the column of keys. Numbers never change while they are kept; those of another numbering have another serial, which is part of cache keys.
 */

import { textOf } from '../filters/condition-values.ts';
import type { Cache } from '../storage/cache.ts';
import { PROPERTY } from '../storage/encode.ts';
import { type ColumnBytes, valuesOf, withNumbers } from '../storage/format.ts';
import { type GroupSubject, isGroupSubject, keyProperty } from '../values.ts';
import type { GatheredChunk } from './gathered-chunk.ts';

/** Keys of a group type by number; number 0 is no group. */
export interface GroupNumbers {
  serial: number;
  keys: string[];
  numbers: Map<string, number>;
}

export interface GroupRegistry {
  of(projectId: number, subject: GroupSubject): GroupNumbers;
}

/** Keys that are kept over all projects, about: some 100 bytes each. */
const MAX_KEYS = 1_000_000;

export function createGroupRegistry(mostKeys = MAX_KEYS): GroupRegistry {
  const kept = new Map<string, GroupNumbers>();
  let serials = 0;

  function forgetOldest(except: string): void {
    let sum = 0;
    for (const { keys } of kept.values()) sum += keys.length;
    for (const [name, { keys }] of kept) {
      if (sum <= mostKeys) return;
      if (name === except && keys.length <= mostKeys) continue;
      sum -= keys.length;
      kept.delete(name);
    }
  }

  return {
    of(projectId, subject) {
      const name = `${projectId} ${subject}`;
      forgetOldest(name);
      const found = kept.get(name) ?? { serial: ++serials, keys: [''], numbers: new Map([['', 0]]) };
      kept.delete(name);
      kept.set(name, found);
      return found;
    },
  };
}

/** The group types among wanted columns. */
export function groupSubjectsIn(columns: readonly string[]): GroupSubject[] {
  return [...new Set(columns.filter(isGroupSubject))];
}

/** Chunks with a column of group numbers, named as the group type. Those of stored chunks are cached. */
export async function addGroupColumns(
  { cache, breathe }: { cache: Cache; breathe: () => Promise<void> },
  chunks: readonly GatheredChunk[],
  groups: ReadonlyMap<GroupSubject, GroupNumbers>,
): Promise<GatheredChunk[]> {
  const found: GatheredChunk[] = [];
  for (const chunk of chunks) {
    const added: Record<string, ColumnBytes> = {};
    for (const [subject, own] of groups) {
      const keys = chunk.columns[PROPERTY + keyProperty(subject)];
      if (keys === undefined) continue;
      const name = chunk.id === null || chunk.id < 0 ? null : `${chunk.id} ${subject} ${own.serial}`;
      const kept = name === null ? undefined : cache.get<ColumnBytes>(name);
      if (kept === undefined) await breathe();
      const column = kept ?? numbered(keys, own);
      if (name !== null && kept === undefined) cache.set(name, column, column.byteLength);
      added[subject] = column;
    }
    // Columns of stored chunks may still be arriving: theirs is an object of this question. Others are shared with other questions.
    if (chunk.id !== null && chunk.id > 0) {
      Object.assign(chunk.columns, added);
      found.push(chunk);
    } else found.push({ ...chunk, columns: { ...chunk.columns, ...added } });
  }
  return found;
}

function numbered(column: ColumnBytes, { keys, numbers }: GroupNumbers): ColumnBytes {
  const entries = valuesOf(column);
  const own = new Int32Array(entries.length);
  for (const [entry, value] of entries.entries()) {
    const key = value === undefined || value === null ? '' : textOf(value);
    let number = numbers.get(key);
    if (number === undefined) {
      number = keys.push(key) - 1;
      numbers.set(key, number);
    }
    own[entry] = number;
  }
  return withNumbers(column, own);
}
