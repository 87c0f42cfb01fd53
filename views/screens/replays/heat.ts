/** Draws heat onto a canvas: places by how often they were clicked, and how far visitors scrolled. */
import type { HeatmapCell } from '#src/replays/heatmaps/contract.ts';

/** The part of the page that is seen, and how large it is drawn. */
export interface HeatView {
  /** Of the page, CSS px. */
  width: number;
  height: number;
  /** Scrolled by so much. */
  top: number;
  /** Height of what is seen. */
  seen: number;
  scale: number;
}

export type Color = readonly [red: number, green: number, blue: number];

/** What was clicked, as pictures of the page: what scrolls, and what does not. */
export interface Heat {
  page: HTMLCanvasElement;
  fixed: HTMLCanvasElement;
}

/** A pixel of the pictures is a square of so many CSS px. */
const GRAIN = 4;
/** Of a place, CSS px. */
const RADIUS = 28;
const CELL_HALF = 5;
/** Pages may be endless. */
const MAX_HEIGHT = 40_000;
/** Fainter is not drawn; the densest place is this opaque. */
const FAINTEST = 0.04;
const DENSEST = 0.78;
const SCROLL_ALPHA = 0.42;
/** Shares of views that have a line. */
const LINES = [0.75, 0.5, 0.25];

/** @param colors from few to many */
export function heatOf(
  cells: readonly HeatmapCell[],
  { width, height, seen }: Pick<HeatView, 'width' | 'height' | 'seen'>,
  colors: readonly Color[],
): Heat {
  const page = densityOf(cells, false, width, Math.min(height, MAX_HEIGHT));
  const fixed = densityOf(cells, true, width, seen);
  const most = Math.max(page.most, fixed.most);
  return { page: pictureOf(page, most, colors), fixed: pictureOf(fixed, most, colors) };
}

interface Density {
  values: Float32Array;
  columns: number;
  rows: number;
  most: number;
}

/** Clicks around each square: a click counts less the further away it is. */
function densityOf(cells: readonly HeatmapCell[], isFixed: boolean, width: number, height: number): Density {
  const [columns, rows] = [Math.max(1, Math.ceil(width / GRAIN)), Math.max(1, Math.ceil(height / GRAIN))];
  const values = new Float32Array(columns * rows);
  const reach = Math.ceil(RADIUS / GRAIN);
  let most = 0;
  for (const { x, y, fixed, count } of cells) {
    if (fixed !== isFixed) continue;
    const column = Math.round((((x + 0.5) / 100) * width) / GRAIN);
    const row = Math.round((y + CELL_HALF) / GRAIN);
    for (let down = -reach; down <= reach; down++) {
      for (let right = -reach; right <= reach; right++) {
        const [at, line] = [column + right, row + down];
        if (at < 0 || at >= columns || line < 0 || line >= rows) continue;
        const distance = Math.hypot(right, down) / reach;
        if (distance >= 1) continue;
        const place = line * columns + at;
        const value = (values[place] as number) + count * (1 - distance * distance) ** 2;
        values[place] = value;
        if (value > most) most = value;
      }
    }
  }
  return { values, columns, rows, most };
}

/** What is dense gets the last color, and hides most of the page. */
function pictureOf({ values, columns, rows }: Density, most: number, colors: readonly Color[]): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = columns;
  canvas.height = rows;
  const context = canvas.getContext('2d') as CanvasRenderingContext2D;
  const image = context.createImageData(columns, rows);
  values.forEach((value, at) => {
    const part = most === 0 ? 0 : Math.sqrt(value / most);
    if (part < FAINTEST) return;
    image.data.set([...colorAt(colors, part), Math.min(1, part * 2) * DENSEST * 255], at * 4);
  });
  context.putImageData(image, 0, 0);
  return canvas;
}

export function drawClicks(canvas: HTMLCanvasElement, { page, fixed }: Heat, { top, scale }: HeatView): void {
  const context = cleared(canvas);
  const grain = GRAIN * scale;
  context.drawImage(page, 0, -top * scale, page.width * grain, page.height * grain);
  context.drawImage(fixed, 0, 0, fixed.width * grain, fixed.height * grain);
}

export function colorAt(colors: readonly Color[], part: number): Color {
  const place = Math.min(1, Math.max(0, part)) * (colors.length - 1);
  const [one, other] = [colors[Math.floor(place)], colors[Math.ceil(place)]] as [Color, Color];
  const rest = place - Math.floor(place);
  return [0, 1, 2].map((at) => (one[at] as number) * (1 - rest) + (other[at] as number) * rest) as unknown as Color;
}

/** @param reached views that came to each hundredth of the page @param labelOf text of a share */
export function drawScroll(
  canvas: HTMLCanvasElement,
  reached: readonly number[],
  { height, top, seen, scale }: HeatView,
  colors: readonly Color[],
  labelOf: (share: number) => string,
): void {
  const context = cleared(canvas);
  const all = reached[0] ?? 0;
  if (all === 0) return;
  const { width } = canvas;
  const placeOf = (depth: number) => Math.round(((depth / 100) * height - top) * scale);
  for (let depth = 0; depth < reached.length - 1; depth++) {
    const [from, to] = [placeOf(depth), placeOf(depth + 1)];
    if (to < 0 || from > seen * scale) continue;
    const [red, green, blue] = colorAt(colors, (reached[depth + 1] ?? 0) / all);
    context.fillStyle = `rgb(${red} ${green} ${blue} / ${SCROLL_ALPHA})`;
    context.fillRect(0, from, width, to - from);
  }
  for (const share of LINES) {
    const depth = reached.findIndex((views) => views / all < share);
    if (depth <= 0) continue;
    line(context, placeOf(depth), width, labelOf(share));
  }
}

function line(context: CanvasRenderingContext2D, y: number, width: number, label: string): void {
  context.font = '12px system-ui, sans-serif';
  const room = context.measureText(label).width + 16;
  context.fillStyle = 'rgb(15 28 46)';
  context.fillRect(0, y - 0.5, width, 1);
  context.fillRect(0, y - 20, room, 20);
  context.fillStyle = 'rgb(255 255 255)';
  context.fillText(label, 8, y - 6);
}

function cleared(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const context = canvas.getContext('2d') as CanvasRenderingContext2D;
  context.clearRect(0, 0, canvas.width, canvas.height);
  return context;
}

/** A color as style sheets compute it; black when it is another notation. */
export function colorIn(text: string): Color {
  const [red = 0, green = 0, blue = 0] = (text.match(/[\d.]+/g) ?? []).map(Number);
  return [red, green, blue];
}
