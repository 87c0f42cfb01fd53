/**
 * Erasure of persons. Rows are locked in the order of batches, persons before their ids, so that an event that changes the person waits,
 * finds none, and creates a new one. Other events may still be stored under the old number while a process
 * caches it, so an erasure must be repeated a little later.
 */
import { type Queryable, query, sql } from '#src/store/sql.ts';
import { changesSql } from './changes.ts';
import { personsChannel } from './persons.ts';
import { furtherUuid, personUuid } from './write.ts';

/** A notice must stay under 8,000 bytes. */
const MAX_NAMED = 300;

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
  const ids = await query<{ distinct_id: string }>(
    on,
    sql`delete from distinct_ids where project_id = ${projectId} and person = ${numbers} returning distinct_id`,
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
  await query(on, changesSql(projectId, persons));
  await freeUuids(
    on,
    projectId,
    ids.map((row) => row.distinct_id),
  );
  const notice = persons.length > MAX_NAMED ? '*' : persons.map((number) => `${projectId}:${number}`).join(' ');
  await query(on, sql`select pg_notify(${personsChannel}, ${notice})`);
  return { persons: rows.length, distinct_ids: ids.length, person_overrides: overrides.length };
}

/** A returning visitor with one of these ids gets the uuid derived from it, which the person of a split id may still have. */
async function freeUuids(on: Queryable, projectId: number, distinctIds: readonly string[]): Promise<void> {
  const byUuid = new Map(distinctIds.map((id) => [personUuid(projectId, id), id]));
  const holders = await query<{ number: number; uuid: string }>(
    on,
    sql`select number, uuid from persons where project_id = ${projectId} and uuid = any(${[...byUuid.keys()]}::uuid[])`,
  );
  for (const { number, uuid } of holders) {
    const free = furtherUuid(projectId, byUuid.get(uuid) as string, number);
    await query(
      on,
      sql`update persons set uuid = ${free}::uuid where project_id = ${projectId} and number = ${number}`,
    );
  }
}
