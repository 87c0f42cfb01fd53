/**
 * People in the order in which they were seen last. Nothing is kept up to date with every event for this: of few, the last event of each is looked
 * up; of many, the latest events are gone through, back in time, and each is noted for whom it is the last one. When these are not enough, columns tell
 * (`people-days.ts`).
 */
import type { Knex } from 'knex';
import { dayMs } from '#src/kit/zone.ts';
import { query, type Sql, sql } from '#src/store/sql.ts';
import type { PeopleQuery } from './contract.ts';

/** Where someone stands: when they were seen last, or when they came to be. */
export interface Place {
  number: number;
  at: number;
  /** No event of theirs is stored: by last event, they come after all others, the newest first. */
  alone?: boolean | undefined;
}

export type After = PeopleQuery['after'];

/** So many, from a place on. */
export interface From {
  after: After;
  limit: number;
}

export interface Found {
  places: Place[];
  /** Set when looking took too long: anyone who was seen last after this is among them. */
  searchedTo: number | null;
  /** Then, among those without an event: where the next page goes on. */
  goOn?: Place;
}

/** Anyone who was seen lately is looked up among the events of so long, in which most who are asked for are found. */
const LATELY_MS = 14 * dayMs;
/** Events gone through at a time: few at first, since the first page is nearly always among them. */
const FIRST_STEP = 2_000;
const LONGER = 4;
const LONGEST_STEP = 20_000;

/** The last event of each, by all numbers that lead to them; null: there is none since then. */
export function lastEvent(projectId: number, number: Sql, since: number | null = null): Sql {
  return sql`
    select max(own.ts)
      from (${numbersOf(projectId, number)}) as known
     cross join lateral (
       select ts from events
        where project_id = ${projectId} and person = known.number ${since === null ? sql.empty : sql`and ts >= ${sql.time(since)}`}
        order by ts desc limit 1
     ) as own`;
}

function numbersOf(projectId: number, number: Sql): Sql {
  return sql`
    select ${number} as number
     union all
    select old_person from person_overrides where project_id = ${projectId} and new_person = ${number}`;
}

/** Of these people, the first `limit` after a place. */
export async function byLastEvent(
  db: Knex,
  projectId: number,
  numbers: readonly number[],
  { after, limit, now }: From & { now: number },
): Promise<Place[]> {
  const since = (after?.at ?? now) - LATELY_MS;
  const latest = after?.alone ? [] : await placesOf(db, projectId, numbers, { after, limit, since });
  return latest.length >= limit ? latest : placesOf(db, projectId, numbers, { after, limit, since: null });
}

/**
 * Of these people, the first `limit` after a place.
 * @param since only who was seen since then: partitions before it are not looked at; null: all of them
 */
export function placesOf(
  db: Knex,
  projectId: number,
  numbers: readonly number[],
  { after, limit, since }: From & { since: number | null },
): Promise<Place[]> {
  const later = since === null ? sql.empty : sql`and not alone`;
  return query<Place>(
    db,
    sql`select number, at, alone
          from (select p.number, coalesce(own.last, p.created_at) as at, own.last is null as alone
                  from persons p
                 cross join lateral (${lastEvent(projectId, sql`p.number`, since)}) as own (last)
                 where p.project_id = ${projectId} and p.number = any(${[...numbers]}::int[])) as seen
         where true ${later} ${further(after)}
         order by alone, at desc, number desc
         limit ${limit}`,
  );
}

function further(after: After): Sql {
  if (after === undefined) return sql.empty;
  const older = sql`(at, number) < (${sql.time(after.at)}, ${after.number})`;
  return after.alone ? sql`and alone and ${older}` : sql`and (alone or ${older})`;
}

/** What conditions on rows of `persons` are about, of the person `p`. */
export const columnsOfFits = sql`p.project_id, p.number, p.merged, p.has_profile, p.properties, p.email_key, p.name_key, p.word_keys`;

interface Stretch {
  reached: number | null;
  rows: number;
  people: Place[];
}

