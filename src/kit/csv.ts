/**
 * CSV as RFC 4180 has it, for programs that think of tables: a text that a spreadsheet would take for a formula gets an apostrophe in
 * front, since what visitors send must not run in somebody's office. Pure.
 */

const FORMULA = /^[=+\-@\t\r]/;
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
