/** Points as they are drawn. Nulls stay: nothing is known of them. Pure. */
import type { Values } from '#views/charts/stacks.ts';

/** Each point is the sum of all up to it. */
export function cumulated(values: Values): Values {
  let sum = 0;
  return values.map((value) => {
    if (value === null) return null;
    sum += value;
    return sum;
  });
}

/** Each point is the mean of the last `length` points that are known, up to it. */
export function smoothed(values: Values, length: number): Values {
  return values.map((value, at) => {
    if (value === null) return null;
    const known = values.slice(Math.max(0, at - length + 1), at + 1).filter((each) => each !== null);
    return known.reduce((sum, each) => sum + each, 0) / known.length;
  });
}
