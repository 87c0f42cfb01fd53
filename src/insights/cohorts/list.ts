/** Lists of people as they are pasted or come in a CSV file. Pure. */
import { invalid } from '#src/kit/errors.ts';
import { MAX_LISTED } from './values.ts';

/** Names of the column that is read; without one of them in the first line it is the first column. */
const heads = ['distinct_id', 'distinctid', 'distinct id', 'email', 'e-mail', 'person', 'user_id', 'id', 'uuid'];
const MAX_VALUE = 400;

/** The values of the list, each once. @throws AppError `invalid` for too many lines */
export function valuesInList(text: string): string[] {
  const lines = text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\r|\n/)
    .filter((line) => line.trim() !== '');
  const [first] = lines;
  if (first === undefined) return [];
  if (lines.length > MAX_LISTED + 1) throw invalid('list', `Lists can have up to ${MAX_LISTED} lines.`);
  const separator = separatorIn(first);
  const names = cellsOf(first, separator).map((name) => name.toLowerCase());
  const named = heads.map((head) => names.indexOf(head)).find((at) => at >= 0);
  const rows = named === undefined ? lines : lines.slice(1);
  const values = rows.map((row) => cellsOf(row, separator)[named ?? 0] ?? '');
  return [...new Set(values.filter((value) => value !== '' && value.length <= MAX_VALUE && isStorable(value)))];
}

/** The separator of the first line, outside quotes; null: a single value. */
function separatorIn(line: string): string | null {
  const bare = line.replace(/"[^"]*"/g, '');
  return [';', '\t', ','].find((sign) => bare.includes(sign)) ?? null;
}

function cellsOf(line: string, separator: string | null): string[] {
  if (separator === null) return [unquoted(line)];
  const cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (const sign of line) {
    if (sign === '"') isQuoted = !isQuoted;
    if (sign === separator && !isQuoted) {
      cells.push(unquoted(cell));
      cell = '';
    } else cell += sign;
  }
  return [...cells, unquoted(cell)];
}

/** Without quotes, and without the apostrophe that protects from formulas in files of ours. */
function unquoted(cell: string): string {
  const text = cell.trim();
  const bare =
    text.length > 1 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1).replaceAll('""', '"') : text;
  return bare.trim().replace(/^'(?=[=+\-@])/, '');
}

/** Whether PostgreSQL takes it as text. */
export function isStorable(value: string): boolean {
  return !value.includes('\0') && value.isWellFormed();
}
