/** Shapes of several series in a box of `WIDTH` × `HEIGHT` units, which is stretched over the plot. Pure. */
import { HEIGHT, middle, WIDTH } from './paths.ts';
import type { Layer, Values } from './stacks.ts';

/** Values at both edges of the plot. */
export interface Edges {
  top: number;
  bottom: number;
}

/** How far below the top edge a value is, 0 to 1. */
export function placeOf(value: number, { top, bottom }: Edges): number {
  return (top - value) / (top - bottom);
}

/** Share of an interval's width that its bars take. */
const BARS = 0.72;

const xOf = (at: number): number => Math.round(at * WIDTH);
const yOf = (value: number, edges: Edges): number => Math.round(placeOf(value, edges) * HEIGHT);

/** The area between both edges of a layer, with gaps where nothing is known. */
export function areaPath(layers: readonly (Layer | null)[], edges: Edges): string {
  const count = layers.length;
  let path = '';
  let run: { at: number; layer: Layer }[] = [];
  const close = (): void => {
    if (run.length > 1) {
      const upper = run.map(({ at, layer }) => `${xOf(middle(at, count))} ${yOf(layer.to, edges)}`);
      const lower = run.map(({ at, layer }) => `${xOf(middle(at, count))} ${yOf(layer.from, edges)}`);
      path += `M${upper.join('L')}L${lower.reverse().join('L')}Z`;
    }
    run = [];
  };
  for (const [at, layer] of layers.entries()) {
    if (layer === null) close();
    else run.push({ at, layer });
  }
  close();
  return path;
}

/** Bars of a layer, one in each interval. */
export function stackedBars(layers: readonly (Layer | null)[], edges: Edges): string {
  const count = layers.length;
  return layers
    .map((layer, at) => (layer === null ? '' : bar(at, count, 0, 1, yOf(layer.from, edges), yOf(layer.to, edges))))
    .join('');
}

/** Bars of the `place`-th of `among` series, beside those of the others. */
export function groupedBars(values: Values, count: number, edges: Edges, place: number, among: number): string {
  return Array.from({ length: count }, (_, at) => {
    const value = values[at] ?? null;
    return value === null ? '' : bar(at, count, place, among, yOf(0, edges), yOf(value, edges));
  }).join('');
}

function bar(at: number, count: number, place: number, among: number, bottom: number, head: number): string {
  const width = (WIDTH / count) * BARS;
  const left = middle(at, count) * WIDTH - width / 2 + (width * place) / among;
  const right = left + Math.max(1, width / among - (among > 1 ? 1 : 0));
  if (bottom === head) return '';
  return `M${Math.round(left)} ${bottom}V${head}H${Math.round(right)}V${bottom}Z`;
}
