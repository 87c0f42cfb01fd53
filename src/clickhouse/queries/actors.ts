/** Who does something: persons, visits, or the groups of a type. */
import type { FunnelQuery } from '#src/columns/columns.ts';
import { keyProperty } from '#src/columns/values.ts';
import { type Sql, sql } from '#src/store/sql.ts';
import { person, type QueryParts, type Span } from './events.ts';
import { groupKeys } from './keys.ts';

export type Actors = FunnelQuery['of'];

/** SQL: number of the actor of an event of a span; 0: it has none. @throws Unsupported for too many groups */
export async function actorSql(parts: QueryParts, of: Actors, span: Span): Promise<Sql> {
  if (of === 'persons') return person;
  if (of === 'visits') return sql`events.session_id`;
  const keys = await groupKeys(parts, of, span);
  if (keys.length === 0) return sql`toInt64(0)`;
  // The same key may be written as a text and as a number.
  const numbers = new Map<string, number>();
  for (const { key } of keys) if (!numbers.has(key)) numbers.set(key, numbers.size + 1);
  const to = keys.map(({ key }) => numbers.get(key) as number);
  return sql`toInt64(transform(properties[${keyProperty(of)}], ${keys.map(({ json }) => json)}, ${to}, 0))`;
}
