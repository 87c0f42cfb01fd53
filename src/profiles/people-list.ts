/** The list of people: filter, order and columns. */
import type { Knex } from 'knex';
import type { Columns } from '#src/columns/columns.ts';
import { groupKinds } from '#src/events/contract.ts';
import { droppedUntil } from '#src/events/dropped.ts';
import type { Clock } from '#src/kit/clock.ts';
import { busy, invalid } from '#src/kit/errors.ts';
import type { JsonObject, JsonValue } from '#src/kit/json.ts';
import type { Reader } from '#src/kit/reading/reader.ts';
import { MAX_ROW_ID } from '#src/kit/row.ts';
import type { ProjectId } from '#src/projects/contract.ts';
import { query, type Sql, sql } from '#src/store/sql.ts';
import type { ListedPerson, PeoplePage, PeopleQuery, PersonPlace } from './contract.ts';
import { oneAfterTheOther } from './people-alone.ts';
import { throughDays, throughDaysOf } from './people-days.ts';
import {
  type After,
  byLastEvent,
  type Found,
  type From,
  lastEvent,
  type Place,
  throughEvents,
} from './people-order.ts';
import { isActivitySort, type Rank, type RankedPeople, rankFitting, rankThese } from './people-ranked.ts';
import { type WantedPeople, wantedPeople } from './people-wanted.ts';
import { labelOf } from './queries.ts';
import { shortened } from './shortened.ts';
import { MAX_ORDERED, MAX_VISITS } from './values.ts';

const SEARCH_MS = 2_000;
/** After so long, of those who can be looked up one by one, each is. */
const GLANCE_MS = 150;

export interface ListParts {
  db: Knex;
  clock: Clock;
  columns: Pick<Columns, 'lastSeen'>;
  /** How a project reads values. */
  readerOf(projectId: ProjectId): Promise<Reader>;
  /** @throws AppError `not_found` */
  cohortName(projectId: ProjectId, cohort: number): Promise<string>;
  rank: Rank;
}

/** How much is shown, and looked at in which way. */
export interface ListLimits {
  /** People of a page. */
  page: number;
  /** So many and fewer are looked up one by one. */
  single: number;
  /** So many are distinguished and counted. */
  ordered: number;
  /** Above that, this many steps through the latest events come first: mostly they fill a page. */
  stretches: number;
  /** When the columns cannot answer: number of people per look-up of their events. */
  step: number;
}

const LIMITS: ListLimits = { page: 50, single: 3_000, ordered: MAX_ORDERED, stretches: 1, step: 2_000 };

/** @param limits instead of `LIMITS` */
export async function listPeople(
  parts: ListParts,
  projectId: ProjectId,
  asked: PeopleQuery,
  limits = LIMITS,
): Promise<PeoplePage> {
  const { db } = parts;
  const { page, single, ordered } = limits;
  const { found, fits } = await whomOf(parts, projectId, asked);
  const [matched] = await query<{ numbers: number[] }>(
    db,
    sql`select coalesce(json_agg(number), '[]') as numbers
          from (select distinct number from (${eachOf(found, ordered + 1)}) as one limit ${ordered + 1}) as all_of_them`,
  );
  const numbers = matched?.numbers ?? [];
  const isFew = numbers.length <= ordered;
  const show = { page, total: isFew ? numbers.length : null, columns: asked.columns ?? [] };
  if (isActivitySort(asked.sort)) {
    const begun = parts.clock.elapsed();
    const ranking = {
      ...{ sort: asked.sort, range: asked.range, after: asked.after, limit: page + 1 },
      mayGoOn: () => parts.clock.elapsed() - begun < SEARCH_MS,
    };
    const ranked = isFew
      ? await rankThese(parts.rank, projectId, numbers, ranking)
      : await rankFitting(parts.rank, projectId, fits, ranking);
    return rankedPage(db, projectId, ranked, show);
  }
  const from = { after: byTime(asked.after), limit: page + 1 };
  if (isFew) {
    const places = await inOrder(parts, projectId, numbers, asked.sort, from, single);
    return pageOf(db, projectId, { places, searchedTo: null }, show);
  }
  if (asked.sort === 'created') {
    const places = await byCreation(db, anyOf(projectId, found), from);
    return pageOf(db, projectId, { places, searchedTo: null }, show);
  }
  return pageOf(db, projectId, await latestOfMany(parts, projectId, fits, from, limits), show);
}

