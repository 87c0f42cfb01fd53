/** People in the order in which they were seen last, where many are asked for: as the columns tell, by days, from the newest back. */
import type { Columns } from '#src/columns/columns.ts';
import type { ProjectId } from '#src/projects/contract.ts';
import { type Queryable, query, type Sql, sql } from '#src/store/sql.ts';
import { whoseBitIsOff } from './people-alone.ts';
import { type After, columnsOfFits, type Found, type From, type Place } from './people-order.ts';

/**
 * Matching people from the place on, day by day.
 * @param fits the filter, as a condition on rows of `persons`
 * @param mayGoOn called before each further step
 * @returns null when the columns cannot answer now
 */
export async function throughDays(
  columns: Pick<Columns, 'lastSeen'>,
  projectId: ProjectId,
  fits: Sql,
  { after, limit }: From,
  mayGoOn: () => boolean,
): Promise<Found | null> {
  const everybody = sql`project_id = ${projectId} and not merged`;
  const found = await columns.lastSeen({
    projectId,
    after: placeAmongSeen(after),
    limit,
    mayGoOn,
    choose: (client, numbers) => fittingOf(client, projectId, fits, numbers),
    others: (client, seen, most) => whoseBitIsOff(client, { found: everybody, fits }, seen, { after, limit: most }),
  });
  return found && { places: found.people, searchedTo: found.searchedTo };
}

/** Anyone who was without an event comes after all who have one. */
function placeAmongSeen(after: After): Place | null {
  return after?.alone ? { at: Number.NEGATIVE_INFINITY, number: 0 } : (after ?? null);
}

/**
 * The first of these people from the place on.
 * @returns null when the time limit was reached before the page was full, or the columns cannot answer now
 */
export async function throughDaysOf(
  columns: Pick<Columns, 'lastSeen'>,
  projectId: ProjectId,
  numbers: readonly number[],
  { after, limit }: From,
  mayGoOn: () => boolean,
): Promise<Place[] | null> {
  const all = new Set(numbers);
  const these = sql`project_id = ${projectId} and number = any(${[...numbers]}::int[])`;
  const found = await columns.lastSeen({
    projectId,
    after: placeAmongSeen(after),
    limit,
    mayGoOn,
    choose: async (_, some) => some.filter((number) => all.has(number)),
    others: (client, seen, most) =>
      whoseBitIsOff(client, { found: these, fits: sql`true` }, seen, { after, limit: most }),
  });
  return found === null || found.searchedTo !== null ? null : found.people;
}

/** Filters these people. Each is looked up by number: an index of a condition would find all matches. */
export async function fittingOf(
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
