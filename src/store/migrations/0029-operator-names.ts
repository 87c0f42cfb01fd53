/** Operators of stored filters get the names that the API has. */
import type { Knex } from 'knex';

export const name = '0029-operator-names';

const renamed = {
  is: 'equals',
  isNot: 'notEquals',
  containsNot: 'notContains',
  matches: 'regex',
  matchesNot: 'notRegex',
  above: 'gt',
  below: 'lt',
};

export async function up(knex: Knex): Promise<void> {
  await rename(knex, Object.entries(renamed), { goals: 2, segments: 3 });
}

export async function down(knex: Knex): Promise<void> {
  const back = Object.entries(renamed).map(([former, present]) => [present, former] as const);
  await rename(knex, back, { goals: 1, segments: 2 });
}

/** @param pairs operators before and after. @param versions of the definitions that are written */
async function rename(
  knex: Knex,
  pairs: readonly (readonly [from: string, to: string])[],
  versions: Record<'goals' | 'segments', number>,
): Promise<void> {
  for (const [table, version] of Object.entries(versions)) {
    await knex.raw(
      `update ${table} set definition = jsonb_set(${withNames('definition', pairs)}, '{version}', '${version}')`,
    );
  }
  await knex.raw(`update event_exports set question = ${withNames('question', pairs)}`);
}

/** The JSON as text, with each `"operator": "…"` replaced: within a value its quotes would have backslashes before them. */
function withNames(column: string, pairs: readonly (readonly [from: string, to: string])[]): string {
  const text = pairs.reduce(
    (sql, [from, to]) => `replace(${sql}, '"operator": "${from}"', '"operator": "${to}"')`,
    `${column}::text`,
  );
  return `${text}::jsonb`;
}
