/** Position of an event in the order of all events, for contracts: time and uuid. */
import * as z from 'zod/mini';

const EARLIEST = Date.parse('0001-01-01T00:00:00Z');
const LATEST = Date.UTC(10_000, 0) - 1;

/** True for a time that the database accepts, in ms. */
export function isMoment(at: number): boolean {
  return at >= EARLIEST && at <= LATEST;
}

export const moment = z.number().check(z.minimum(EARLIEST), z.maximum(LATEST));

/** A uuid of any version, because clients choose them. */
export const eventPlace = z.object({ ts: moment, uuid: z.guid() });