/** Whom is asked for, the cohort by its name. @throws AppError `not_found` for a cohort that is not there */
export async function whomOf(
  { readerOf, cohortName }: Pick<ListParts, 'readerOf' | 'cohortName'>,
  projectId: ProjectId,
  { cohort, ...asked }: Pick<PeopleQuery, 'search' | 'property' | 'everybody' | 'cohort'>,
): Promise<WantedPeople> {
  const name = cohort === undefined ? undefined : await cohortName(projectId, cohort);
  return wantedPeople(projectId, await readerOf(projectId), { ...asked, cohort: name });
}

/** @throws AppError `invalid` for a place of an order by what people did */
function byTime(after: PeopleQuery['after']): After {
  if (after === undefined) return undefined;
  if (!('at' in after)) throw invalid('after', 'This place is of another order.');
  return after;
}

/** Latest people of more than `MAX_ORDERED`. */
async function latestOfMany(
  { db, clock, columns }: ListParts,
  projectId: ProjectId,
  fits: Sql,
  from: From,
  { stretches, step }: ListLimits,
): Promise<Found> {
  const begun = clock.elapsed();
  if (stretches > 0 && !from.after?.alone) {
    let left = stretches;
    const found = await throughEvents(db, projectId, fits, from, () => --left > 0);
    if (found.places.length >= from.limit) return found;
  }
  const mayGoOn = () => clock.elapsed() - begun < SEARCH_MS;
  const found = await throughDays(columns, projectId, fits, from, mayGoOn);
  if (found !== null) return found;
  // Rows of events do not say who was seen in dropped months.
  if ((await droppedUntil(db, projectId)) !== null)
    throw busy('The list can’t be put in order now. Try again in a moment.', 30);
  const seen = from.after?.alone ? nobody : await throughEvents(db, projectId, fits, from, mayGoOn);
  if (seen.searchedTo !== null || seen.places.length >= from.limit) return seen;
  const further = { after: from.after, limit: from.limit - seen.places.length, step };
  const alone = await oneAfterTheOther(db, projectId, fits, further, mayGoOn);
  return { ...alone, places: [...seen.places, ...alone.places] };
}

const nobody: Found = { places: [], searchedTo: null };

/** Numbers by each of these conditions, of each at most so many. */
function eachOf(found: readonly Sql[], most: number): Sql {
  const each = found.map((condition) => sql`(select number from persons where ${condition} limit ${most})`);
  return sql.join(each, sql` union all `);
}

/** People matching any of these conditions. */
export function anyOf(projectId: ProjectId, found: readonly Sql[]): Sql {
  if (found.length === 1) return found[0] as Sql;
  const each = found.map((condition) => sql`select number from persons where ${condition}`);
  return sql`project_id = ${projectId} and number in (${sql.join(each, sql` union all `)})`;
}

async function inOrder(
  { db, clock, columns }: ListParts,
  projectId: ProjectId,
  numbers: readonly number[],
  sort: PeopleQuery['sort'],
  from: From,
  single: number,
): Promise<Place[]> {
  if (sort === 'created') {
    return byCreation(db, sql`project_id = ${projectId} and number = any(${[...numbers]}::int[])`, from);
  }
  if (numbers.length > single) {
    const begun = clock.elapsed();
    const mayGoOn = () => clock.elapsed() - begun < GLANCE_MS;
    const places = await throughDaysOf(columns, projectId, numbers, from, mayGoOn);
    if (places !== null) return places;
  }
  return byLastEvent(db, projectId, numbers, { ...from, now: clock.now() });
}

function byCreation(db: Knex, wanted: Sql, { after, limit }: From): Promise<Place[]> {
  const older = after && sql`and (created_at, number) < (${sql.time(after.at)}, ${after.number})`;
  return query<Place>(
    db,
    sql`select number, created_at as at from persons where ${wanted} ${older ?? sql.empty}
         order by created_at desc, number desc limit ${limit}`,
  );
}

