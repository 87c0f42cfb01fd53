/** Grids of colored cells and tables of text. Pure. */
import { type Drawn, WIDTH } from './frame.ts';
import { inkOn, type Palette } from './palette.ts';
import { shortened, tag, text, widthOf } from './svg.ts';

export interface GridCell {
  /** Step of its color; null: it has none. */
  step: number | null;
  text: string;
  /** Not final: with a dashed outline. */
  isRunning?: boolean;
}

export interface Grid {
  /** Above it; null: it stands alone. */
  title: string | null;
  columns: readonly string[];
  rows: readonly { head: string; cells: readonly GridCell[] }[];
}

const ROW = 24;
const MAX_HEAD = 34;

/** One below the other. */
export function drawGrids(grids: readonly Grid[], palette: Palette): Drawn {
  const heads = grids.flatMap(({ rows }) => rows.map(({ head }) => widthOf(shortened(head, MAX_HEAD))));
  const left = Math.max(60, ...heads) + 12;
  const texts = grids.flatMap(({ columns, rows }) => [
    ...columns,
    ...rows.flatMap(({ cells }) => cells.map((cell) => cell.text)),
  ]);
  const count = Math.max(1, ...grids.map(({ columns }) => columns.length));
  const least = Math.max(24, ...texts.map((each) => widthOf(each) + 8));
  const column = Math.max(least, Math.min(80, (WIDTH - left) / count));
  let top = 0;
  const parts: string[] = [];
  for (const { title, columns, rows } of grids) {
    if (title !== null) {
      parts.push(text(shortened(title, 100), 0, top + 16, { 'font-weight': 600, fill: palette.ink }));
      top += ROW;
    }
    for (const [at, name] of columns.entries())
      parts.push(text(name, left + (at + 0.5) * column, top + 16, { 'text-anchor': 'middle', fill: palette.ink3 }));
    top += ROW;
    for (const { head, cells } of rows) {
      parts.push(text(shortened(head, MAX_HEAD), 0, top + 16, { fill: palette.ink }));
      for (const [at, cell] of cells.entries()) parts.push(drawCell(cell, left + at * column, top, column, palette));
      top += ROW;
    }
    top += 12;
  }
  return { width: Math.max(WIDTH, left + count * column), height: top, content: parts.join('') };
}

function drawCell({ step, text: said, isRunning }: GridCell, x: number, y: number, width: number, palette: Palette) {
  const fill = step === null ? 'none' : (palette.heat[step] ?? 'none');
  const outline = isRunning === true ? { stroke: palette.chartAxis, 'stroke-dasharray': '3 2' } : {};
  return (
    tag('rect', { x: x + 1, y: y + 1, width: width - 2, height: ROW - 2, rx: 2, fill, ...outline }) +
    text(said, x + width / 2, y + 16, {
      'text-anchor': 'middle',
      fill: step === null ? palette.ink : inkOn(step, palette),
      'font-size': 11,
    })
  );
}

/** Rows of a table that are drawn. */
const MAX_ROWS = 60;

/** The first column is text, the others are numbers. */
export function drawTable(head: readonly string[], rows: readonly (readonly string[])[], palette: Palette): Drawn {
  const shown = rows.slice(0, MAX_ROWS);
  const column = Math.max(70, Math.min(160, (WIDTH - 240) / Math.max(1, head.length - 1)));
  const most = Math.floor(column / 7);
  const width = Math.max(WIDTH, 240 + (head.length - 1) * column);
  const line = (cells: readonly string[], at: number, color: string) =>
    cells
      .map((cell, place) =>
        place === 0
          ? text(shortened(cell, 36), 0, at * ROW + 16, { fill: color })
          : text(shortened(cell, most), 240 + place * column, at * ROW + 16, { 'text-anchor': 'end', fill: color }),
      )
      .join('');
  return {
    width,
    height: (shown.length + 1) * ROW,
    content: [
      line(head, 0, palette.ink3),
      ...shown.map((cells, at) => line(cells, at + 1, palette.ink)),
      ...shown.map((_, at) =>
        tag('line', { x1: 0, x2: width, y1: (at + 1) * ROW, y2: (at + 1) * ROW, stroke: palette.line }),
      ),
    ].join(''),
  };
}
