/**
 * SQL as a value. `` sql`…` `` binds every interpolated value and nests other fragments; identifiers go through `sql.id`,
 * lists through `sql.join`. Nothing that came from outside can become SQL text.
 */
import type { Knex } from 'knex';
import type { ClientBase, Pool, QueryResultRow } from 'pg';
import { asAppError } from './db.ts';
import { unlessFrozen } from './frozen.ts';

/** A piece of SQL with its values. Made by the `sql` tag only. */
export class Sql {
  /** Text around the values: always one more than there are values. */
  readonly parts: readonly string[];
  readonly values: readonly unknown[];

  constructor(parts: readonly string[], values: readonly unknown[]) {
    this.parts = parts;
    this.values = values;
  }

  /** The text with `$1…` and its values, as the pg driver wants them. */
  toPg(): { text: string; values: unknown[] } {
    const text = this.parts.reduce((before, part, at) => `${before}$${at}${part}`);
    return { text, values: [...this.values] };
  }

  /** The text with `?` and its values, as knex wants them; question marks of SQL itself (jsonb operators) are escaped. */
  toKnex(): { text: string; values: unknown[] } {
    const text = this.parts.map((part) => part.replaceAll('?', '\\?')).join('?');
    return { text, values: [...this.values] };
  }
}

/** Builds SQL. Undefined is refused: it is always a mistake; null is bound as null. */
export function sql(strings: TemplateStringsArray, ...inputs: readonly unknown[]): Sql {
  const parts = [strings[0] as string];
  const values: unknown[] = [];
  inputs.forEach((input, at) => {
    const after = strings[at + 1] as string;
    if (input instanceof Sql) {
      parts.push(`${parts.pop()}${input.parts[0]}`, ...input.parts.slice(1));
      values.push(...input.values);
      parts.push(`${parts.pop()}${after}`);
      return;
    }
    if (input === undefined) throw new TypeError(`sql: value ${at + 1} is undefined, after: ${strings[at]}`);
    values.push(input);
    parts.push(after);
  });
  return new Sql(parts, values);
}

/** An identifier, quoted; dots separate qualified names. Only for names from a closed list in our code. */
sql.id = (name: string): Sql => {
  const quoted = name.split('.').map((step) => `"${step.replaceAll('"', '""')}"`);
  return new Sql([quoted.join('.')], []);
};

/** Fragments or values with a separator between them; an empty list is refused, since `in ()` is not SQL. */
sql.join = (items: readonly unknown[], separator: Sql = sql`, `): Sql => {
  if (items.length === 0) throw new TypeError('sql.join: nothing to join');
  return items.map((item) => sql`${item}`).reduce((all, item) => sql`${all}${separator}${item}`);
};

/** A value bound as jsonb, arrays included (the driver would make a PostgreSQL array of those). */
sql.json = (value: unknown): Sql => sql`${JSON.stringify(value)}::jsonb`;

/** A timestamp from ms, as a literal, so that it is also readable in printed statements. */
sql.time = (ms: number): Sql => sql`${new Date(ms).toISOString()}::timestamptz`;

/** Nothing: for optional conditions. */
sql.empty = new Sql([''], []);

/** Target of a query: the pool for screens, a transaction of it, or a connection of the driver. */
export type Queryable = Knex | Knex.Transaction | Pool | ClientBase;

/**
 * Runs a fragment and gives its rows. Values come as described in `db.ts`: counts and times are numbers.
 *
 * @param Row the columns that the fragment selects; stated by the caller, not checked
 * @throws AppError as `asAppError` makes it, with the driver's error as cause
 */
export async function query<Row extends object>(on: Queryable, fragment: Sql): Promise<Row[]> {
  try {
    if (typeof on === 'function') {
      const { text, values } = fragment.toKnex();
      const result: { rows: Row[] } = await unlessFrozen(on, on.raw(text, values as Knex.RawBinding[]));
      return result.rows;
    }
    const result = await on.query<QueryResultRow>(fragment.toPg());
    return result.rows as Row[];
  } catch (error) {
    throw asAppError(error);
  }
}
