/** A small line without axes as path data: the first page draws it, without what the chart takes. Pure. */

/** Path scaled from the lowest to the highest value, without the current interval. */
export function sparkPath(
  values: readonly (number | null)[],
  width: number,
  height: number,
): { line: string; end: string } {
  let low = Number.POSITIVE_INFINITY;
  let high = 0;
  for (const value of values) {
    if (value === null) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  if (low === Number.POSITIVE_INFINITY) return { line: '', end: '' };
  const inset = height / 10;
  const span = high - Math.min(low, high / 2) || 1;
  const base = high === 0 ? 0 : high - span;
  const step = values.length > 1 ? width / (values.length - 1) : 0;
  const x = (index: number): number => Math.round(index * step);
  const y = (value: number): number => Math.round(inset + (1 - (value - base) / span) * (height - 2 * inset));
  let line = '';
  let end = '';
  let drawing = false;
  for (const [index, value] of values.entries()) {
    if (value === null) {
      drawing = false;
      continue;
    }
    line += `${drawing ? 'L' : 'M'}${x(index)} ${y(value)}`;
    end = `M${x(index)} ${y(value)}h.01`;
    drawing = true;
  }
  return { line, end };
}
