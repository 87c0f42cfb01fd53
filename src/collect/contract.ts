/**
 * Why events are dropped, and what their senders are warned of: both sets are closed, so that each has words on the screens.
 * Read by the browser, so zod/mini only.
 */
import * as z from 'zod/mini';
import type { JsonObject } from '#src/kit/json.ts';

/** An event with one of these is not stored. It is counted under the reason, with a sample; the client is answered 200. */
export const dropReasons = [
  'not_an_event', // no object
  'no_name',
  'no_distinct_id',
  'too_large',
  'too_deep',
  'origin', // sent from a site that is not on the project's list
  'expired', // older than the project keeps events
  'dropped_month', // of a month whose single events are in ClickHouse alone, or an earlier one
  'recording', // session recordings are not kept (yet)
  'heatmap', // where visitors clicked, of a project without heatmaps
  'performance', // the old performance event, which nothing reads
  'not_a_page', // a view of a file on a device, a blank page or a page of the browser itself
  'client_notice', // the client's own warning about itself: it becomes a warning
  'do_not_track', // the browser asks not to be tracked, and the project respects it
  'bot', // a program's, in a project that does not store them
  'cookieless_off', // the project does not count visitors without storage
  'cookieless_late', // the day's secret is destroyed
  'cookieless_identity', // identify, alias and merge make no sense for a visitor of one day
  'unknown_token', // came while the database was away; the token turned out to belong to no project
  'erased', // waited on some disk while its person was erased
  'unstorable', // PostgreSQL refused the data
] as const;
export type DropReason = (typeof dropReasons)[number];

/** The event is stored; its sender should know. Persons adds its own (refused merges, illegal ids). */
export const warningReasons = [
  'clock_ahead', // event time in the future: receipt time was taken
  'bad_time', // event time is no date: receipt time was taken
  'late', // more than 30 days old
  'text_cleaned', // NUL or unpaired surrogates were replaced
  'name_cut', // event name, distinct id or property name longer than allowed
  'bad_uuid', // not a UUID: one was derived from it
  'person_change_ignored', // asks for a change of the person, and to leave the person alone
] as const;
export type WarningReason = (typeof warningReasons)[number];

/** Refusals of whole requests. They reach no project's table; *Status*, *Ingestion* and `/metrics` count them. */
export const refusalReasons = ['invalid', 'token', 'slow', 'too_large', 'overload', 'unavailable'] as const;
export type RefusalReason = (typeof refusalReasons)[number];

/** A drop or warning with one example. */
export interface IngestProblem {
  reason: string;
  times: number;
  /** ms. */
  at: number;
  sample: JsonObject;
}

/** A request that was refused as a whole: it reached no project, but may have been meant for this one. */
export interface RecentRefusal {
  /** ms. */
  at: number;
  reason: 'token' | 'invalid';
  /** Host of the sending page; null when unknown. */
  host: string | null;
  contentType: string | null;
}

/** Data of the install card. */
export interface Install {
  /** Public token to paste. */
  token: string;
  /** Address to paste: where the clients send to. */
  host: string;
  /** Any event at all was stored. */
  receivedAny: boolean;
  /** The first event from outside Luneta's own screens. */
  outside: { at: number; event: string } | null;
  /** The newest problem of the last day. */
  lastProblem: { reason: string; at: number; sample: JsonObject } | null;
  /** The newest refused request of the last day that may have been meant for this project. */
  refusal: RecentRefusal | null;
  /** Events were stored, all of them from bots. */
  onlyBots: boolean;
  /** A path that can stand in place of `/ingest`. */
  alias: string;
}

export const ingestionInput = z.object({ project: z.string().check(z.minLength(1), z.maxLength(64)) });

/** One minute of ingestion: events by outcome, or refused requests by reason. */
export interface IngestMinute {
  at: number;
  outcomes: Record<string, number>;
}

/** Delivery guarantee of a 200 while the database is unavailable. */
export type Guarantee = 'durable' | 'rescue' | 'none';

/** How intake goes at this moment, over all processes. */
export interface IngestStatus {
  /** The database is being written to, or events go to the spool, in some process at least. */
  isStoring: boolean;
  /** It is not, because the database answers too late; false where it does not answer. */
  isSlow: boolean;
  guarantee: Guarantee;
  /** Events on disks that are not in the database yet; null where there is no spool. */
  spool: { events: number; bytes: number; oldestAt: number | null } | null;
  /** Time from taking an event in to its commit, over the last minute: ms. */
  latencyMs: { p50: number; p99: number } | null;
}

export interface Ingestion extends IngestStatus {
  /** Server time of this answer, ms. */
  at: number;
  /** The last hour, oldest first, without empty minutes. */
  minutes: IngestMinute[];
  /** Drops and warnings of the last 24 hours, the most frequent first. */
  problems: IngestProblem[];
  /** Requests of the last hour that were refused as a whole, of whichever project, as `minutes`; null for who may not see that. */
  refused: IngestMinute[] | null;
}
