/** Single events as PostgreSQL has them, with an error where dropped ones are missing. */
import type { Knex } from 'knex';
import { droppedError, firstDroppedDay } from '#src/events/dropped.ts';
import type { EventPlace, HistoryQuery } from '#src/events/history.ts';
import { AppError } from '#src/kit/errors.ts';
import { dayMs } from '#src/kit/zone.ts';
import type { ProjectId } from '#src/projects/contract.ts';
import type { EventsRead } from '../past-events.ts';

/** Beyond all times that are stored, ms. */
const EVER = 8.64e15;

/** The same history. @throws AppError `unavailable` by its queries when events are in ClickHouse alone */
export function refusingDropped<Whole extends EventsRead>(db: Knex, history: Whole): Whole {
  /** Looked at after the events were read: a month may go meanwhile. */
  async function whole<Event extends EventPlace>(
    projectId: ProjectId,
    asked: HistoryQuery,
    read: () => Promise<Event[]>,
  ): Promise<Event[]> {
    const events = await read();
    if (asked.isPartial) return events;
    const { from = -EVER, to = EVER, after, before, limit } = asked;
    const isFull = events.length >= limit;
    // A full page says everything up to its last event.
    const [first, last] = [events[0], events.at(-1)];
    const begin = before === undefined && isFull ? (last?.ts ?? from) : Math.max(from, before?.ts ?? from);
    const end =
      before !== undefined && isFull ? (first?.ts ?? to) + 1 : Math.min(to, after === undefined ? to : after.ts + 1);
    if (begin >= end) return events;
    const day = await firstDroppedDay(db, projectId, {
      first: Math.floor(begin / dayMs),
      last: Math.floor((end - 1) / dayMs),
    });
    if (day !== null) throw droppedError(day);
    return events;
  }

  /** @throws AppError */
  async function placed<Found>(projectId: ProjectId, ts: number, read: () => Promise<Found>): Promise<Found> {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
      if (!Number.isFinite(ts)) throw error;
      const day = Math.floor(ts / dayMs);
      const isDropped = (await firstDroppedDay(db, projectId, { first: day, last: day })) !== null;
      throw isDropped ? droppedError(day) : error;
    }
  }

  return {
    ...history,
    listed: (projectId, asked, options) => whole(projectId, asked, () => history.listed(projectId, asked, options)),
    page: (projectId, asked) => whole(projectId, asked, () => history.page(projectId, asked)),
    one: (projectId, ts, uuid) => placed(projectId, ts, () => history.one(projectId, ts, uuid)),
    detail: (projectId, place) => placed(projectId, place.ts, () => history.detail(projectId, place)),
  };
}
