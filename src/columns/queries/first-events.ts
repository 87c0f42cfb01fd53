/**
 * Times of a project's first events, read on a separate connection in parallel with the query that needs them.
 *
 * Anyone can send events of any date with the public token. So that these do not extend `all_time` over decades, it starts with the first
 * plausible event: not before 2000, and not one of few that a long gap separates from nearly all others.
 */
import { setImmediate } from 'node:timers/promises';
import type { Knex } from 'knex';
import { dayMs } from '#src/kit/zone.ts';
import * as queries from '../storage/chunk-sql.ts';
import { EARLIEST_PLAUSIBLE, MAX_EARLY_COUNTED } from '../values.ts';

/** Events are early when nothing happened for so long after them, ... */
export const MIN_GAP_MS = 90 * dayMs;
/** ... and so many times as many happened afterwards. */
export const MIN_TIMES_AS_MANY = 100;

export interface FirstEvents {
  /** Time of the very first event, ms; null before it. */
  first: number | null;
  /** Time of the first plausible event, ms: the start of `all_time`. Null without one. */
  plausible: number | null;
  /** How many events are before that; one more than `MAX_EARLY_COUNTED` stands for all larger numbers. */
  early: number;
}

export interface FirstEventsReader {
  /** Time of the very first event, ms; null before it. @throws AppError `timeout` */
  first(projectId: number): Promise<number | null>;
  /** @throws AppError `timeout` */
  of(projectId: number): Promise<FirstEvents>;
}

export function createFirstEvents(db: Knex): FirstEventsReader {
  return {
    first: shared((projectId) => firstTime(db, projectId)),
    of: shared((projectId) => readFirstEvents(db, projectId)),
  };
}

/** Shares one read between all callers in the same event loop iteration. */
function shared<Answer>(read: (projectId: number) => Promise<Answer>): (projectId: number) => Promise<Answer> {
  const asked = new Map<number, Promise<Answer>>();
  async function readLater(projectId: number): Promise<Answer> {
    await setImmediate(); // the question first, and the others of this turn
    asked.delete(projectId);
    return read(projectId);
  }
  return (projectId) => {
    const found = asked.get(projectId) ?? readLater(projectId);
    asked.set(projectId, found);
    return found;
  };
}

async function firstTime(db: Knex, projectId: number, from?: number): Promise<number | null> {
  const [first] = await queries.firstTimes(db, projectId, 1, from);
  return first ?? null;
}

async function readFirstEvents(db: Knex, projectId: number): Promise<FirstEvents> {
  const first = await firstTime(db, projectId);
  if (first === null) return { first, plausible: null, early: 0 };
  const plausible = startOf(await queries.eventDays(db, projectId, EARLIEST_PLAUSIBLE));
  const start = plausible ?? (await firstTime(db, projectId, EARLIEST_PLAUSIBLE));
  if (start === first) return { first, plausible: first, early: 0 };
  const before = { until: start ?? EARLIEST_PLAUSIBLE };
  const early = await queries.countEvents(db, projectId, before, MAX_EARLY_COUNTED + 1);
  return { first, plausible: start, early };
}

/**
 * Start of the plausible events: after the last gap with many times more events after it than before.
 *
 * @param days days with events, ascending
 * @returns ms, null without such a gap
 */
export function startOf(days: readonly queries.EventDay[]): number | null {
  let left = days.reduce((sum, { events }) => sum + events, 0);
  let earlier = 0;
  let start: number | null = null;
  for (const [at, { first, events }] of days.entries()) {
    const before = days[at - 1];
    if (before && first - before.last > MIN_GAP_MS && left >= earlier * MIN_TIMES_AS_MANY) start = first;
    earlier += events;
    left -= events;
  }
  return start;
}
