/**
 * The list of people. Few are put in order by their last event. With more than that the latest events are gone through, back in time, and
 * each is noted for whom it is the last one: nothing has to be kept up to date with every event for this.
 */
import type { Knex } from 'knex';
import { personsSql } from '#src/columns/filter-sql.ts';
import { groupKinds } from '#src/events/contract.ts';
import type { JsonObject } from '#src/kit/json.ts';
import type { ProjectId } from '#src/projects/contract.ts';
import { query, type Sql, sql } from '#src/store/sql.ts';
import { type ListedPerson, MOST_ORDERED, type PeopleAsked, type PeoplePage } from './contract.ts';
import { labelOf, MOST_VISITS, time } from './queries.ts';

const PAGE = 50;
/** Events gone through at a time, and how long at most. */
const STEP = 20_000;
const SEARCH_MS = 2_000;

interface Place {
  number: number;
  at: number;
}

export interface ListParts {
  db: Knex;
  /** ms, only ever forward. */
  elapsed(): number;
}

export async function listPeople(
  { db, elapsed }: ListParts,
  projectId: ProjectId,
  asked: PeopleAsked,
): Promise<PeoplePage> {
  const wanted = wantedSql(projectId, asked);
  const matched = await query<{ number: number }>(
    db,
    sql`select number from persons where ${wanted} limit ${MOST_ORDERED + 1}`,
  );
  const total = matched.length > MOST_ORDERED ? null : matched.length;
  if (asked.sort === 'created') {
    const places = await byCreation(db, wanted, asked.after);
    return pageOf(db, projectId, places, { total, searchedTo: null });
  }
  if (total !== null) {
    const numbers = matched.map(({ number }) => number);
    return pageOf(db, projectId, await byLastEvent(db, projectId, numbers, asked.after), { total, searchedTo: null });
  }
  const begun = elapsed();
  const found = await throughEvents(db, projectId, wanted, asked.after, () => elapsed() - begun < SEARCH_MS);
  return pageOf(db, projectId, found.places, { total, searchedTo: found.searchedTo });
}

/** Which rows of `persons`. */
function wantedSql(projectId: number, { search, property, everybody }: PeopleAsked): Sql {
  const conditions = [sql`project_id = ${projectId} and not merged`];
  if (!everybody) conditions.push(sql`has_profile`);
  if (search !== undefined) conditions.push(sql`number in (${foundBy(projectId, search)})`);
  if (property !== undefined) {
    const { name, operator, value } = property;
    const values = operator === 'isSet' ? [] : [value];
    conditions.push(personsSql({ match: 'all', of: [{ about: 'person', name, operator, values }] }));
    // What the index knows; the condition above decides.
    if (operator === 'is' && value !== '' && !name.startsWith('$') && isStorable(value)) {
      conditions.push(sql`has_profile and person_words(properties) @> ${[wordOf(value)]}::text[]`);
    }
  }
  return sql.join(conditions, sql` and `);
}

