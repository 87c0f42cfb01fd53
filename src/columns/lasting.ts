/**
 * What was counted of chunks never changes while it is kept, so that it can be told by the piece of memory it lies in: sums of the same
 * pieces are the same sums.
 */

const numbers = new WeakMap<object, number>();
let last = 0;

/** Notes that this is kept and will not be changed. */
export function noteLasting(piece: object): void {
  if (!numbers.has(piece)) numbers.set(piece, ++last);
}

/** A number that no other piece ever had; null for what may change, or is made anew each time. */
export function serialOf(piece: object): number | null {
  return numbers.get(piece) ?? null;
}
