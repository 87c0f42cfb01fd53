/** Counting bits, a word at a time. Pure, but for memory that is used again. */
import { type Place, scratch } from './scratch.ts';

/** How many bits are 1: two by two, then four by four, and so on. */
export function bitsIn(word: number): number {
  let bits = word - ((word >>> 1) & 0x5555_5555);
  bits = (bits & 0x3333_3333) + ((bits >>> 2) & 0x3333_3333);
  bits = (bits + (bits >>> 4)) & 0x0f0f_0f0f;
  return Math.imul(bits, 0x0101_0101) >>> 24;
}

/** How many bits of the word of a place are 1 before it. */
export function bitsBefore(word: number, place: number): number {
  return bitsIn(word & ((1 << (place & 31)) - 1));
}

/** For each word, the number of 1 bits in the words before it; in reused memory. */
export function ranksOf(words: Int32Array, place: Place): Int32Array {
  const ranks = scratch(place, words.length);
  let sum = 0;
  for (let at = 0; at < words.length; at++) {
    ranks[at] = sum;
    sum += bitsIn(words[at] as number);
  }
  return ranks;
}
