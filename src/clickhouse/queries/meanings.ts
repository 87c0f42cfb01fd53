/** What the numbers of groups and names stand for: read in PostgreSQL as the engine reads them, and as SQL that divides events by it. */
import { createGroups, type Reading } from '#src/columns/conditions/groups.ts';
import { readerOf } from '#src/kit/reading/reader.ts';
import { type Sql, sql } from '#src/store/sql.ts';
import { type QueryParts, Unsupported } from './events.ts';

/** More numbers are not sent with a statement. */
export const MAX_MEANINGS = 100_000;

export interface Meaning {
  /** By number of the text. That of 0 stands for what says nothing. */
  texts: readonly string[];
  /** Number of the text of a group or name; 0: it says nothing. */
  textOf(number: number): number;
  /** SQL: number of the text that a column's number stands for. */
  sql(column: Sql): Sql;
}

/** Of these numbers. @throws Unsupported when they are too many */
export async function readMeaning(parts: QueryParts, reading: Reading, numbers: readonly number[]): Promise<Meaning> {
  const { db, projectId, reading: rules } = parts;
  if (numbers.length > MAX_MEANINGS) throw new Unsupported('too many groups');
  const from = { projectId, reader: readerOf(rules), version: 0 };
  const { texts, textOf } = await createGroups().values(db, from, reading, [{ key: null, numbers: () => numbers }]);
  return {
    texts,
    textOf: (number) => textOf[number] ?? 0,
    sql(column) {
      const some = numbers.filter((number) => (textOf[number] ?? 0) !== 0);
      return mapped(
        column,
        some,
        some.map((number) => textOf[number] as number),
      );
    },
  };
}

/** SQL: what a column's value is mapped to; 0 for all others. */
export function mapped(column: Sql, from: readonly number[], to: readonly number[]): Sql {
  if (from.length === 0) return sql`toInt64(0)`;
  return sql`toInt64(transform(toInt64(${column}), ${[...from]}, ${[...to]}, 0))`;
}
