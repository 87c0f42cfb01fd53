/** Steps of heat drawings. Pure. */

/** Steps above nothing. */
export const STEPS = 8;

/** Step of a value, by equal parts of the greatest. */
export function linearStep(value: number, most: number): number {
  return value <= 0 || most <= 0 ? 0 : Math.ceil((value / most) * STEPS);
}

/** Mostly one country has far more than the others: steps are those of the logarithm. */
export function logStep(value: number, most: number): number {
  if (value <= 0) return 0;
  return most <= 1 ? STEPS : Math.max(1, 1 + Math.round((Math.log(value) / Math.log(most)) * (STEPS - 1)));
}