interface Shown {
  page: number;
  total: number | null;
  /** Names of properties. */
  columns: readonly string[];
}

async function pageOf(
  db: Knex,
  projectId: number,
  { places, searchedTo, goOn }: Found,
  { page, total, columns }: Shown,
): Promise<PeoplePage> {
  const shown = places.slice(0, page);
  const people = await shownPeople(db, projectId, shown, columns);
  const last = shown.at(-1);
  const isMore = places.length > page && last !== undefined;
  const reached = goOn ?? (searchedTo === null ? null : { at: searchedTo, number: MAX_NUMBER });
  return {
    rows: people.map(({ number: _, ...row }) => ({ ...row, did: null })),
    total,
    searchedTo,
    next: isMore ? placeOf(last) : reached && placeOf(reached),
  };
}

async function rankedPage(
  db: Knex,
  projectId: number,
  { places, searchedTo }: RankedPeople,
  { page, total, columns }: Shown,
): Promise<PeoplePage> {
  const shown = places.slice(0, page);
  const didOf = new Map(shown.map(({ number, did }) => [number, did]));
  const people = await shownPeople(db, projectId, shown, columns);
  const isMore = places.length > page;
  return {
    rows: people.map(({ number, ...row }) => ({ ...row, did: didOf.get(number) ?? null })),
    total,
    searchedTo: searchedTo?.value ?? null,
    next: isMore ? (shown.at(-1)?.place ?? null) : searchedTo,
  };
}

/** As the list shows them, with the properties of its columns. */
async function shownPeople(
  db: Knex,
  projectId: number,
  shown: readonly { number: number }[],
  columns: readonly string[],
) {
  const names = [...new Set([...labelNames, ...columns])];
  // Profiles may be large.
  const properties = sql`jsonb_build_object(${sql.join(
    names.map((name) => sql`${name}::text, p.properties -> ${name}::text`),
    sql`, `,
  )})`;
  const numbers = shown.map(({ number }) => number);
  const people = await peopleOf(db, projectId, numbers, { mostVisits: MAX_VISITS, properties });
  return people.map((person) => ({ ...person, properties: shortened(pick(person.properties, columns)) }));
}

/** Those that someone has. */
function pick(properties: JsonObject, names: readonly string[]): JsonObject {
  const known = names.filter((name) => properties[name] !== null && properties[name] !== undefined);
  return Object.fromEntries(known.map((name) => [name, properties[name] as JsonValue]));
}

function placeOf({ at, number, alone }: Place): PersonPlace {
  return { at, number, ...(alone && { alone }) };
}

/** Above every number: anyone who was seen at that very moment is on the next page. */
const MAX_NUMBER = MAX_ROW_ID;

/** Someone as the list shows them, with everything that is known of them. */
export interface WholePerson extends Omit<ListedPerson, 'did' | 'properties'> {
  number: number;
  properties: JsonObject;
}

/** Properties that say who someone is. */
const labelNames = ['name', 'email'];

export interface Looked {
  /** More are not counted. */
  mostVisits: number;
  /** Properties of the person `p`, as SQL. */
  properties: Sql;
}

/** These people, in this order; missing ones are skipped. */
export async function peopleOf(
  db: Knex,
  projectId: number,
  numbers: readonly number[],
  { mostVisits, properties }: Looked,
): Promise<WholePerson[]> {
  const rows = await query<Omit<WholePerson, 'label' | 'email'>>(
    db,
    sql`select p.number, p.uuid, p.identified, p.created_at as "firstSeen", ${properties} as properties,
               (${lastEvent(projectId, sql`p.number`)}) as "lastSeen",
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
                    order by first_ts desc limit ${mostVisits}) as v
         ) as visited
         where p.project_id = ${projectId} and p.number = any(${[...numbers]}::int[]) and not p.merged`,
  );
  const byNumber = new Map(rows.map((row) => [row.number, row]));
  return numbers.flatMap((number) => {
    const row = byNumber.get(number);
    return row === undefined ? [] : [{ ...row, ...labelOf(row.properties) }];
  });
}
