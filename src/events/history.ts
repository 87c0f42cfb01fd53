/** Stored events as they leave the house: whole, page by page, the newest first. And their end. */

import type { Knex } from 'knex';
import type { Client } from 'pg';
import type { Filters } from '#src/columns/contract.ts';
import { type JsonObject, type JsonValue, putProperty } from '#src/kit/json.ts';
import type { ReadingRules } from '#src/kit/reading/reader.ts';
import type { ProjectId } from '#src/projects/contract.ts';
import { query, type Sql, sql } from '#src/store/sql.ts';
import type { EventDetail } from './contract.ts';
import { deleteBefore } from './delete-events.ts';
import { type ErasedElsewhere, type ErasedEvents, type EraseEvents, eraseEvents, noneDropped } from './erasure.ts';
import { fetchEventDetail, fetchGivenDetail, marksOf, type WholeEvent, wholeEvents } from './event-detail.ts';
import { type HistoryEvent, type ListedEvent, type ListedOptions, listEvents } from './listed.ts';

import { countEvents, eventsOfPersons, firstEvents, reassignEvents } from './reassign.ts';

export type { ErasedEvents, GroupsApart } from './erasure.ts';
export type { HistoryEvent, KnownGroups, ListedEvent, ListedOptions } from './listed.ts';

/** A visit, which is several events of one browser. */
export interface Visit {
  uuid: string;
  firstTs: number;
  lastTs: number;
  views: number;
  screens: number;
  events: number;
}

export interface EventPlace {
  /** ms */
  ts: number;
  uuid: string;
}

/** Events of one of these names (none: of any) that fulfil filters, of chosen persons. */
export interface ChosenEvents {
  names?: readonly string[];
  /** Only names that do not begin with `$`. */
  ofOwnNames?: boolean;
  /** With their dates placed. */
  filters?: Filters | undefined;
  /** How filters read values. */
  reading?: ReadingRules | undefined;
  /** By the numbers that events have. */
  whose?: { numbers: readonly number[]; isExcept: boolean } | undefined;
}

export interface HistoryQuery {
  event?: string | undefined;
  /** ms, included. */
  from?: number | undefined;
  /** ms, excluded. */
  to?: number | undefined;
  /** Events of these persons, by all their numbers. */
  persons?: readonly number[] | undefined;
  /** Number of a distinct id. */
  distinctId?: number | undefined;
  /** The last one of the page before. */
  after?: EventPlace | undefined;
  /** The first one of the page after: of what is newer, the oldest are found. */
  before?: EventPlace | undefined;
  /** A further condition on rows of `events`. */
  where?: Sql | undefined;
  /** What `where` says, so that it can be looked for elsewhere. */
  chosen?: ChosenEvents | undefined;
  /** What was dropped is left out, instead of an error. */
  isPartial?: boolean | undefined;
  limit: number;
}

/** Reads events that were found elsewhere: queries that give rows with all columns of `events`. */
export interface GivenRows {
  page(rows: Sql): Promise<HistoryEvent[]>;
  listed(projectId: ProjectId, rows: Sql, options?: ListedOptions): Promise<ListedEvent[]>;
  /** The only row; null: it is nobody's. */
  one(rows: Sql): Promise<HistoryEvent | null>;
  detail(rows: Sql): Promise<EventDetail | null>;
}

export interface History {
  /** The newest first; fewer than `limit`: those were the last. */
  page(projectId: ProjectId, asked: HistoryQuery): Promise<HistoryEvent[]>;
  /** As `page`, with the additional fields of lists. */
  listed(projectId: ProjectId, asked: HistoryQuery, options?: ListedOptions): Promise<ListedEvent[]>;
  /** Visits by uuid, in no order. */
  visits(projectId: ProjectId, uuids: readonly string[]): Promise<Visit[]>;
  /** @throws AppError `not_found` */
  one(projectId: ProjectId, ts: number, uuid: string): Promise<HistoryEvent>;
  /** The same for its screen. @throws AppError `not_found` */
  detail(projectId: ProjectId, place: EventPlace): Promise<EventDetail>;
  given: GivenRows;
  /** Events of persons with a profile, in chronological order. */
  ofPersons: typeof eventsOfPersons;
  /** Times of the first event of an id of these persons, and of their others. */
  firsts: typeof firstEvents;
  /** How many events persons have. */
  count: typeof countEvents;
  /** Gives the events of an id to someone else, in steps, on a connection without time limits; safe to run again. */
  reassign: typeof reassignEvents;
  /** Deletes events before a time, in steps, on a connection without timeouts; idempotent. */
  deleteBefore: typeof deleteBefore;
  /** Deletes all that persons did, in steps, on a connection without time limits; safe to run again. */
  erase(client: Client, asked: EraseEvents): Promise<ErasedEvents>;
}

