/**
 * People ordered by last event, without a column updated on every event. For few people, each one's last event is looked
 * up; for many, the latest events are scanned back in time, and people are ordered by first appearance. When that is not enough, the columns
 * are used (`people-days.ts`).
 */
import type { Knex } from 'knex';
import { dayMs } from '#src/kit/zone.ts';
import { query, type Sql, sql } from '#src/store/sql.ts';

/** Position in the order: time of the last event, or of creation without events. */
export interface Place {
  number: number;
  at: number;
  /** Without stored events: ordered after all others by creation, newest first. */
  alone?: boolean | undefined;
}

/** The last one before, by time. */
export type After = Place | undefined;

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
  const later = (column: string) => (since === null ? sql.empty : sql`and ${sql.id(column)} >= ${sql.time(since)}`);
  return sql`
    select max(own.ts)
      from (${numbersOf(projectId, number)}) as known
     cross join lateral (
       (select ts from events
         where project_id = ${projectId} and person = known.number ${later('ts')}
         order by ts desc limit 1)
        union all
       select last_ts from dropped_persons where project_id = ${projectId} and person = known.number ${later('last_ts')}
     ) as own`;
}

function numbersOf(projectId: number, number: Sql): Sql {
  return sql`
    select ${number} as number
     union all
    select old_person from person_overrides where project_id = ${projectId} and new_person = ${number}`;
}

/** The first `limit` of these people after a place. */
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
 * The first `limit` of these people after a place.
 * @param since only people seen since then, ms, so that earlier partitions are skipped; null: all
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

/** Columns of the person `p` that conditions on rows of `persons` use. */
export const columnsOfFits = sql`p.project_id, p.number, p.merged, p.has_profile, p.properties, p.email_key, p.name_key, p.word_keys`;

interface Stretch {
  reached: number | null;
  rows: number;
  people: Place[];
}

/**
 * People with their last event before `after`, by scanning events. Events with the same time are processed together.
 * @param fits the filter, as a condition on rows of `persons`
 * @param mayGoOn called before each further step
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
    // More events with one time than fit into the largest step: that time is skipped.
    if (!isStuck) until = reached;
    else if (size === LONGEST_STEP) until = (reached as number) - 1;
    size = Math.min(size * LONGER, LONGEST_STEP);
    // More people may follow with the time that was reached.
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
  /** Start of the step, ms; null: the newest event. */
  until: number | null;
  size: number;
  after: After;
  /** People seen by earlier steps. */
  passed: readonly number[];
}

/** Evaluates `fits`, which may be slow, only for people in the step; each is looked up by number, since a join would read all people at every step. */
async function stretchBefore(
  db: Knex,
  projectId: number,
  fits: Sql,
  { until, size, after, passed }: Step,
): Promise<Stretch> {
  const before = until === null ? sql.empty : sql`and ts <= ${sql.time(until)}`;
  // Checks for events after the place; earlier steps have seen those in between.
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
