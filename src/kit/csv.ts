/**
 * CSV as RFC 4180 has it, for programs that think of tables: a text that a spreadsheet would take for a formula gets an apostrophe in
 * front, since what visitors send must not run in somebody's office. Names of columns are texts of visitors as well. Pure.
 */

/** Signs, also in full width and small form, behind blanks of every script and characters that are not seen: some programs skip those. */
const FORMULA = /^(?:[\s\p{Z}\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]*[=+\-@＝＋－＠﹦﹢﹣﹫]|[\t\r\n])/u;
const QUOTED = /[",\r\n]/;

/** One line, with its end. Numbers are numbers, also negative ones; null is empty. */
export function csvLine(cells: readonly (string | number | boolean | null)[]): string {
  return `${cells.map(cell).join(',')}\r\n`;
}

function cell(value: string | number | boolean | null): string {
  if (value === null) return '';
  if (typeof value !== 'string') return String(value);
  const safe = FORMULA.test(value) ? `'${value}` : value;
  return QUOTED.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
