/** Parts of summaries: numbers as shares of the greatest one, to three decimals. Pure. */
const MAX_POINTS = 60;
export const MAX_SUMMARY_BARS = 12;
export const MAX_SUMMARY_CELLS = 8;

export function sharesOf(counts: readonly (number | null)[]): number[] {
  const greatest = greatestOf(counts);
  return counts.map((count) => shareOf(count, greatest) ?? 0);
}

/** Null stays null: no data. */
export function shareOf(value: number | null, greatest: number): number | null {
  if (value === null) return null;
  return greatest === 0 ? 0 : roundedShare(value / greatest);
}

export function greatestOf(values: readonly (number | null)[]): number {
  return values.reduce<number>((greatest, value) => Math.max(greatest, Math.abs(value ?? 0)), 0);
}

export function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

export function roundedShare(share: number): number {
  return Math.round(share * 1000) / 1000;
}

/** Lines on one axis, each of at most 60 points. */
export function linesOf(series: readonly (readonly (number | null)[])[]): (number | null)[][] {
  const lines = series.map(thinned);
  const greatest = greatestOf(lines.flat());
  return lines.map((line) => line.map((value) => shareOf(value, greatest)));
}

/** Evenly chosen points; the last one is kept. */
function thinned(points: readonly (number | null)[]): (number | null)[] {
  const every = Math.ceil(points.length / MAX_POINTS);
  return points.filter((_, at) => (points.length - 1 - at) % every === 0);
}
