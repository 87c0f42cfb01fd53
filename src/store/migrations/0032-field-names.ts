/** Fields of visits in stored filters get the names that the API has. */
import type { Knex } from 'knex';

export const name = '0032-field-names';

const renamed = {
  system: 'os',
  screenSize: 'viewportWidth',
};

export async function up(knex: Knex): Promise<void> {
  await rename(knex, Object.entries(renamed), { goals: 3, segments: 4 });
}

export async function down(knex: Knex): Promise<void> {
  const back = Object.entries(renamed).map(([former, present]) => [present, former] as const);
  await rename(knex, back, { goals: 2, segments: 3 });
}

/** @param pairs fields before and after. @param versions of the definitions that are written */
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

/**
 * The JSON as text, with the name of each condition on visits replaced. `jsonb` writes shorter keys first, so the name is before `about`;
 * within a value the quotes would have backslashes before them.
 */
function withNames(column: string, pairs: readonly (readonly [from: string, to: string])[]): string {
  const text = pairs.reduce(
    (sql, [from, to]) =>
      `replace(${sql}, '"name": "${from}", "about": "session"', '"name": "${to}", "about": "session"')`,
    `${column}::text`,
  );
  return `${text}::jsonb`;
}
