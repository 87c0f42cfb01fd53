/** Lists of numbers in memory that all threads see. */

export function sharedInts(length: number): Int32Array<SharedArrayBuffer> {
  return new Int32Array(new SharedArrayBuffer(length * 4));
}

export function sharedFloats(length: number): Float64Array<SharedArrayBuffer> {
  return new Float64Array(new SharedArrayBuffer(length * 8));
}

export function intsOf(values: ArrayLike<number>): Int32Array<SharedArrayBuffer> {
  const list = sharedInts(values.length);
  list.set(values);
  return list;
}

export function floatsOf(values: ArrayLike<number>): Float64Array<SharedArrayBuffer> {
  const list = sharedFloats(values.length);
  list.set(values);
  return list;
}
