/**
 * The end of a person. Rows are locked as batches lock them, persons before their ids, so that an event that changes the person waits,
 * finds nobody, and makes a new person. Events that change nothing may still be stored under the old number for as long as some process
 * remembers it: who erases has to look once more a little later.
 */
import { type Queryable, query, sql } from '#src/store/sql.ts';
import { personsChannel } from './persons.ts';

/** A notice must stay under 8,000 bytes. */
const MOST_NAMED = 300;

export async function eraseRows(
  on: Queryable,
  projectId: number,
  persons: readonly number[],
): Promise<Record<string, number>> {
  const numbers = sql`any(${[...persons]}::int[])`;
  await query(
    on,
    sql`select number from persons where project_id = ${projectId} and number = ${numbers} order by number for update`,
  );
  const ids = await query(
    on,
    sql`delete from distinct_ids where project_id = ${projectId} and person = ${numbers} returning number`,
  );
  const overrides = await query(
    on,
    sql`delete from person_overrides
         where project_id = ${projectId} and (old_person = ${numbers} or new_person = ${numbers}) returning old_person`,
  );
  const rows = await query(
    on,
    sql`delete from persons where project_id = ${projectId} and number = ${numbers} returning number`,
  );
  const notice = persons.length > MOST_NAMED ? '*' : persons.map((number) => `${projectId}:${number}`).join(' ');
  await query(on, sql`select pg_notify(${personsChannel}, ${notice})`);
  return { persons: rows.length, distinct_ids: ids.length, person_overrides: overrides.length };
}
