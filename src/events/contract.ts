/**
 * The stored event: the words and shapes that collect (which makes finished events), events (which stores them) and
 * the screens share. Read by the browser, so zod/mini only.
 */
import * as z from 'zod/mini';
import type { JsonObject, JsonValue } from '#src/kit/json.ts';
import { eventPlace } from '#src/kit/place.ts';
import type { PersonWarningReason } from '#src/persons/contract.ts';
import { MAX_LIVE_PATH_LENGTH, MAX_LIVE_VALUE_LENGTH, MAX_LIVE_VALUES } from './values.ts';

/** Kinds of property groups and their stored number. Numbers are stored: never change one. */
export const groupKinds = { page: 1, device: 2, source: 3, geo: 4, flags: 5, elements: 6 } as const;
export type GroupKind = keyof typeof groupKinds;

/** Bits of `events.marks`. Stored: never change one. */
export const eventMarks = {
  /** Excluded by default: a bot's user agent or a data center, or, with `internal`, internal traffic. */
  bot: 1,
  /** Event time lay in the future or was no date: the receipt time was taken. */
  clamped: 2,
  /** Received more than 30 days after it happened. */
  late: 4,
  /** Sent without person processing. */
  personless: 8,
  /** Visitor counted without storage on the device: a new one each day. */
  cookieless: 16,
  /** Sent as part of a historical migration. */
  historical: 32,
  /** The team's own, by the project's rules. Always together with `bot`, which is what leaves it out. */
  internal: 64,
} as const;

/** The person change of an event, as sent. Automatic properties (`$browser`, `$initial_*` …) are added by the persons room. */
export interface PersonChange {
  /** False for personless events: no profile is made and `set`, `setOnce`, `unset` are empty. */
  process: boolean;
  set: JsonObject;
  setOnce: JsonObject;
  unset: string[];
  /** True for any accepted `$identify`: the person becomes identified and never goes back. */
  identify: boolean;
  /** The other distinct id to merge INTO the event's distinct id. */
  merge: { kind: 'identify' | 'alias' | 'dangerously'; otherDistinctId: string } | null;
}

/** Kinds of points of heatmaps and their stored number. Numbers are stored: never change one. */
export const heatmapKinds = { click: 1, rage: 2, dead: 3, scroll: 4 } as const;
export type HeatmapKind = keyof typeof heatmapKinds;

/** The event of posthog-js that has only points of heatmaps: it is not stored as an event. */
export const HEATMAP = '$$heatmap';

/** A place on a page. */
export interface HeatmapPoint {
  kind: HeatmapKind;
  host: string;
  /** Path, with a route behind `#`. */
  page: string;
  /** Of the viewport, CSS px. */
  width: number;
  /** Thousandths of the width; 0 for scroll depth. */
  x: number;
  /** CSS px from the top of the page; for scroll depth thousandths of the page. */
  y: number;
  /** On an element that does not scroll: `y` is from the top of the viewport. */
  fixed: boolean;
}

/**
 * An event that has passed every step of collect: clean, complete, ready to be stored. It is plain JSON, because the
 * spool keeps it in this form: replaying it must give the identical row.
 */
export interface FinishedEvent {
  projectId: number;
  uuid: string;
  event: string;
  distinctId: string;
  /** Event time, corrected for clock skew, ms since 1970. */
  ts: number;
  /** Receipt time, ms since 1970. */
  receivedAt: number;
  /** A valid client session (lower-case UUID), or one that the server assigned; null when the event has none. */
  session: string | null;
  /** Sum of `eventMarks`. */
  marks: number;
  /**
   * Repeating properties by group; absent group = null. Derived ones (`$channel_type`, `$geoip_country_code`, `$rules_version`) are in.
   * Events of one visit or page mostly carry the very same object: it is never changed, so a WeakMap by object is a cheap cache.
   */
  groups: Partial<Record<GroupKind, JsonObject>>;
  /** Properties that are in no group. */
  properties: JsonObject;
  person: PersonChange;
  /** Group change of `$groupidentify`. */
  groupIdentify?: { type: string; key: string; set: JsonObject };
  /** Where the visitor clicked, or how far they scrolled, for heatmaps; absent without any. */
  heatmap?: HeatmapPoint[];
  /**
   * Effective time of its person or group change, ms with microseconds, so that the later of two changes in one millisecond
   * wins. Absent: `ts`, or the receipt if that was earlier.
   */
  orderedAt?: number;
}

/**
 * Effective time of an event's person or group change, ms. At most its receipt: with a fast clock, later changes of others would
 * lose until the clock's time is reached.
 */
export function effectiveTime({
  ts,
  receivedAt,
  orderedAt,
}: Pick<FinishedEvent, 'ts' | 'receivedAt' | 'orderedAt'>): number {
  return orderedAt ?? Math.min(ts, receivedAt);
}

/** The same for merges, in whole milliseconds: changes within the same millisecond count as before the merge. */
export function effectiveMergeTime(event: Pick<FinishedEvent, 'ts' | 'receivedAt' | 'orderedAt'>): number {
  return Math.floor(effectiveTime(event));
}

/** Outcome of one finished event. */
export type AppendOutcome = 'stored' | 'duplicate';

