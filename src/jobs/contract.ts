/** Recurring work as the screens show it. Read by the browser, so no imports from the server. */

export type JobInterval = 'minute' | 'hour' | 'day';

export interface JobStatus {
  name: string;
  every: JobInterval;
  /** ms since 1970; null: never. */
  startedAt: number | null;
  succeededAt: number | null;
  isRunning: boolean;
  tookMs: number | null;
  /** Consecutive failures, and the last error message. */
  failures: number;
  error: string | null;
}
