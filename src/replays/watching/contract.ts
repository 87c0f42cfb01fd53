/** Recordings as people look for them and watch them. Read by the browser, so zod/mini only. */
import * as z from 'zod/mini';
import { filters } from '#src/columns/contract.ts';
import { peopleQuery } from '#src/insights/query/people/contract.ts';
import { storedName } from '#src/kit/name.ts';
import { rangeInput } from '#src/kit/range.ts';
import { rowId } from '#src/kit/row.ts';
import {
  MAX_COMMENT_LENGTH,
  MAX_REPLAY_PAGE,
  MAX_REPLAY_SEARCH,
  MAX_REPLAY_SECONDS,
  replayShows,
  replaySorts,
} from './values.ts';

const project = z.string().check(z.minLength(1), z.maxLength(64));
const session = z.guid();
const seconds = z.int().check(z.minimum(0), z.maximum(MAX_REPLAY_SECONDS));

export const replayListInput = z.object({
  project,
  range: rangeInput,
  /** An event of the session fulfils them. */
  filters: z.optional(filters),
  people: z.optional(peopleQuery),
  /** Number of a segment of the project: its filters have to be fulfilled too. */
  segment: z.optional(rowId),
  /** An event of the session has this name. */
  event: z.optional(storedName),
  /** Part of a distinct id, of a page, or a session id. */
  search: z.optional(z.string().check(z.trim(), z.maxLength(MAX_REPLAY_SEARCH))),
  /** Recordings of this person. */
  person: z.optional(z.uuid()),
  minSeconds: z.optional(seconds),
  maxSeconds: z.optional(seconds),
  show: z._default(z.enum(replayShows), 'all'),
  sort: z._default(z.enum(replaySorts), 'newest'),
  page: z._default(z.int().check(z.minimum(0), z.maximum(MAX_REPLAY_PAGE)), 0),
});
export type ReplayListInput = z.output<typeof replayListInput>;
export type ReplayListQuery = Omit<ReplayListInput, 'project' | 'segment'>;

export const replayRef = z.object({ project, session });

/** Sessions of which it is asked whether they are recorded. */
export const recordedInput = z.object({ project, sessions: z.array(session).check(z.minLength(1), z.maxLength(200)) });

/** People of whom it is asked whether they were recorded. */
export const recordedPeopleInput = z.object({
  project,
  persons: z.array(z.uuid()).check(z.minLength(1), z.maxLength(200)),
});

export const replayCommentInput = z.object({
  project,
  session,
  /** The moment, ms after the beginning of the recording. */
  at: z.int().check(z.minimum(0), z.maximum(MAX_REPLAY_SECONDS * 1000)),
  text: z.string().check(z.trim(), z.minLength(1, 'Required.'), z.maxLength(MAX_COMMENT_LENGTH)),
});

export const replayCommentRef = z.object({ project, session, comment: rowId });

/** A recording in a list. Times are ms. */
export interface ReplaySummary {
  session: string;
  /** Null: unknown, or not for the reader. */
  person: { uuid: string; identified: boolean; label: string | null; distinctId: string } | null;
  firstAt: number;
  lastAt: number;
  /** Of activity: pointing, typing, scrolling. */
  activeSeconds: number;
  clicks: number;
  keys: number;
  errors: number;
  rageClicks: number;
  /** Number of pages. */
  pages: number;
  /** Paths of the first page and of the last known one. */
  entryPath: string | null;
  exitPath: string | null;
  country: string | null;
  city: string | null;
  device: string | null;
  browser: string | null;
  os: string | null;
  /** Of the first window, CSS px. */
  width: number | null;
  windows: number;
  /** The reader has watched it. */
  isWatched: boolean;
}

export interface ReplayList {
  replays: ReplaySummary[];
  /** Matching recordings on all pages. */
  total: number;
  counts: { unwatched: number; errors: number; rage: number };
  people: number;
  /** Median of their durations, seconds. */
  medianSeconds: number | null;
  /** False: the project has no recordings at all. */
  hasAny: boolean;
}

/** A piece of a recording. Times are ms by our clock. */
export interface ReplayBlock {
  window: string;
  /** Place among the blocks of all windows. */
  seq: number;
  fromAt: number;
  toAt: number;
  /** Begins with a full snapshot: playing can start here. */
  hasFull: boolean;
  bytes: number;
}

export interface ReplayDetail extends ReplaySummary {
  blocks: ReplayBlock[];
  channel: string | null;
  /** Something came within the last minute. */
  isLive: boolean;
}

/** An event of the session. */
export interface ReplayEvent {
  ts: number;
  uuid: string;
  event: string;
  detail: string;
  /** `$window_id`; null: sent without. */
  window: string | null;
}

export interface ReplayComment {
  id: number;
  /** ms after the beginning of the recording. */
  at: number;
  text: string;
  createdAt: number;
  /** Null: the account is gone. */
  by: { id: number; name: string } | null;
  /** The reader wrote it. */
  isOwn: boolean;
}
