/**
 * Codes of all rows, four bytes or eight wide. As they are kept they have one, two or four bytes, and a loop that meets all of these finds out
 * again with each row which it has; to copy them takes a fraction of that. Pure, but for memory that is used again.
 */
import type { ColumnBytes } from '../storage/format.ts';
import { type Codes, openColumn, rowsOf, type Sparse, sparseOf } from '../storage/format.ts';
import { type Place, scratch, scratchFloats } from './scratch.ts';

/** Expands codes of a dictionary column to 32 bits. */
export function wide(codes: Codes, place: Place): Int32Array {
  const copy = scratch(place, codes.length);
  copy.set(codes);
  return copy;
}

/** Expands a stored dictionary column; a common value is filled at once. */
export function wideCodes(bytes: ColumnBytes, place: Place): Int32Array {
  const sparse = sparseOf(bytes);
  if (sparse === null) return wide(openColumn(bytes).codes, place);
  const rows = rowsOf(bytes);
  const codes = scratch(place, rows).fill(sparse.common, 0, rows);
  putOthers(codes, sparse);
  return codes;
}

function putOthers(codes: Int32Array, { words, others }: Sparse): void {
  let next = 0;
  for (let word = 0; word < words.length; word++) {
    for (let bits = words[word] as number; bits !== 0; bits &= bits - 1)
      codes[(word << 5) + 31 - Math.clz32(bits & -bits)] = others[next++] as number;
  }
}

/** Expands a numeric column to doubles; valid until the next call. */
export function wideFloats(codes: Codes): Float64Array {
  const copy = scratchFloats(codes.length);
  copy.set(codes);
  return copy;
}