function foundBy(projectId: number, search: string): Sql {
  if (!isStorable(search)) return sql`select number from persons where false`;
  const ids = search.includes('@') ? [search, search.toLowerCase()] : [search];
  const begins = `${search.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
  const profiles = sql`select number from persons where project_id = ${projectId} and has_profile and`;
  return sql`
    select person from distinct_ids where project_id = ${projectId} and distinct_id = any(${ids}::text[])
    union all ${profiles} lower(properties ->> 'email') like ${begins}
    union all ${profiles} lower(properties ->> 'name') like ${begins}
    union all ${profiles} person_words(properties) @> ${[wordOf(search)]}::text[]`;
}

/** As `person_words` of the database writes them. */
function wordOf(value: string): string {
  return [...value.toLowerCase()].slice(0, 200).join('');
}

function isStorable(value: string): boolean {
  return !value.includes('\0') && value.isWellFormed();
}

function byCreation(db: Knex, wanted: Sql, after: PeopleAsked['after']): Promise<Place[]> {
  const older = after && sql`and (created_at, number) < (${time(after.at)}, ${after.number})`;
  return query<Place>(
    db,
    sql`select number, created_at as at from persons where ${wanted} ${older ?? sql.empty}
         order by created_at desc, number desc limit ${PAGE + 1}`,
  );
}

/** The last event of each, by all numbers that lead to them. */
function lastEvent(projectId: number, number: Sql): Sql {
  return sql`
    select max(own.ts)
      from (select ${number} as number
            union all
            select old_person from person_overrides where project_id = ${projectId} and new_person = ${number}) as known
     cross join lateral (
       select ts from events where project_id = ${projectId} and person = known.number order by ts desc limit 1
     ) as own`;
}

function byLastEvent(
  db: Knex,
  projectId: number,
  numbers: readonly number[],
  after: PeopleAsked['after'],
): Promise<Place[]> {
  const older = after && sql`where (at, number) < (${time(after.at)}, ${after.number})`;
  return query<Place>(
    db,
    sql`select number, at
          from (select p.number, coalesce((${lastEvent(projectId, sql`p.number`)}), p.created_at) as at
                  from persons p
                 where p.project_id = ${projectId} and p.number = any(${[...numbers]}::int[])) as seen
         ${older ?? sql.empty}
         order by at desc, number desc
         limit ${PAGE + 1}`,
  );
}

/** Those for whom one of the events before `after` is the last one. Events of one moment are taken together. */
async function throughEvents(
  db: Knex,
  projectId: number,
  wanted: Sql,
  after: PeopleAsked['after'],
  isTimeLeft: () => boolean,
): Promise<{ places: Place[]; searchedTo: number | null }> {
  const places = new Map<number, Place>();
  let until = after?.at ?? null;
  for (;;) {
    const before = until === null ? sql.empty : sql`and ts <= ${time(until)}`;
    const [step] = await query<{ reached: number | null; rows: number; people: { number: number; at: number }[] }>(
      db,
      sql`with stretch as materialized (
            select ts, person from events where project_id = ${projectId} ${before} order by ts desc limit ${STEP}
          ), reached as (
            select min(ts) as ts from stretch
          ), touched as (
            select coalesce(o.new_person, s.person) as number, max(s.ts) as ts
              from stretch s
              left join person_overrides o on o.project_id = ${projectId} and o.old_person = s.person
             group by 1
          ), last as (
            select t.number, t.ts
              from touched t
             where t.number in (select number from persons where ${wanted} and number in (select number from touched))
               and t.ts >= (${lastEvent(projectId, sql`t.number`)})
          )
          select (select (extract(epoch from ts) * 1000)::float8 from reached) as reached,
                 (select count(*)::int from stretch) as rows,
                 coalesce((select jsonb_agg(jsonb_build_object('number', number, 'at', (extract(epoch from ts) * 1000)::float8))
                             from last), '[]') as people`,
    );
    const { reached, rows, people } = step as { reached: number | null; rows: number; people: Place[] };
    for (const place of people) if (isAfter(place, after)) places.set(place.number, place);
    const isEnd = rows < STEP || reached === null;
    // All events of one moment, and more than fit into a step: the moment is passed over.
    until = reached !== null && reached === until ? reached - 1 : reached;
    // Of the moment that was reached, others may follow.
    const sure = [...places.values()].filter(({ at }) => isEnd || at > (reached as number));
    if (isEnd || sure.length > PAGE || !isTimeLeft()) {
      sure.sort((one, other) => other.at - one.at || other.number - one.number);
      const isCut = !isEnd && sure.length <= PAGE;
      return { places: sure.slice(0, PAGE + 1), searchedTo: isCut ? reached : null };
    }
  }
}

function isAfter({ at, number }: Place, after: PeopleAsked['after']): boolean {
  return after === undefined || at < after.at || (at === after.at && number < after.number);
}

interface Row extends Omit<ListedPerson, 'label' | 'email'> {
  number: number;
  properties: JsonObject;
}

async function pageOf(
  db: Knex,
  projectId: number,
  places: readonly Place[],
  { total, searchedTo }: Pick<PeoplePage, 'total' | 'searchedTo'>,
): Promise<PeoplePage> {
  const shown = places.slice(0, PAGE);
  const rows = await query<Row>(
    db,
    sql`select p.number, p.uuid, p.identified, p.created_at as "firstSeen",
               jsonb_build_object('name', p.properties -> 'name', 'email', p.properties -> 'email') as properties,
               coalesce((${lastEvent(projectId, sql`p.number`)}), p.created_at) as "lastSeen",
               coalesce((select distinct_id from distinct_ids where project_id = ${projectId} and person = p.number
                          order by joined_at is not null, number limit 1), '') as "distinctId",
               visited.visits, visited.country
          from persons p
         cross join lateral (
           select array(select p.number union all
                        select old_person from person_overrides
                         where project_id = ${projectId} and new_person = p.number) as numbers
         ) as known
         cross join lateral (
           select count(*)::int as visits, (
                    select g.properties ->> '$geoip_country_code'
                      from property_groups g
                     where g.project_id = ${projectId} and g.kind = ${groupKinds.geo} and g.number = (array_agg(v.geo))[1]
                  ) as country
             from (select geo from sessions
                    where project_id = ${projectId} and person = any(known.numbers) and views + screens > 0
                    order by first_ts desc limit ${MOST_VISITS}) as v
         ) as visited
         where p.project_id = ${projectId} and p.number = any(${shown.map(({ number }) => number)}::int[])`,
  );
  const byNumber = new Map(rows.map((row) => [row.number, row]));
  const last = shown.at(-1);
  const isMore = places.length > PAGE && last !== undefined;
  return {
    rows: shown.flatMap(({ number }) => {
      const row = byNumber.get(number);
      if (row === undefined) return [];
      const { number: _, properties, ...rest } = row;
      return [{ ...rest, ...labelOf(properties) }];
    }),
    next: isMore ? { at: last.at, number: last.number } : searchedTo === null ? null : { at: searchedTo, number: MOST },
    total,
    searchedTo,
  };
}

/** Above every number: whoever was seen at that very moment is on the next page. */
const MOST = 2_147_483_647;