/**
 * Those for whom one of the events before `after` is the last one. Events of one moment are taken together.
 * @param fits whom of them, as a condition on rows of `persons`
 * @param mayGoOn asked before each further step
 */
export async function throughEvents(
  db: Knex,
  projectId: number,
  fits: Sql,
  { after, limit }: From,
  mayGoOn: () => boolean,
): Promise<Found> {
  const seen = new Map<number, Place>();
  let until = after?.at ?? null;
  let size = FIRST_STEP;
  for (;;) {
    const passed = [...seen.keys()];
    const { reached, rows, people } = await stretchBefore(db, projectId, fits, { until, size, after, passed });
    for (const place of people) seen.set(place.number, place);
    const isEnd = rows < size || reached === null;
    const isStuck = reached !== null && reached === until;
    // All events of one moment, and more than fit into the longest step: the moment is passed over.
    if (!isStuck) until = reached;
    else if (size === LONGEST_STEP) until = (reached as number) - 1;
    size = Math.min(size * LONGER, LONGEST_STEP);
    // Of the moment that was reached, others may follow.
    const sure = [...seen.values()].filter(
      (place) => isAfter(place, after) && (isEnd || place.at > (reached as number)),
    );
    if (isEnd || sure.length >= limit || !mayGoOn()) {
      sure.sort(laterFirst);
      return { places: sure.slice(0, limit), searchedTo: isEnd || sure.length >= limit ? null : reached };
    }
  }
}

interface Step {
  /** The moment that it begins with; null: at the newest event. */
  until: number | null;
  size: number;
  after: After;
  /** Whom the steps before have seen. */
  passed: readonly number[];
}

/** Only who is in the stretch is held against `fits`, which may be slow; each is looked up by their number, since a join reads all people at every step. */
async function stretchBefore(
  db: Knex,
  projectId: number,
  fits: Sql,
  { until, size, after, passed }: Step,
): Promise<Stretch> {
  const before = until === null ? sql.empty : sql`and ts <= ${sql.time(until)}`;
  // What came since the place that is asked about; what came between that and this stretch, the steps before have seen.
  const isLast =
    after === undefined
      ? sql.empty
      : sql`and not exists (
          select from (${numbersOf(projectId, sql`t.number`)}) as known
           cross join lateral (
             select from events where project_id = ${projectId} and person = known.number and ts > ${sql.time(after.at)} limit 1
           ) as later)`;
  const [stretch] = await query<Stretch>(
    db,
    sql`with stretch as materialized (
          select ts, person from events where project_id = ${projectId} ${before} order by ts desc limit ${size}
        ), touched as materialized (
          select coalesce(o.new_person, s.person) as number, max(s.ts) as ts
            from stretch s
            left join person_overrides o on o.project_id = ${projectId} and o.old_person = s.person
           group by 1
        ), present as materialized (
          select ${columnsOfFits}, t.ts
            from touched t
           cross join lateral (
             select * from persons where project_id = ${projectId} and number = t.number offset 0
           ) as p
           where not t.number = any(${[...passed]}::int[])
        ), fitting as materialized (
          select number, ts from present as persons where ${fits}
        ), last as (
          select t.number, t.ts from fitting t where true ${isLast}
        )
        select (select (extract(epoch from min(ts)) * 1000)::float8 from stretch) as reached,
               (select count(*)::int from stretch) as rows,
               coalesce((select jsonb_agg(jsonb_build_object('number', number, 'at', (extract(epoch from ts) * 1000)::float8))
                           from last), '[]') as people`,
  );
  return stretch as Stretch;
}

/** The order of the list by last event. */
export function laterFirst(one: Place, other: Place): number {
  return Number(one.alone ?? false) - Number(other.alone ?? false) || other.at - one.at || other.number - one.number;
}

function isAfter({ at, number }: Place, after: After): boolean {
  return after === undefined || at < after.at || (at === after.at && number < after.number);
}
