/**
 * Digest of a person mask restricted to one chunk's persons. Persons that are not in the chunk do not change it,
 * so cached results stay valid. Pure, except for its cache.
 */

import type { GatheredChunk } from '../snapshot/gathered-chunk.ts';
import { numbersOf } from '../storage/format.ts';

/** Digests by mask and chunk number. */
const remembered = new WeakMap<Uint8Array, Map<number, string>>();

/** @param lists 1 for each number of a person who is on it @returns null for chunks that are made for one question */
export function personMaskDigest(lists: readonly Uint8Array[], { id, columns }: GatheredChunk): string | null {
  if (id === null) return null;
  const numbers = (columns['person'] && numbersOf(columns['person'])) ?? [];
  return lists
    .map((list) => {
      const known = remembered.get(list) ?? new Map<number, string>();
      remembered.set(list, known);
      const value = known.get(id) ?? digest(list, numbers);
      known.set(id, value);
      return value;
    })
    .join();
}

/** 64 bits over a bit for each of the numbers. */
function digest(list: Uint8Array, numbers: ArrayLike<number>): string {
  let [one, other, word] = [0x811c9dc5, 0x9e3779b9, 0];
  for (let at = 0; at < numbers.length; at++) {
    const number = numbers[at] as number;
    word = (word << 1) | (number < list.length ? (list[number] as number) : 0);
    if ((at & 31) !== 31) continue;
    one = Math.imul(one ^ word, 0x85ebca6b);
    one ^= one >>> 15;
    other = Math.imul(other ^ word, 0xc2b2ae35);
    other ^= other >>> 13;
  }
  one = Math.imul(one ^ word, 0x85ebca6b);
  other = Math.imul(other ^ word, 0xc2b2ae35);
  return `${(one ^ (one >>> 16)) >>> 0}.${(other ^ (other >>> 16)) >>> 0}`;
}
