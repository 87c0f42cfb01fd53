/** Where an event stands among the others, as contracts ask for it: its moment and its uuid. */
import * as z from 'zod/mini';

const EARLIEST = Date.parse('0001-01-01T00:00:00Z');
const LATEST = Date.UTC(10_000, 0) - 1;

/** What the database takes for a moment, in ms. */
export function isMoment(at: number): boolean {
  return at >= EARLIEST && at <= LATEST;
}

export const moment = z.number().check(z.minimum(EARLIEST), z.maximum(LATEST));

/** The uuid of whatever version: clients choose those of their events. */
export const eventPlace = z.object({ ts: moment, uuid: z.guid() });
