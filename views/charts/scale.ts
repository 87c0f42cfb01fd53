/** The value axis: from zero, with three to five round lines. Pure. */

/** Unit of an axis: counts (whole), shares of one, means of counts, or seconds. */
export type ValueKind = 'count' | 'share' | 'mean' | 'decimal' | 'seconds' | Money;
/** Money of the currency that follows, '' when it is not known. */
export type Money = `money ${string}`;

export interface Axis {
  /** Value at the top edge of the plot. */
  top: number;
  /** Values of the lines, rising; zero has none. */
  lines: number[];
}

const DURATION_STEPS = [
  1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 14_400, 21_600, 43_200, 86_400,
];
const MAX_LINES = 5;
const FEWEST_LINES = 3;

/** The axis that holds every value. */
export function axisFor(values: readonly (number | null)[], kind: ValueKind): Axis {
  let largest = 0;
  for (const value of values) if (value !== null && value > largest) largest = value;
  if (largest === 0 && (kind === 'share' || kind === 'mean' || kind === 'decimal')) largest = 1;
  const step = stepFor(largest, kind);
  const count = Math.max(FEWEST_LINES, Math.ceil(largest / step - 1e-9));
  const lines = Array.from({ length: count }, (_, index) => round((index + 1) * step));
  return { top: lines.at(-1) as number, lines };
}

function stepFor(largest: number, kind: ValueKind): number {
  if (kind === 'seconds') {
    return DURATION_STEPS.find((step) => largest / step <= MAX_LINES) ?? decimalStep(largest / 86_400, 1) * 86_400;
  }
  return decimalStep(largest, kind === 'count' ? 1 : 0);
}

/** The smallest of 1, 2, 2.5, 5 × 10ⁿ that needs at most five lines, not below `least` (1 keeps counts whole). */
function decimalStep(largest: number, least: number): number {
  if (largest / MAX_LINES <= least) return least;
  const magnitude = 10 ** Math.floor(Math.log10(largest / MAX_LINES));
  for (const factor of [1, 2, 2.5, 5, 10]) {
    const step = round(factor * magnitude);
    if (least === 1 && !Number.isInteger(step)) continue;
    if (largest / step <= MAX_LINES + 1e-9) return step;
  }
  return magnitude * 10;
}

/** Takes off what floating point adds: 0.30000000000000004 is 0.3. */
function round(value: number): number {
  return Number(value.toPrecision(12));
}
