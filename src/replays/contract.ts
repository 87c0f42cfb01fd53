/** Session replay: recorded sessions and their blocks. Read by the browser, so zod/mini only. */
import * as z from 'zod/mini';

const project = z.string().check(z.minLength(1), z.maxLength(64));

/** A recorded session of a project; the id is the `$session_id` of its events. */
export const replayRef = z.object({ project, session: z.guid() });

/** What is known of a recorded session. Times are ms by the server's clock, as those of events. */
export interface ReplaySession {
  session: string;
  firstAt: number;
  lastAt: number;
  /** When the newest block arrived; a session that is quiet for `SESSION_QUIET_MS` is over. */
  receivedAt: number;
  /** Time with input of the visitor, without longer pauses. */
  activeMs: number;
  /** The newest distinct id. */
  distinctId: string;
  /** Number of the person, after merges; null: no event of theirs was stored. */
  person: number | null;
  clicks: number;
  keys: number;
  /** Console errors, uncaught exceptions included. */
  errors: number;
  warns: number;
  networkErrors: number;
  rageClicks: number;
  pages: number;
  /** The first pages, without the host. */
  urls: string[];
  /** Of the first viewport, CSS px; null: not known yet. */
  width: number | null;
  height: number | null;
  bytes: number;
  /** In the order of their beginning. */
  windows: ReplayWindow[];
  /** By `seq`. */
  blocks: ReplayBlock[];
}

/** A tab or window of a session. */
export interface ReplayWindow {
  id: string;
  firstAt: number;
  lastAt: number;
}

/**
 * A piece of a recording: events of one window, sorted by time. Of a session that is being recorded, blocks are listed as they arrived. Packing replaces
 * blocks by others with higher numbers, so the numbers have gaps and need not begin at 0.
 */
export interface ReplayBlock {
  window: string;
  seq: number;
  fromAt: number;
  toAt: number;
  /** Begins with a full snapshot: playing can start here. */
  hasFull: boolean;
  /** As stored. */
  bytes: number;
  /** As JSON. */
  rawBytes: number;
}

/** What a project's recordings take, measured every minute. */
export interface ReplayUsage {
  bytes: number;
  budgetBytes: number;
  sessions: number;
  /** Recorded time, seconds. */
  seconds: number;
  /** Over the last week, or since the first recording. */
  bytesPerDay: number;
  /** When the budget is used up, ms; null: with this retention it is not. */
  fullAt: number | null;
  /** `warned` from 80 %, `thinned` from 90 % of the budget on. */
  state: 'fine' | 'warned' | 'thinned';
  /** Sessions deleted for the budget. */
  dropped: number;
}
