/**
 * Means and ratios of arms from the moments of their people, less noisy by what the same people did before they were exposed. Pure.
 *
 * - Ratios by the delta method: Deng, Knoblich and Lu, "Applying the delta method in metric analytics", 2018.
 * - Values from before (CUPED): Deng, Xu, Kohavi and Walker, "Improving the sensitivity of online controlled experiments by utilizing
 *   pre-experiment data", 2013. The exposure cannot change them, so subtracting what they explain changes no expected difference.
 */
import type { Moments } from '#src/columns/columns.ts';
import type { Estimate } from './statistics.ts';

/** `mean`: of the first value of people; `ratio`: the total of the first divided by that of the second. */
export type EstimateKind = 'mean' | 'ratio';

export interface Estimates {
  /** By arm. */
  arms: Estimate[];
  /** Share of the variance that values from before explain; null: there are none. */
  reduction: number | null;
}

/** A value of an arm with that from before, and the variances of what one person adds to them. */
interface Part {
  value: number;
  variance: number;
  before: number | null;
  varianceBefore: number;
  covariance: number;
}

export function estimatesOf(kind: EstimateKind, arms: readonly Moments[]): Estimates {
  const parts = arms.map((arm) => partOf(kind, arm));
  const before = adjustmentOf(kind, arms, parts);
  const estimates = arms.map(({ people, active }, at): Estimate => {
    const part = parts[at] ?? null;
    if (part === null) return { people, active, value: null, variance: 0 };
    if (before === null || part.before === null) {
      return { people, active, value: part.value, variance: part.variance / people };
    }
    const { theta, mean } = before;
    const variance = part.variance + theta ** 2 * part.varianceBefore - 2 * theta * part.covariance;
    return {
      people,
      active,
      value: part.value - theta * (part.before - mean),
      variance: Math.max(0, variance) / people,
    };
  });
  return { arms: estimates, reduction: before?.reduction ?? null };
}

/** How much of values before is subtracted, the same of all arms, and their value over all arms; null: nothing is known of before. */
function adjustmentOf(
  kind: EstimateKind,
  arms: readonly Moments[],
  parts: readonly (Part | null)[],
): { theta: number; mean: number; reduction: number } | null {
  let [variance, before, covariance] = [0, 0, 0];
  const sums = [0, 0];
  for (const [at, part] of parts.entries()) {
    const { people, sums: own } = arms[at] as Moments;
    if (part === null || part.before === null) {
      if (people > 0) return null;
      continue;
    }
    variance += people * part.variance;
    before += people * part.varianceBefore;
    covariance += people * part.covariance;
    sums[0] = (sums[0] as number) + (own[2] as number);
    sums[1] = (sums[1] as number) + (kind === 'mean' ? people : (own[3] as number));
  }
  const [total, divisor] = sums as [number, number];
  if (before <= 0 || variance <= 0 || divisor <= 0) return null;
  return {
    theta: covariance / before,
    mean: total / divisor,
    reduction: covariance ** 2 / (before * variance),
  };
}

/** Null without people, or with a divisor that is not positive. */
function partOf(kind: EstimateKind, { people, sums, products }: Moments): Part | null {
  if (people === 0) return null;
  const means = sums.map((sum) => sum / people);
  const [y, u, x, w] = means as [number, number, number, number];
  const covariance = (one: number, other: number): number => {
    if (people < 2) return 0;
    const product = products[one * 4 + other] as number;
    return (product - people * (means[one] as number) * (means[other] as number)) / (people - 1);
  };
  if (kind === 'mean') {
    return {
      value: y,
      variance: covariance(0, 0),
      before: x,
      varianceBefore: covariance(2, 2),
      covariance: covariance(0, 2),
    };
  }
  if (u <= 0) return null;
  // What a person adds to the ratio y / u is, to first order, y / ū - u · ȳ / ū².
  const after: Weights = [1 / u, -y / u ** 2];
  const earlier: Weights | null = w > 0 ? [1 / w, -x / w ** 2] : null;
  const combined = (one: Weights, from: number, other: Weights, to: number): number =>
    one[0] * other[0] * covariance(from, to) +
    one[0] * other[1] * covariance(from, to + 1) +
    one[1] * other[0] * covariance(from + 1, to) +
    one[1] * other[1] * covariance(from + 1, to + 1);
  return {
    value: y / u,
    variance: combined(after, 0, after, 0),
    before: earlier && x / w,
    varianceBefore: earlier === null ? 0 : combined(earlier, 2, earlier, 2),
    covariance: earlier === null ? 0 : combined(after, 0, earlier, 2),
  };
}

type Weights = readonly [number, number];
