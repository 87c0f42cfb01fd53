/** SQL fragments with their values written out for ClickHouse: the same tag as for PostgreSQL, another dialect of literals. Pure. */
import { Sql, sql } from '#src/store/sql.ts';

/** The statement as ClickHouse reads it. */
export function clickhouseText({ parts, values }: Sql): string {
  return parts.reduce((before, part, at) => `${before}${literal(values[at - 1])}${part}`);
}

/** Whole numbers as a set, for `in`. */
export function numberSet(numbers: Iterable<number>): Sql {
  const texts = wholeNumbers(numbers);
  // A set of none is not SQL. Numbers start at 1.
  return new Sql([`(${texts.length === 0 ? '-1' : texts.join(',')})`], []);
}

/** So many numbers are parsed and named as literals in no time. */
const MAX_LITERALS = 1_000;

/** The same for queries: many numbers are one text, since ClickHouse writes literals into the names of what it computes. */
export function querySet(numbers: Iterable<number>): Sql {
  const all = [...numbers];
  if (all.length <= MAX_LITERALS) return numberSet(all);
  return sql`(select toInt64(arrayJoin(${numberTexts(all)})))`;
}

/** True of numbers that are better joined than mapped by literals. */
export function areMany({ length }: { length: number }): boolean {
  return length > MAX_LITERALS;
}

/** Rows of a mapping of numbers: `id`, and what it is mapped to (`said`). */
export function mappingRows(from: readonly number[], to: readonly number[]): Sql {
  return sql`select toUInt32(one) as id, toInt64(other) as said
    from (select ${numberTexts(from)} as froms, ${numberTexts(to)} as tos) array join froms as one, tos as other`;
}

function numberTexts(numbers: Iterable<number>): Sql {
  // What is materialized is no constant any more, whose value would be a part of names.
  return sql`splitByChar(',', materialize(${wholeNumbers(numbers).join(',')}))`;
}

function wholeNumbers(numbers: Iterable<number>): string[] {
  return [...numbers].map((number) => {
    if (!Number.isSafeInteger(number)) throw new TypeError('no whole number');
    return String(number);
  });
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
