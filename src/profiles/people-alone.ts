/** People without an event, newest first: the end of the list by last event. In large projects they are rare. */
import type { Knex } from 'knex';
import type { ProjectId } from '#src/projects/contract.ts';
import { type Queryable, query, type Sql, sql } from '#src/store/sql.ts';
import { type After, type Found, type From, lastEvent, type Place } from './people-order.ts';

/** Condition of people after the place; people with an event come before all of these. */
function behind(after: After): Sql {
  if (!after?.alone) return sql.empty;
  return sql`and (created_at, number) < (${sql.time(after.at)}, ${after.number})`;
}

/** The filter: an indexable condition, and a slower one that is evaluated only for people without events. */
export interface Among {
  found: Sql;
  fits: Sql;
}

/** @param seen bitmap by number, set for people with events */
export function whoseBitIsOff(
  on: Queryable,
  { found, fits }: Among,
  seen: Uint8Array,
  { after, limit }: From,
): Promise<Place[]> {
  const bits = Buffer.from(seen.buffer, seen.byteOffset, seen.byteLength);
  return query<Place>(
    on,
    sql`with alone as materialized (
          select *
            from persons
           where ${found} ${behind(after)}
             and case when number < ${bits.length * 8} then get_bit(${bits}::bytea, number::bigint) = 0 else true end
        )
        select number, created_at as at, true as alone
          from alone as persons
         where ${fits}
         order by created_at desc, number desc
         limit ${limit}`,
  );
}

/**
 * The same, each looked up.
 * @param step so many are looked up at a time
 * @param mayGoOn asked before each further step
 */
export async function oneAfterTheOther(
  db: Knex,
  projectId: ProjectId,
  fits: Sql,
  { after, limit, step }: From & { step: number },
  mayGoOn: () => boolean,
): Promise<Found> {
  const places: Place[] = [];
  for (let from = after; ; ) {
    const some = await query<Required<Place>>(
      db,
      sql`select p.number, p.at, (${lastEvent(projectId, sql`p.number`)}) is null as alone
            from (select number, created_at as at from persons
                   where ${fits} ${behind(from)} order by created_at desc, number desc limit ${step}) as p
           order by p.at desc, p.number desc`,
    );
    places.push(...some.filter(({ alone }) => alone));
    const last = some.at(-1);
    if (last === undefined || some.length < step || places.length >= limit) {
      return { places: places.slice(0, limit), searchedTo: null };
    }
    from = { ...last, alone: true };
    if (!mayGoOn()) return { places, searchedTo: last.at, goOn: from };
  }
}
