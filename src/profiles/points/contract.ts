/** People behind a number of an insight. Read by the browser, so zod/mini only. */
import * as z from 'zod/mini';
import type { JsonValue } from '#src/kit/json.ts';
import type { PointGroup } from '../groups/contract.ts';
import { MAX_TEXT_LENGTH } from '../values.ts';
import { POINT_PAGE, pointSorts } from './values.ts';

export { POINT_PAGE, pointSorts };
export type PointSort = (typeof pointSorts)[number];

/** Options of the list of a point's people, besides the insight's query and the point, which the kind defines. */
export const pointList = {
  /** End of the chart's data, ms; absent: now. */
  asOf: z.optional(z.int().check(z.minimum(0), z.maximum(8_640_000_000_000_000))),
  /** A whole id or value of a property, or letters of an email address or name. */
  search: z.optional(z.string().check(z.maxLength(MAX_TEXT_LENGTH), z.trim(), z.minLength(1))),
  /** The most first: events, visits, revenue, or those seen last. */
  sort: z._default(z.enum(pointSorts), 'seen'),
  reversed: z._default(z.boolean(), false),
  page: z._default(z.int().check(z.minimum(1), z.maximum(100_000)), 1),
};
const pointListInput = z.object(pointList);
export type PointListInput = z.infer<typeof pointListInput>;

/** Someone behind a point, with what they did in the range of the query. */
export interface PointPerson {
  uuid: string;
  identified: boolean;
  /** Name or email property. */
  label: string | null;
  email: string | null;
  distinctId: string;
  country: string | null;
  /** Events in the range, whichever they are; bots and internal traffic as in the query. */
  events: number;
  /** Visits of these events. */
  visits: number;
  /** Revenue by the project's goals; one entry per currency. */
  revenue: { currency: string; sum: number }[];
  /** ms; null: no event in the range. */
  lastSeen: number | null;
  /** Number of their events (of paths: transitions) in the point. */
  times: number;
  properties: Record<string, JsonValue>;
}

export interface PointPage {
  /** The number itself, in the same snapshot as the people; null: there is none. */
  value: number | null;
  /** How many people are behind it. */
  people: number;
  /** How many of them the search finds. */
  found: number;
  /** `POINT_PAGE` of them; none of a number that counts groups. */
  rows: PointPerson[];
  /** Of a number that counts groups, instead: those of most events first. */
  groups?: PointGroup[];
}