/** @param dropped what dropped events refer to */
export function createHistory({ db }: { db: Knex }, dropped: ErasedElsewhere = noneDropped): History {
  const given: GivenRows = {
    async page(rows) {
      const found = await query<WholeEvent>(db, sql`${wholeEvents(rows)} order by ts desc, uuid desc`);
      return found.map(historyEvent);
    },
    listed: (projectId, rows, options) => listEvents(db, projectId, rows, options),
    async one(rows) {
      const detail = await fetchGivenDetail(db, rows);
      return detail && eventOf(detail);
    },
    detail: (rows) => fetchGivenDetail(db, rows),
  };
  return {
    given,
    page: (projectId, asked) => given.page(found(projectId, asked)),
    listed: (projectId, asked, options) => given.listed(projectId, found(projectId, asked), options),
    visits: (projectId, uuids) =>
      query<Visit>(
        db,
        sql`select uuid, first_ts as "firstTs", last_ts as "lastTs", views, screens, events
              from sessions
             where project_id = ${projectId} and uuid = any(${[...uuids]}::uuid[])`,
      ),
    one: async (projectId, ts, uuid) => eventOf(await fetchEventDetail(db, projectId, { ts, uuid })),
    detail: (projectId, place) => fetchEventDetail(db, projectId, place),
    ofPersons: eventsOfPersons,
    firsts: firstEvents,
    count: countEvents,
    reassign: reassignEvents,
    deleteBefore,
    erase: (client, asked) => eraseEvents(client, asked, dropped),
  };
}

function found(projectId: number, asked: HistoryQuery): Sql {
  const { event, from, to, persons, distinctId, after, before, where, limit } = asked;
  const conditions = [
    sql`project_id = ${projectId}`,
    event !== undefined &&
      sql`event = (select number from event_names where project_id = ${projectId} and name = ${event})`,
    from !== undefined && sql`ts >= ${sql.time(from)}`,
    to !== undefined && sql`ts < ${sql.time(to)}`,
    persons !== undefined && sql`person = any(${[...persons]}::int[])`,
    distinctId !== undefined && sql`distinct_id = ${distinctId}`,
    after !== undefined &&
      sql`ts <= ${sql.time(after.ts)} and (ts, uuid) < (${sql.time(after.ts)}, ${after.uuid}::uuid)`,
    before !== undefined &&
      sql`ts >= ${sql.time(before.ts)} and (ts, uuid) > (${sql.time(before.ts)}, ${before.uuid}::uuid)`,
    where !== undefined && where,
  ].filter((condition) => condition !== false);
  const order = before === undefined ? sql`ts desc, uuid desc` : sql`ts, uuid`;
  return sql`
    select * from events where ${sql.join(conditions, sql` and `)} order by ${order} limit ${limit}`;
}

function eventOf({ person, properties, ...rest }: EventDetail): HistoryEvent {
  const all: JsonObject = {};
  for (const { name, value } of properties) putProperty(all, name, value);
  const { uuid, event, ts, receivedAt, distinctId, session, marks } = rest;
  return { uuid, event, ts, receivedAt, distinctId, person: person.uuid, session, properties: all, marks };
}

/** The event's own properties override group properties of the same name. */
function historyEvent({
  groups,
  properties,
  personProperties: _,
  identified: __,
  marks,
  ...row
}: WholeEvent): HistoryEvent {
  const all: JsonObject = {};
  for (const part of [...[...groups].reverse(), properties]) {
    for (const name in part) putProperty(all, name, part[name] as JsonValue);
  }
  return { ...row, properties: all, marks: marksOf(marks) };
}
