/** A preview as paths in a box of 112 × 48. Pure. */
import type { ResultSummary } from '#src/insights/query/contract.ts';

export const WIDTH = 112;
export const HEIGHT = 48;
const EDGE = 4;
const INNER_WIDTH = WIDTH - 2 * EDGE;
const INNER_HEIGHT = HEIGHT - 2 * EDGE;
/** Of a column, the part that its bar takes. */
const BAR = 0.75;
export const HEAT_LEVELS = 7;

export interface ThumbnailPath {
  /** How it is painted. */
  paint: `line${number}` | `layer${number}` | `heat${number}` | 'bar' | 'link';
  d: string;
}

type Shape = Exclude<ResultSummary, { shape: 'number' }>;

export function pathsOf(preview: Shape): ThumbnailPath[] {
  switch (preview.shape) {
    case 'lines':
      return linesOf(preview.lines);
    case 'bars':
      return [{ paint: 'bar', d: barsOf(preview.bars) }];
    case 'stacks':
      return stacksOf(preview.stacks);
    case 'cells':
      return cellsOf(preview.rows);
    case 'flows':
      return flowsOf(preview);
  }
}

/** Zero is at the bottom, or in the middle where something is below it. */
function linesOf(lines: readonly (readonly (number | null)[])[]): ThumbnailPath[] {
  const isBelow = lines.some((line) => line.some((share) => share !== null && share < 0));
  const placed = isBelow ? lines.map((line) => line.map((share) => (share === null ? null : (share + 1) / 2))) : lines;
  return placed.map((line, at) => ({ paint: `line${at}`, d: lineOf(line) }));
}

/** With gaps where there is no data. */
function lineOf(line: readonly (number | null)[]): string {
  const step = line.length > 1 ? INNER_WIDTH / (line.length - 1) : 0;
  let isOpen = false;
  const parts = line.map((share, at) => {
    const command = isOpen ? 'L' : 'M';
    isOpen = share !== null;
    if (share === null) return '';
    return `${command}${round(EDGE + at * step)} ${round(HEIGHT - EDGE - share * INNER_HEIGHT)}`;
  });
  return line.length === 1 && isOpen ? `${parts[0]}h${INNER_WIDTH}` : parts.join('');
}

function barsOf(bars: readonly number[]): string {
  const step = INNER_WIDTH / Math.max(bars.length, 1);
  return bars
    .map((share, at) => {
      const height = Math.max(share * INNER_HEIGHT, 0.5);
      return box(EDGE + at * step, HEIGHT - EDGE - height, step * BAR, height);
    })
    .join('');
}

/** Positive values stack upwards from the axis, negative ones downwards. */
function stacksOf(stacks: readonly (readonly number[])[]): ThumbnailPath[] {
  const step = INNER_WIDTH / Math.max(stacks.length, 1);
  const middle = HEIGHT / 2;
  const layers: string[] = [];
  stacks.forEach((stack, at) => {
    let top = middle;
    stack.forEach((share, layer) => {
      const height = Math.abs(share) * (INNER_HEIGHT / 2);
      if (share > 0) top -= height;
      const y = share > 0 ? top : middle + 1;
      layers[layer] = (layers[layer] ?? '') + box(EDGE + at * step, y, step * BAR, height);
    });
  });
  return layers.map((d, layer) => ({ paint: `layer${layer}`, d }));
}

function cellsOf(rows: readonly (readonly (number | null)[])[]): ThumbnailPath[] {
  const columns = Math.max(...rows.map(({ length }) => length), 1);
  const width = INNER_WIDTH / columns;
  const height = INNER_HEIGHT / Math.max(rows.length, 1);
  const levels = new Map<number, string>();
  rows.forEach((row, y) => {
    row.forEach((share, x) => {
      const level = share === null ? 1 : 1 + Math.min(Math.floor(share * HEAT_LEVELS), HEAT_LEVELS - 1);
      const cell = box(EDGE + x * width, EDGE + y * height, width - 1, height - 1);
      levels.set(level, (levels.get(level) ?? '') + cell);
    });
  });
  return [...levels].map(([level, d]) => ({ paint: `heat${level}`, d }));
}

const NODE_WIDTH = 4;
const NODE_GAP = 2;

function flowsOf({ columns, links }: Extract<ResultSummary, { shape: 'flows' }>): ThumbnailPath[] {
  const most = Math.max(...columns.map(({ length }) => length), 1);
  const unit = INNER_HEIGHT - (most - 1) * NODE_GAP;
  const step = columns.length > 1 ? (INNER_WIDTH - NODE_WIDTH) / (columns.length - 1) : 0;
  const tops = columns.map((nodes) => {
    let next = EDGE;
    return nodes.map((share) => {
      const top = next;
      next += share * unit + NODE_GAP;
      return top;
    });
  });
  const used = new Map<string, number>();
  /** Links of a node lie below each other. */
  function startOf(side: 'out' | 'in', column: number, node: number, height: number): number {
    const key = `${side} ${column} ${node}`;
    const before = used.get(key) ?? 0;
    used.set(key, before + height);
    return (tops[column]?.[node] ?? EDGE) + before;
  }
  const bands = links.map(([column, source, target, share]) => {
    const height = share * unit;
    const y1 = startOf('out', column, source, height);
    const y2 = startOf('in', column + 1, target, height);
    return band(EDGE + column * step + NODE_WIDTH, y1, EDGE + (column + 1) * step, y2, height);
  });
  const nodes = columns.flatMap((shares, column) =>
    shares.map((share, node) =>
      box(EDGE + column * step, tops[column]?.[node] ?? EDGE, NODE_WIDTH, Math.max(share * unit, 0.5)),
    ),
  );
  return [
    { paint: 'link', d: bands.join('') },
    { paint: 'bar', d: nodes.join('') },
  ];
}

function band(x1: number, y1: number, x2: number, y2: number, height: number): string {
  const middle = (x1 + x2) / 2;
  const there = [middle, y1, middle, y2, x2, y2].map(round).join(' ');
  const back = [middle, y2 + height, middle, y1 + height, x1, y1 + height].map(round).join(' ');
  return `M${round(x1)} ${round(y1)}C${there}v${round(height)}C${back}Z`;
}

function box(x: number, y: number, width: number, height: number): string {
  return `M${round(x)} ${round(y)}h${round(width)}v${round(height)}h${round(-width)}z`;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
