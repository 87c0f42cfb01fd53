/** For migrations: renames keys and values of stored queries: JSON of goals, segments and event exports. */
import type { Knex } from 'knex';

export type Renamed = readonly (readonly [from: string, to: string])[];

/**
 * `jsonb` as text has one form, in which a name and what stands beside it are replaced as a whole; within a value the quotes would have
 * backslashes before them.
 *
 * @param pairs names before and after @param member the text that holds a name
 * @param versions of the definitions that are written
 */
export async function renameInDefinitions(
  knex: Knex,
  pairs: Renamed,
  member: (name: string) => string,
  versions: Record<'goals' | 'segments', number>,
): Promise<void> {
  const withNames = (column: string) =>
    `${pairs.reduce(
      (sql, [from, to]) => `replace(${sql}, '${member(from)}', '${member(to)}')`,
      `${column}::text`,
    )}::jsonb`;
  for (const [table, version] of Object.entries(versions)) {
    await knex.raw(`update ${table} set definition = jsonb_set(${withNames('definition')}, '{version}', '${version}')`);
  }
  await knex.raw(`update event_exports set question = ${withNames('question')}`);
}

/** The same, in the other direction. */
export function reversed(pairs: Renamed): Renamed {
  return pairs.map(([from, to]) => [to, from] as const);
}
