/** When groups are too small for their rates to be compared. Pure. */

/** Rates of fewer say little. */
const FEW = 30;

/** The size of the smallest group of which rates are shown; null when all are large enough. Empty groups have no rate. */
export function fewest(groups: readonly (number | null | undefined)[]): number | null {
  const sizes = groups.filter((size): size is number => typeof size === 'number' && size > 0);
  const least = Math.min(...sizes, FEW);
  return least < FEW ? least : null;
}
