/** Memory of this thread that is used again and again, since making it takes as long as what is done in it. */

/** One place for each use at the same time. */
export const SCRATCH = {
  rows: 0,
  visits: 1,
  places: 2,
  people: 3,
  values: 4,
  parts: 5,
  lists: 6,
  numbers: 7,
  marked: 8,
  codes: 9,
  views: 10,
  clicks: 11,
  tally: 12,
} as const;
export type Place = (typeof SCRATCH)[keyof typeof SCRATCH];

const pieces: Int32Array[] = [];
let floats = new Float64Array(4096);

/** Reused memory with stale content, valid until the next call with the same place. */
export function scratch(place: Place, length: number): Int32Array {
  const known = pieces[place];
  if (known !== undefined && known.length >= length) return known;
  const larger = new Int32Array(Math.max(length, (known?.length ?? 0) * 2, 4096));
  pieces[place] = larger;
  return larger;
}

/** The same of plain numbers, for one use at a time. */
export function scratchFloats(length: number): Float64Array {
  if (floats.length < length) floats = new Float64Array(Math.max(length, floats.length * 2));
  return floats;
}
