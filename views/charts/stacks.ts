/** Values of several series one upon the other. Pure. */

export type Values = readonly (number | null)[];

/** Lower and upper bound of a series in an interval; null: no data. */
export interface Layer {
  from: number;
  to: number;
}

/**
 * Stacks series, by series and interval.
 * @param asShares each interval adds up to 1, or to 0 when empty
 */
export function stack(series: readonly Values[], count: number, asShares = false): (Layer | null)[][] {
  const layers: (Layer | null)[][] = series.map(() => []);
  for (let index = 0; index < count; index++) {
    const sum = series.reduce((total, values) => total + Math.max(0, values[index] ?? 0), 0);
    const scale = asShares && sum > 0 ? 1 / sum : 1;
    let from = 0;
    for (const [place, values] of series.entries()) {
      const value = values[index] ?? null;
      if (value === null) {
        layers[place]?.push(null);
        continue;
      }
      const to = from + Math.max(0, value) * scale;
      layers[place]?.push({ from, to });
      from = to;
    }
  }
  return layers;
}

/** The same below zero. */
export function mirrored(layers: readonly (Layer | null)[]): (Layer | null)[] {
  return layers.map((layer) => layer && { from: -layer.from, to: -layer.to });
}

/** The largest end of a layer. */
export function topOf(layers: readonly (readonly (Layer | null)[])[]): number {
  return layers.reduce((top, series) => series.reduce((most, layer) => Math.max(most, layer?.to ?? 0), top), 0);
}
