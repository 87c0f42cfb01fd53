/** Copying to ClickHouse as the operator sees it. Read by the browser, so no imports from the server. */

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
}
