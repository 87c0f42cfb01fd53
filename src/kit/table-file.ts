/** Tables as files, written while their rows are read. */
import { csvDialects, csvLine, type TableCell } from './csv.ts';
import type { TableFormat } from './values.ts';

/** Some rows of a table. Of the first piece the first row is the head, and is not counted. */
export interface TablePiece {
  cells: readonly (readonly TableCell[])[];
  /** How many of them are counted. */
  rows: number;
}

export interface FilePiece {
  data: string | Uint8Array;
  /** Rows that were read since the piece before. */
  rows: number;
}

/** Maximum characters of a workbook cell; Excel repairs files with more. */
const MAX_CELL_LENGTH = 32_767;
const ROWS_PER_PIECE = 200;

/** Rows in pieces, the head first. */
export async function* inPieces(rows: Iterable<readonly TableCell[]>): AsyncGenerator<TablePiece, void> {
  let cells: (readonly TableCell[])[] = [];
  for (const row of rows) {
    cells.push(row);
    if (cells.length < ROWS_PER_PIECE) continue;
    yield { cells, rows: cells.length };
    cells = [];
  }
  if (cells.length > 0) yield { cells, rows: cells.length };
}

export function tableFile(pieces: AsyncIterable<TablePiece>, format: TableFormat): AsyncGenerator<FilePiece, void> {
  return format === 'xlsx' ? workbook(pieces) : csvFile(pieces, format);
}

/** The content of pieces alone. */
export async function* dataOf(pieces: AsyncIterable<FilePiece>): AsyncGenerator<FilePiece['data'], void> {
  for await (const { data } of pieces) yield data;
}

async function* csvFile(
  pieces: AsyncIterable<TablePiece>,
  format: Exclude<TableFormat, 'xlsx'>,
): AsyncGenerator<FilePiece, void> {
  const dialect = csvDialects[format];
  let start: string = dialect.start;
  for await (const { cells, rows } of pieces) {
    yield { data: start + cells.map((row) => csvLine(row, dialect)).join(''), rows };
    start = '';
  }
}

/** Workbooks have text cells, which never run as formulas: texts need no escaping. */
async function* workbook(pieces: AsyncIterable<TablePiece>): AsyncGenerator<FilePiece, void> {
  const { writeXlsxStream } = await import('hucre/xlsx');
  let read = 0;
  async function* rowsOf() {
    for await (const { cells, rows } of pieces) {
      read += rows;
      for (const row of cells) yield row.map(workbookCell);
    }
  }
  const rows = rowsOf();
  const head = await rows.next();
  const columns = head.done ? [] : head.value.map((name) => ({ header: String(name ?? '') }));
  for await (const data of writeXlsxStream(rows, { name: 'Luneta', columns, freezePane: { rows: 1 } })) {
    // Rows are read ahead while the piece is taken.
    const counted = read;
    read = 0;
    yield { data, rows: counted };
  }
}

function workbookCell(value: TableCell): TableCell {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  return typeof value === 'string' ? value.slice(0, MAX_CELL_LENGTH).toWellFormed() : value;
}
