/** Events that a query names and no client has sent. Read by the browser, so zod/mini only. */
import * as z from 'zod/mini';
import { lineOf } from '#src/kit/line.ts';
import { rowId } from '#src/kit/row.ts';
import { MAX_STORED_NAME_LENGTH } from '#src/kit/values.ts';
import { type EventsQuery, type PeopleQuery, peopleQuery } from '../query/people/contract.ts';
import { MAX_NAMES_LOOKED_UP } from '../query/values.ts';

/** An event name that the project has never received. */
export interface UnknownEvent {
  event: string;
  /** Goal that names it; null when the query itself does. */
  goal: { id: number; name: string } | null;
  /** Received names that are spelled alike, the most similar first. */
  suggestions: string[];
}

/** Parts of a query that name events. */
export interface NamingEvents {
  events?: readonly EventsQuery[] | undefined;
  people?: PeopleQuery | undefined;
  /** Number of a goal. */
  goal?: number | undefined;
  allGoals?: boolean | undefined;
}

/** Input of screens: names of a form, or a whole query. */
export const unknownEventsInput = z.object({
  project: z.string().check(z.minLength(1), z.maxLength(64)),
  segment: z.optional(rowId),
  people: z.optional(peopleQuery),
  goal: z.optional(rowId),
  allGoals: z.optional(z.boolean()),
  events: z.optional(
    z.array(z.strictObject({ event: lineOf(MAX_STORED_NAME_LENGTH) })).check(z.maxLength(MAX_NAMES_LOOKED_UP)),
  ),
});
