/**
 * Whether a change could be chance: a paired t-test over the intervals of two periods (Student, "The probable error of a mean", 1908). Each interval is
 * compared with the one at its place in the other period, so the rhythm of the week cancels out, and the spread of the differences is what days differ by
 * without a cause. Of several tests at once the error is shared by Holm's rule ("A simple sequentially rejective multiple test procedure", 1979). Pure.
 */
import { MIN_PAIRS } from './values.ts';

/** Two-sided p-value of the differences; null: there are too few. */
export function pairedTest(differences: readonly number[]): number | null {
  const count = differences.length;
  if (count < MIN_PAIRS) return null;
  const mean = differences.reduce((sum, each) => sum + each, 0) / count;
  if (mean === 0) return 1;
  const squares = differences.reduce((sum, each) => sum + (each - mean) ** 2, 0);
  const error = Math.sqrt(squares / (count - 1) / count);
  // Without any spread: the sign test, the chance that all go the same way.
  if (error === 0) return 2 ** (1 - count);
  return studentTail(mean / error, count - 1);
}

/** Probability of a t-value at least this far from 0, for whole degrees of freedom (Abramowitz and Stegun, 26.7.3 and 26.7.4). */
export function studentTail(t: number, degrees: number): number {
  const angle = Math.atan(Math.abs(t) / Math.sqrt(degrees));
  const [sine, cosine] = [Math.sin(angle), Math.cos(angle)];
  const isOdd = degrees % 2 === 1;
  let term = isOdd ? cosine : 1;
  let sum = degrees === 1 ? 0 : term;
  for (let at = isOdd ? 3 : 2; at <= degrees - 2; at += 2) {
    term *= ((at - 1) / at) * cosine ** 2;
    sum += term;
  }
  const within = isOdd ? (2 / Math.PI) * (angle + sine * sum) : sine * sum;
  return Math.min(1, Math.max(0, 1 - within));
}

/** The p-values, each raised so that at most a share of alpha of all families has a false finding. */
export function adjusted(values: readonly (number | null)[]): (number | null)[] {
  const tested = values.flatMap((value, at) => (value === null ? [] : [{ value, at }]));
  tested.sort((one, other) => one.value - other.value);
  const result: (number | null)[] = values.map(() => null);
  let least = 0;
  for (const [rank, { value, at }] of tested.entries()) {
    least = Math.min(1, Math.max(least, value * (tested.length - rank)));
    result[at] = least;
  }
  return result;
}
