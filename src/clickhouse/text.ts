/** SQL fragments with their values written out for ClickHouse: the same tag as for PostgreSQL, another dialect of literals. Pure. */
import { Sql } from '#src/store/sql.ts';

/** The statement as ClickHouse reads it. */
export function clickhouseText({ parts, values }: Sql): string {
  return parts.reduce((before, part, at) => `${before}${literal(values[at - 1])}${part}`);
}

/** Whole numbers as a set, for `in`. */
export function numberSet(numbers: Iterable<number>): Sql {
  const texts = [...numbers].map((number) => {
    if (!Number.isSafeInteger(number)) throw new TypeError('no whole number');
    return String(number);
  });
  // A set of none is not SQL. Numbers start at 1.
  return new Sql([`(${texts.length === 0 ? '-1' : texts.join(',')})`], []);
}

function literal(value: unknown): string {
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (typeof value === 'number' && Number.isFinite(value)) return value < 0 ? `(${value})` : String(value);
  if (typeof value === 'string') return quoted(value);
  if (Array.isArray(value)) return `[${value.map(literal).join(',')}]`;
  throw new TypeError(`no literal of ClickHouse for ${value === null ? 'null' : typeof value}`);
}

/** Backslashes always escape in ClickHouse's texts. */
function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\0', '\\0')}'`;
}
