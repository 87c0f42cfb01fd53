/**
 * When the first events of a project happened: asked beside the question that wants it, on another connection, so that neither waits for the other.
 *
 * Everybody can send events with the public token, of any date. So that one of them does not stretch `all_time` over decades, that begins with the
 * first event that is plausible: not before 2000, and not one of few that a long gap parts from nearly all others.
 */
import { setImmediate } from 'node:timers/promises';
import type { Knex } from 'knex';
import { dayMs } from '#src/kit/zone.ts';
import * as queries from '../storage/chunk-sql.ts';
import { EARLIEST_PLAUSIBLE, MAX_EARLY_COUNTED } from '../values.ts';

/** At most so many first events are early ones, ... */
export const MAX_BEFORE_GAP = 100;
/** ... when nothing happened for so long after them, ... */
export const MIN_GAP_MS = 90 * dayMs;
/** ... and so many times as many happened afterwards. */
export const MIN_TIMES_AS_MANY = 1000;

export interface FirstEvents {
  /** Time of the very first event, ms; null before it. */
  first: number | null;
  /** Time of the first plausible event, ms: where `all_time` begins. Null before it. */
  plausible: number | null;
  /** How many events are before that; one more than `MAX_EARLY_COUNTED` stands for all larger numbers. */
  early: number;
}

export interface FirstEventsReader {
  /** @throws AppError `timeout` */
  of(projectId: number): Promise<FirstEvents>;
}

export function createFirstEvents(db: Knex): FirstEventsReader {
  /** By project, what all who ask in the same turn get: it is read after they asked. */
  const asked = new Map<number, Promise<FirstEvents>>();

  async function read(projectId: number): Promise<FirstEvents> {
    await setImmediate(); // the question first, and the others of this turn
    asked.delete(projectId);
    return readFirstEvents(db, projectId);
  }

  return {
    of(projectId) {
      const found = asked.get(projectId) ?? read(projectId);
      asked.set(projectId, found);
      return found;
    },
  };
}

async function readFirstEvents(db: Knex, projectId: number): Promise<FirstEvents> {
  const times = await queries.firstTimes(db, projectId, MAX_BEFORE_GAP + 1);
  const first = times[0] ?? null;
  if (first === null) return { first, plausible: null, early: 0 };
  const later =
    first < EARLIEST_PLAUSIBLE
      ? await queries.firstTimes(db, projectId, MAX_BEFORE_GAP + 1, EARLIEST_PLAUSIBLE)
      : times;
  const plausible = await findPlausible(later, (from, limit) => queries.countEvents(db, projectId, { from }, limit));
  if (plausible === first) return { first, plausible, early: 0 };
  const before = { until: plausible ?? EARLIEST_PLAUSIBLE };
  const early = await queries.countEvents(db, projectId, before, MAX_EARLY_COUNTED + 1);
  return { first, plausible, early };
}

/**
 * @param times of the first events that are not too early by themselves, ascending
 * @param count how many events happened from a moment on, up to a limit
 */
export async function findPlausible(
  times: readonly number[],
  count: (from: number, limit: number) => Promise<number>,
): Promise<number | null> {
  const isAfterGap = (at: number) => (times[at] as number) - (times[at - 1] as number) > MIN_GAP_MS;
  const starts = times.flatMap((_, at) => (at > 0 && isAfterGap(at) ? [at] : []));
  const last = starts.at(-1);
  if (last === undefined) return times[0] ?? null;
  const afterwards = await count(times[last] as number, last * MIN_TIMES_AS_MANY);
  const start = starts.findLast((at) => afterwards + last - at >= at * MIN_TIMES_AS_MANY);
  return times[start ?? 0] as number;
}
