/**
 * Codes of all rows, four bytes or eight wide. As they are kept they have one, two or four bytes, and a loop that meets all of these finds out
 * anew with each row which it has; to copy them takes a fraction of that. Pure, but for memory that is used again.
 */
import type { Codes } from '../format.ts';
import { type Place, scratch, scratchFloats } from './scratch.ts';

/** Of columns with a dictionary. */
export function wide(codes: Codes, place: Place): Int32Array {
  const copy = scratch(place, codes.length);
  copy.set(codes);
  return copy;
}

/** Of columns of plain numbers; for one use at a time. */
export function wideFloats(codes: Codes): Float64Array {
  const copy = scratchFloats(codes.length);
  copy.set(codes);
  return copy;
}