/** Why something that a stored event asked for was not done. Those of persons are in persons/contract.ts. */
export type IngestWarningReason = PersonWarningReason;

/** A note for the project's owner about a stored event. */
export interface IngestWarning {
  projectId: number;
  reason: IngestWarningReason;
  /** Receipt time, ms. */
  at: number;
  /** What identifies the example: `event`, `distinct_id`, `uuid`, `detail`. */
  sample: JsonObject;
}

/** Outcome of a committed batch. */
export interface StoredBatch {
  /** One per event, in the order of the batch. */
  outcomes: AppendOutcome[];
  warnings: IngestWarning[];
}

const projectRef = z.string().check(z.minLength(1), z.maxLength(64));

/** Input of every procedure about one project: numeric id or accepted public token. */
export const projectInput = z.object({ project: projectRef });

export const eventInput = z.extend(eventPlace, { project: projectRef });

/** Storage query: all events, or those older than this many days. */
export const storedInput = z.object({ olderThanDays: z.optional(z.int().check(z.minimum(1), z.maximum(20_000))) });

/** One row of the live stream. */
export interface LiveRow {
  ts: number;
  receivedAt: number;
  uuid: string;
  event: string;
  /** Path for views, element text for clicks, message for exceptions, else the most telling property; may be ''. */
  detail: string;
  person: {
    uuid: string;
    identified: boolean /** name or e-mail property, else null */;
    label: string | null;
    distinctId: string;
  };
  /** Path of the page it happened on, or null. */
  path: string | null;
  /** ISO country code or null. */
  country: string | null;
  bot: boolean;
}

/** The answer of `events.now({ project })`: every screen's frame shows it, and needs no rows. */
export interface NowSummary extends LiveSummary {
  /** Events of all projects that were accepted and are not in the database yet. */
  waiting: number;
}

export interface LiveSummary {
  /** Distinct persons with an event in the last 5 minutes, without bots. */
  peopleNow: number;
  /** Events per minute over the last 5 full minutes. */
  eventsPerMinute: number;
  /** Median ms from event time to receipt over the rows of the last 5 minutes; null without rows. */
  delayMs: number | null;
  /** Distinct persons per minute, oldest first, the last is the running minute: 30 numbers. */
  minutes: number[];
  /** Server time the summary was made, ms. */
  at: number;
}

/** People of the last 5 minutes who have this in common. */
export interface PeopleAt {
  value: string;
  people: number;
}

/** Current visitors by page and source. Each person counts in one row of each list, by their newest event. Top 8 rows. */
export interface LivePresence extends LiveSummary {
  /** By path of the current page; '': unknown. */
  pages: PeopleAt[];
  /** By source of their visit: the campaign's source in lower case, else the referring domain ('$direct': none); '': unknown. */
  sources: PeopleAt[];
}

const someTexts = z.array(z.string().check(z.maxLength(MAX_LIVE_VALUE_LENGTH))).check(z.maxLength(MAX_LIVE_VALUES));

/** Filter of a viewer's stream; absent fields do not filter. */
export const liveFilter = z.object({
  names: z.optional(someTexts),
  exceptNames: z.optional(someTexts),
  /** A path; `*` stands for anything. */
  page: z.optional(z.string().check(z.maxLength(MAX_LIVE_PATH_LENGTH))),
  /** ISO codes. */
  countries: z.optional(someTexts),
  who: z.optional(z.enum(['identified', 'anonymous'])),
  bots: z.optional(z.enum(['hide', 'only'])),
});
export type LiveFilter = z.infer<typeof liveFilter>;

export const liveInput = z.object({ project: projectRef, filter: z.optional(liveFilter) });

export interface LiveSnapshot {
  summary: LivePresence;
  /** Newest first, at most 100. */
  rows: LiveRow[];
  /** Opaque place in the stream, to subscribe from. */
  cursor: string;
}

/** One message of the live stream. */
export interface LiveUpdate {
  summary: LivePresence;
  /** New rows in receipt order, oldest first. After a change of process some may come again: know them by `(ts, uuid)`. */
  rows: LiveRow[];
  /** Rows before these that the viewer does not get, as more came than are kept for a viewer that lags behind. */
  passedOver: PassedOver;
  cursor: string;
}

export interface PassedOver {
  rows: number;
  /** There were still more, which were not counted. */
  more: boolean;
}

export const liveStreamInput = z.object({
  project: projectRef,
  /** From a snapshot, or the last id seen (set by the client when it reconnects). */
  lastEventId: z.optional(z.string().check(z.maxLength(200))),
  filter: z.optional(liveFilter),
});

/** A whole event as the screens show it. */
export interface EventDetail {
  ts: number;
  receivedAt: number;
  uuid: string;
  event: string;
  distinctId: string;
  session: string | null;
  person: { uuid: string; identified: boolean; label: string | null; properties: JsonObject };
  /** Names in order of first meaning: event's own, then groups; value types for the third column. */
  properties: {
    name: string;
    value: JsonValue;
    type: 'text' | 'number' | 'boolean' | 'time' | 'URL' | 'list' | 'object' | 'null';
  }[];
  marks: string[];
}

/** `[from, until)` in ms; what is absent is open. */
export interface EventSpan {
  from?: number | undefined;
  until?: number | undefined;
}
