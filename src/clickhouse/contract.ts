/** Copying to ClickHouse as the operator sees it. Read by the browser, so no imports from the server. */

export interface DroppedMonthStatus {
  /** YYYY-MM */
  month: string;
  /** When it was dropped, ms. */
  at: number;
  /** Then. */
  events: number;
  /** ClickHouse does not have all of them. */
  isLost: boolean;
}

export interface ClickhouseStatus {
  /** Events that are copied. */
  events: number;
  /** Events that wait to be copied; `isMore`: at least so many. */
  backlog: number;
  isMore: boolean;
  /** When everything was copied last, ms; null: never yet. */
  caughtUpAt: number | null;
  /** Why the last attempt failed; null: it did not. */
  error: string | null;
  errorAt: number | null;
  /** How many projects run their insights there. */
  projects: number;
  /** Months whose single events PostgreSQL does not have any more, the oldest first. */
  dropped: DroppedMonthStatus[];
}

/** A copy that was complete within this time answers queries. */
export const MAX_COPY_LAG_MS = 60_000;

/** A project's insights on ClickHouse, as its admins see it: nothing of other projects. */
export interface ProjectCopy {
  /** Server time of this answer, ms. */
  at: number;
  /** The project's insights are to run there. */
  isOn: boolean;
  /** They do: the copy is recent enough. */
  isUsed: boolean;
  /** Everything that was stored by then is copied, ms; null: not yet. */
  copiedUntil: number | null;
  /** Events of the project that wait to be copied; `isMore`: at least so many. */
  waiting: number;
  isMore: boolean;
  /** The last attempt failed. */
  isFailing: boolean;
}
