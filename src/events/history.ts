/** Stored events as they leave the house: whole, page by page, the newest first. And their end. */

import type { Knex } from 'knex';
import type { Client } from 'pg';
import { type JsonObject, type JsonValue, putProperty } from '#src/kit/json.ts';
import type { ProjectId } from '#src/projects/contract.ts';
import { query, type Sql, sql } from '#src/store/sql.ts';
import { deleteBefore } from './delete-events.ts';
import { type ErasedEvents, type EraseEvents, eraseEvents } from './erasure.ts';
import { fetchEventDetail, marksOf, type WholeEvent, wholeEvents } from './event-detail.ts';
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
  after?: { ts: number; uuid: string } | undefined;
  /** The first one of the page after: of what is newer, the oldest are found. */
  before?: { ts: number; uuid: string } | undefined;
  /** A further condition on rows of `events`. */
  where?: Sql | undefined;
  limit: number;
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

export function createHistory({ db }: { db: Knex }): History {
  return {
    async page(projectId, asked) {
      const rows = await query<WholeEvent>(
        db,
        sql`${wholeEvents(found(projectId, asked))} order by ts desc, uuid desc`,
      );
      return rows.map(historyEvent);
    },
    listed: (projectId, asked, options) => listEvents(db, projectId, found(projectId, asked), options),
    visits: (projectId, uuids) =>
      query<Visit>(
        db,
        sql`select uuid, first_ts as "firstTs", last_ts as "lastTs", views, screens, events
              from sessions
             where project_id = ${projectId} and uuid = any(${[...uuids]}::uuid[])`,
      ),
    async one(projectId, ts, uuid) {
      const { ts: at, person, properties, ...rest } = await fetchEventDetail(db, projectId, { ts, uuid });
      const all: JsonObject = {};
      for (const { name, value } of properties) putProperty(all, name, value);
      const { event, receivedAt, distinctId, session, marks } = rest;
      return {
        uuid: rest.uuid,
        event,
        ts: at,
        receivedAt,
        distinctId,
        person: person.uuid,
        session,
        properties: all,
        marks,
      };
    },
    ofPersons: eventsOfPersons,
    firsts: firstEvents,
    count: countEvents,
    reassign: reassignEvents,
    deleteBefore,
    erase: eraseEvents,
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
