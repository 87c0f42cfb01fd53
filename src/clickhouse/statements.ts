/** PostgreSQL statements with their values in them, since COPY takes no parameters. Pure. */
import type { Sql } from '#src/store/sql.ts';
import { literal } from '#src/store/sql-text.ts';

/** Copies the rows of a query in tab-separated form, which ClickHouse reads as it is. */
export function copyText({ parts, values }: Sql): string {
  const text = parts.reduce((before, part, at) => `${before}${literal(values[at - 1])}${part}`);
  return `copy (${text}) to stdout`;
}
