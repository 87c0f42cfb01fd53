/** Who does something: persons, visits, or the groups of a type. */
import type { FunnelQuery } from '#src/columns/columns.ts';
import { type GroupSubject, keyProperty } from '#src/columns/values.ts';
import { type Sql, sql } from '#src/store/sql.ts';
import { person, type QueryParts, type Span } from './events.ts';
import { groupKeys } from './keys.ts';

export type Actors = FunnelQuery['of'];

/** SQL: number of the actor of an event of a span; 0: it has none. @throws Unsupported for too many groups */
export async function actorSql(parts: QueryParts, of: Actors, span: Span): Promise<Sql> {
  if (of === 'persons') return person;
  if (of === 'visits') return sql`events.session_id`;
  return (await numberedGroups(parts, of, span)).number;
}

/** Groups of a type with an event in a span. Their numbers begin with 1, and are those of one query. */
export interface NumberedGroups {
  /** SQL: number of an event's group; 0: it has none. */
  number: Sql;
  /** By number, less one. */
  keys: string[];
}

/** @throws Unsupported for too many groups */
export async function numberedGroups(parts: QueryParts, of: GroupSubject, span: Span): Promise<NumberedGroups> {
  const found = await groupKeys(parts, of, span);
  // The same key may be written as a text and as a number.
  const numbers = new Map<string, number>();
  for (const { key } of found) if (!numbers.has(key)) numbers.set(key, numbers.size + 1);
  const to = found.map(({ key }) => numbers.get(key) as number);
  const number = sql`toInt64(transform(properties[${keyProperty(of)}], ${found.map(({ json }) => json)}, ${to}, 0))`;
  return { number: found.length === 0 ? sql`toInt64(0)` : number, keys: [...numbers.keys()] };
}
