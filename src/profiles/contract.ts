/** People as they are looked at: the list, and one of them. Read by the browser, so zod/mini only. */
import * as z from 'zod/mini';
import type { JsonValue } from '#src/kit/json.ts';
import { eventPlace, moment } from '#src/kit/place.ts';
import { rangeInput } from '#src/kit/range.ts';
import { rowId } from '#src/kit/row.ts';
import { type activitySorts, MAX_COLUMNS, MAX_TEXT_LENGTH, peopleSorts, propertyOperators } from './values.ts';

export const projectRef = z.string().check(z.minLength(1), z.maxLength(64));
const text = z.string().check(z.maxLength(MAX_TEXT_LENGTH));

export type PropertyOperator = (typeof propertyOperators)[number];

export type ActivitySort = (typeof activitySorts)[number];
export type PeopleSort = (typeof peopleSorts)[number];

export const peopleInput = z.object({
  project: projectRef,
  /** A whole id or value of a property, or three letters and more of an e-mail address or name; capitals do not matter but in ids. */
  search: z.optional(text.check(z.trim(), z.minLength(1))),
  property: z.optional(
    z.object({
      name: text.check(z.minLength(1)),
      operator: z.enum(propertyOperators),
      value: z._default(text, ''),
    }),
  ),
  /** Also those without a profile: anonymous visitors. */
  everybody: z._default(z.boolean(), false),
  /** Number of a cohort: only its people. */
  cohort: z.optional(rowId),
  sort: z._default(z.enum(peopleSorts), 'seen'),
  /** What people did in it counts, in orders by that; absent: `DEFAULT_RANGE`. */
  range: z.optional(rangeInput),
  /** Properties that are given of each person. */
  columns: z.optional(z.array(text.check(z.minLength(1))).check(z.maxLength(MAX_COLUMNS))),
  /**
   * The last one of the page before, by time or by how much they did. `alone`: they were without an event (of the range), and so are all that
   * follow.
   */
  after: z.optional(
    z.union([
      z.object({ at: moment, number: rowId, alone: z.optional(z.boolean()) }),
      z.object({ value: z.number(), number: rowId }),
    ]),
  ),
});
export type PeopleInput = z.infer<typeof peopleInput>;
export type PeopleQuery = Omit<PeopleInput, 'project'>;
/** Where someone stands in the list. */
export type PersonPlace = NonNullable<PeopleInput['after']>;

/** How many there are does not hang on the page. */
export const explainListInput = z.omit(peopleInput, { after: true });

export interface ListedPerson {
  uuid: string;
  identified: boolean;
  /** Name or e-mail property. */
  label: string | null;
  email: string | null;
  /** Their own, of several the oldest. */
  distinctId: string;
  firstSeen: number;
  /** Null: no event of theirs is stored. */
  lastSeen: number | null;
  /** With a view in them; `MAX_VISITS` stands for more. */
  visits: number;
  country: string | null;
  /** What they did in the range; null: the order is by time. */
  did: PersonActivity | null;
  /** Of the columns that are asked for, those that they have. */
  properties: Record<string, JsonValue>;
}

export interface PersonActivity {
  events: number;
  visits: number;
  /** What the goals say that it was worth; one entry per currency. The order is by the first one of all people. */
  revenue: { currency: string; sum: number }[];
}

export interface PeoplePage {
  rows: ListedPerson[];
  next: PersonPlace | null;
  /** How many there are; null: more than are counted. */
  total: number | null;
  /** Set when the search timed out: people last seen since then (ms), or with at least that value, are complete. */
  searchedTo: number | null;
}

export const personInput = z.object({ project: projectRef, person: z.uuid() });

/** The event by which something came about. */
export interface Source {
  ts: number;
  uuid: string;
  /** Its name; null: it is gone. */
  event: string | null;
}

export interface PersonProperty {
  name: string;
  value: JsonValue;
  /** Source of the value. */
  by: Source | null;
}

export interface PersonId {
  distinctId: string;
  /** When it was merged into this person, and by which event; null: it was theirs from the start. */
  joined: { at: number; by: Source | null } | null;
}

/** Traffic source of one visit. */
export interface Touch {
  at: number;
  channel: string | null;
  referrer: string | null;
  source: string | null;
  medium: string | null;
  campaign: string | null;
  page: string | null;
  country: string | null;
}

/** An id that was taken out of someone. */
export interface Split {
  distinctId: string;
  at: number;
  by: string;
  /** The other one of the two, who they are now; null: they are gone. */
  other: string | null;
  /** The id was taken out of this person; false: this person is what was taken out. */
  isFrom: boolean;
  /** Its events are still on their way. */
  isMoving: boolean;
}

/** A group that events of a person belong to. */
export interface PersonGroup {
  type: number;
  key: string;
  /** Its property `name`. */
  label: string | null;
}

export interface PersonDetail {
  state: 'there';
  /** Not the one that was asked for when that was merged into this one. */
  uuid: string;
  label: string | null;
  email: string | null;
  identified: boolean;
  /** When an anonymous id was first joined with another; null: never. */
  identifiedAt: number | null;
  isHere: boolean;
  firstSeen: number;
  /** Null: no event of theirs is stored. */
  lastSeen: number | null;
  visits: number;
  views: number;
  events: number;
  country: string | null;
  browser: string | null;
  os: string | null;
  device: string | null;
  language: string | null;
  properties: PersonProperty[];
  ids: PersonId[];
  /** Beyond those. */
  moreIds: number;
  /** Groups of their latest events. */
  groups: PersonGroup[];
  firstTouch: Touch | null;
  lastTouch: Touch | null;
  splits: Split[];
}

/** They were erased. */
export interface PersonGone {
  state: 'erased';
  at: number;
}

export const timelineKinds = ['views', 'clicks', 'own', 'identity', 'problems'] as const;
export type TimelineKind = (typeof timelineKinds)[number];

export const timelineInput = z.object({
  project: projectRef,
  person: z.uuid(),
  kind: z.optional(z.enum(timelineKinds)),
  /** The last one of the page before. */
  after: z.optional(eventPlace),
});
export type TimelineInput = z.infer<typeof timelineInput>;

export interface TimelineRow {
  ts: number;
  uuid: string;
  event: string;
  detail: string;
  distinctId: string;
  /** Uuid of the visit. */
  visit: string | null;
}

export interface TimelineVisit {
  uuid: string;
  firstTs: number;
  lastTs: number;
  views: number;
  events: number;
  entry: string | null;
  channel: string | null;
  referrer: string | null;
  campaign: string | null;
  browser: string | null;
  os: string | null;
  city: string | null;
  country: string | null;
}

export interface Timeline {
  /** The newest first. */
  rows: TimelineRow[];
  /** Visits of the rows. */
  visits: TimelineVisit[];
  next: { ts: number; uuid: string } | null;
}

/** A change of a person property, newest first. */
export interface PropertyChange {
  name: string;
  /** Null: removed. */
  value: JsonValue;
  by: Source;
  distinctId: string;
}

export const splitInput = z.object({ person: z.uuid(), distinctId: text.check(z.minLength(1)) });
