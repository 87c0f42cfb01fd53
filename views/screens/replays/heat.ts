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

/** Of a place, CSS px of the page. */
const RADIUS = 26;
const CELL_HALF = 5;
/** What was clicked once is seen, too. */
const FAINTEST = 0.14;
const DENSEST = 0.82;
const SCROLL_ALPHA = 0.42;
/** Shares of views that have a line. */
const LINES = [0.75, 0.5, 0.25];

/** @param colors from few to many */
export function drawClicks(
  canvas: HTMLCanvasElement,
  cells: readonly HeatmapCell[],
  { width, top, seen, scale }: HeatView,
  colors: readonly Color[],
): void {
  const context = cleared(canvas);
  const most = Math.max(1, ...cells.map(({ count }) => count));
  for (const { x, y, fixed, count } of cells) {
    const middle = (fixed ? y : y - top) + CELL_HALF;
    if (middle < -RADIUS || middle > seen + RADIUS) continue;
    const density = FAINTEST + (1 - FAINTEST) * Math.sqrt(count / most);
    spot(context, ((x + 0.5) / 100) * width * scale, middle * scale, Math.max(10, RADIUS * scale), density);
  }
  colorize(context, canvas, colors);
}

function spot(context: CanvasRenderingContext2D, x: number, y: number, radius: number, density: number): void {
  const fade = context.createRadialGradient(x, y, 0, x, y, radius);
  fade.addColorStop(0, `rgb(0 0 0 / ${density})`);
  fade.addColorStop(1, 'rgb(0 0 0 / 0)');
  context.fillStyle = fade;
  context.fillRect(x - radius, y - radius, radius * 2, radius * 2);
}

/** What is dense gets the last color. */
function colorize(context: CanvasRenderingContext2D, canvas: HTMLCanvasElement, colors: readonly Color[]): void {
  if (canvas.width === 0 || canvas.height === 0) return;
  const image = context.getImageData(0, 0, canvas.width, canvas.height);
  const { data } = image;
  for (let at = 0; at < data.length; at += 4) {
    const density = (data[at + 3] as number) / 255;
    if (density === 0) continue;
    [data[at], data[at + 1], data[at + 2]] = colorAt(colors, density) as [number, number, number];
    data[at + 3] = Math.min(1, density * 1.6) * DENSEST * 255;
  }
  context.putImageData(image, 0, 0);
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
  const placeOf = (depth: number) => ((depth / 100) * height - top) * scale;
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
  const context = canvas.getContext('2d', { willReadFrequently: true }) as CanvasRenderingContext2D;
  context.clearRect(0, 0, canvas.width, canvas.height);
  return context;
}

/** A color as style sheets compute it; black when it is another notation. */
export function colorIn(text: string): Color {
  const [red = 0, green = 0, blue = 0] = (text.match(/[\d.]+/g) ?? []).map(Number);
  return [red, green, blue];
}
