/**
 * CSV as RFC 4180 has it, for programs that think of tables: a text that a spreadsheet would take for a formula gets an apostrophe in
 * front, since what visitors send must not run in someone's office. Names of columns are texts of visitors as well. Pure.
 */

/** Signs, also in full width and small form, behind blanks of every script and characters that are not seen: some programs skip those. */
const FORMULA = /^(?:[\s\p{Z}\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]*[=+\-@＝＋－＠﹦﹢﹣﹫]|[\t\r\n])/u;
const QUOTED = /["\r\n]/;

export type TableCell = string | number | boolean | null;

export interface CsvDialect {
  separator: ',' | ';';
  decimal: '.' | ',';
  /** Before the first line. Excel takes a file without a byte order mark for one in the code page of the system. */
  start: '' | '\uFEFF';
}

export const csvDialects = {
  comma: { separator: ',', decimal: '.', start: '' },
  semicolon: { separator: ';', decimal: ',', start: '\uFEFF' },
} as const satisfies Record<string, CsvDialect>;

/** One line, with its end. Numbers are numbers, also negative ones; null is empty. */
export function csvLine(cells: readonly TableCell[], dialect: CsvDialect = csvDialects.comma): string {
  return `${cells.map((value) => cell(value, dialect)).join(dialect.separator)}\r\n`;
}

function cell(value: TableCell, { separator, decimal }: CsvDialect): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value).replace('.', decimal);
  if (typeof value === 'boolean') return String(value);
  const safe = FORMULA.test(value) ? `'${value}` : value;
  return safe.includes(separator) || QUOTED.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
