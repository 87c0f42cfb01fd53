/** People in the order in which they were seen last, where many are asked for: as the columns tell, by days, from the newest back. */
import type { Knex } from 'knex';
import type { Columns } from '#src/columns/columns.ts';
import type { ProjectId } from '#src/projects/contract.ts';
import { type Queryable, query, type Sql, sql } from '#src/store/sql.ts';
import { columnsOfFits, type Found, type From, laterFirst, type Place, placesOf } from './people-order.ts';

/**
 * Those of whom there are events, from the place on.
 * @param fits whom of them, as a condition on rows of `persons`
 * @param mayGoOn asked before each further step
 * @returns null: the columns cannot tell now
 */
export async function throughDays(
  columns: Pick<Columns, 'lastSeen'>,
  projectId: ProjectId,
  fits: Sql,
  { after, limit }: From,
  mayGoOn: () => boolean,
): Promise<Found | null> {
  const found = await columns.lastSeen({
    ...{ projectId, after: after ?? null, limit, mayGoOn },
    choose: (client, numbers) => fittingOf(client, projectId, fits, numbers),
  });
  return found && { places: found.people, searchedTo: found.searchedTo };
}

/**
 * Of these people, the first from the place on; who has no event stands where they were created.
 * @returns null: less are found than are wanted, in the time that there is, or the columns cannot tell now
 */
export async function throughDaysOf(
  { db, columns }: { db: Knex; columns: Pick<Columns, 'lastSeen'> },
  projectId: ProjectId,
  numbers: readonly number[],
  from: From,
  mayGoOn: () => boolean,
): Promise<Place[] | null> {
  const left = new Set(numbers);
  const { after, limit } = from;
  const found = await columns.lastSeen({
    ...{ projectId, after: after ?? null, limit, mayGoOn },
    choose: async (_, some) => some.filter((number) => left.has(number)),
  });
  const people = found?.people ?? [];
  const last = people.at(-1);
  if (last === undefined || people.length < limit) return null;
  for (const { number } of people) left.delete(number);
  const others = await query<{ number: number }>(
    db,
    sql`select number from persons
         where project_id = ${projectId} and number = any(${[...left]}::int[]) and created_at >= ${sql.time(last.at)}`,
  );
  const created = others.map(({ number }) => number);
  const alone = created.length === 0 ? [] : await placesOf(db, projectId, created, { ...from, since: null });
  return [...people, ...alone].sort(laterFirst).slice(0, limit);
}

/** Who of these fits. Each is looked up by their number: conditions may have indexes of their own, which lead to all who fit. */
async function fittingOf(
  on: Queryable,
  projectId: ProjectId,
  fits: Sql,
  numbers: readonly number[],
): Promise<number[]> {
  const rows = await query<{ number: number }>(
    on,
    sql`with present as materialized (
          select ${columnsOfFits}
            from unnest(${[...numbers]}::int[]) as asked (number)
           cross join lateral (
             select * from persons where project_id = ${projectId} and number = asked.number offset 0
           ) as p
        )
        select number from present as persons where ${fits}`,
  );
  return rows.map(({ number }) => number);
}
