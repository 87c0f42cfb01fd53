/** What a report says, in the words of its reader: drawn as HTML by `Report.tsx`, written as text by `report-text.ts`. */

/** How a number moved, and whether that is good. */
export interface Moved {
  text: string;
  direction: 'up' | 'down' | null;
  tone: 'good' | 'bad' | null;
}

export interface FigureText {
  label: string;
  value: string;
  moved: Moved | null;
}

export interface BarRow {
  name: string;
  value: string;
  /** A second number, small. */
  side: string;
  moved: Moved | null;
  /** Length of its bar, 0 to 1; null: none. */
  bar: number | null;
}

export interface ColumnText {
  /** Empty: none. */
  label: string;
  value: string;
  /** Height, 0 to 1. */
  bar: number;
  isPeak: boolean;
}

export interface GridRow {
  label: string;
  /** Step of each cell, 0 to `GRID_STEPS`; null: there was no such time. */
  cells: (number | null)[];
}

/** Steps of a grid's cells above nothing. */
export const GRID_STEPS = 4;

export type Section =
  | { kind: 'figures'; figures: FigureText[] }
  | { kind: 'columns'; caption: string; columns: ColumnText[] }
  | { kind: 'table'; title: string; rows: BarRow[]; note: string }
  /** Labels stand above every third column. */
  | { kind: 'grid'; title: string; labels: string[]; rows: GridRow[]; notes: string[] }
  | { kind: 'heading'; text: string }
  | { kind: 'text'; lines: string[] }
  | { kind: 'note'; text: string };
