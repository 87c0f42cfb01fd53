/**
 * Cached chunk results are immutable, so their identity can be used as a cache key: sums of the same
 * buffers are equal.
 */

/** On the piece itself: hundreds of thousands of them in a WeakMap would have to be put in order again while others wait. Threads do not get it. */
const NUMBER = Symbol('number');
let last = 0;

interface Piece {
  [NUMBER]?: number;
}

/** Notes that this is kept and will not be changed. */
export function tagImmutable(piece: object): void {
  (piece as Piece)[NUMBER] ??= ++last;
}

/** A number that no other piece ever had; null for what may change, or is made again each time. */
export function serialOf(piece: object): number | null {
  return (piece as Piece)[NUMBER] ?? null;
}
