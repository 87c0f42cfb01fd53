/** The frame of a drawing: title, dates, legend, and in it what is drawn. Pure. */
import type { Palette } from './palette.ts';
import { escaped, shortened, tag, text, widthOf } from './svg.ts';

/** A part of a drawing, with its size. */
export interface Drawn {
  width: number;
  height: number;
  content: string;
}

export interface Frame {
  title: string;
  /** Below the title: kind and dates. */
  subtitle: string;
  legend: readonly { label: string; color: string }[];
  /** Below the drawing. */
  notes: readonly string[];
  palette: Palette;
  drawn: Drawn;
}

/** Width of drawings that can have any. */
export const WIDTH = 912;
const PADDING = 24;
const HEAD = 56;
const LEGEND_LINE = 22;
const NOTE_LINE = 18;
const FONT = 'system-ui, "Segoe UI", Roboto, Arial, sans-serif';

/** A whole document. */
export function framed({ title, subtitle, legend, notes, palette, drawn }: Frame): string {
  const lines = legendLines(legend, drawn.width);
  const below = lines.length * LEGEND_LINE + notes.length * NOTE_LINE;
  const [width, height] = [drawn.width + 2 * PADDING, HEAD + drawn.height + below + 2 * PADDING];
  const most = Math.floor(drawn.width / 9);
  const legendTop = PADDING + HEAD + drawn.height;
  const notesTop = legendTop + lines.length * LEGEND_LINE;
  const content = [
    tag('title', {}, escaped(`${title}. ${subtitle}`)),
    tag('rect', { width: '100%', height: '100%', fill: palette.canvas }),
    text(shortened(title, most), PADDING, PADDING + 14, { 'font-size': 16, 'font-weight': 600, fill: palette.ink }),
    text(shortened(subtitle, most), PADDING, PADDING + 36, { fill: palette.ink3 }),
    tag('g', { transform: `translate(${PADDING} ${PADDING + HEAD})` }, drawn.content || ' '),
    ...lines.flatMap((line, at) =>
      line.map(({ label, color, x }) => legendEntry(label, color, PADDING + x, legendTop + at * LEGEND_LINE, palette)),
    ),
    ...notes.map((note, at) =>
      text(shortened(note, Math.floor(drawn.width / 6)), PADDING, notesTop + (at + 1) * NOTE_LINE, {
        fill: palette.ink3,
      }),
    ),
  ];
  return tag(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      width,
      height,
      viewBox: `0 0 ${width} ${height}`,
      role: 'img',
      'font-family': FONT,
      'font-size': 12,
    },
    content.join(''),
  );
}

function legendEntry(label: string, color: string, x: number, y: number, { ink }: Palette): string {
  return (
    tag('rect', { x, y: y + 10, width: 12, height: 4, rx: 2, fill: color }) + text(label, x + 18, y + 16, { fill: ink })
  );
}

const MAX_LABEL = 60;
const BETWEEN = 24;

function legendLines(legend: Frame['legend'], width: number): { label: string; color: string; x: number }[][] {
  const lines: { label: string; color: string; x: number }[][] = [];
  let x = width;
  for (const { label: whole, color } of legend) {
    const label = shortened(whole, MAX_LABEL);
    const own = 18 + widthOf(label);
    if (x + own > width || lines.length === 0) {
      lines.push([]);
      x = 0;
    }
    lines.at(-1)?.push({ label, color, x });
    x += own + BETWEEN;
  }
  return lines;
}
