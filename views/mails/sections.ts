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

export type Section =
  | { kind: 'figures'; figures: FigureText[] }
  | { kind: 'columns'; caption: string; columns: ColumnText[] }
  | { kind: 'table'; title: string; rows: BarRow[]; note: string }
  | { kind: 'heading'; text: string }
  | { kind: 'text'; lines: string[] }
  | { kind: 'note'; text: string };
