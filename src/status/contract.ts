/** How the installation itself is doing, as its operator sees it. Read by the browser, so no imports from the server. */
import type { JobStatus } from '#src/jobs/contract.ts';

/** What one project takes. Tables are shared, so bytes are its share of them by events. */
export interface ProjectSize {
  id: number;
  name: string;
  team: string | null;
  events: number;
  bytes: number;
  /** Mean of the last seven whole days. */
  eventsPerDay: number;
  bytesPerDay: number;
}

/** A question that took long. Text with placeholders: never what somebody asked for. */
export interface SlowQuestion {
  at: number;
  tookMs: number;
  sql: string;
}

export interface DiskState {
  /** Whose disk it is. */
  what: 'database' | 'spool';
  path: string;
  freeBytes: number;
  totalBytes: number;
  /** Days until it is full at the present growth; null when it does not grow. */
  daysLeft: number | null;
}

export const statusWarnings = ['disk', 'spool', 'jobs', 'behind'] as const;
/**
 * `disk` has little room left; events wait in the `spool`; `jobs` fail; the schema is `behind` the
 * program.
 */
export type StatusWarning = (typeof statusWarnings)[number];

export interface Status {
  /** Server time of this answer, ms. */
  at: number;
  version: string;
  node: string;
  postgres: string;
  startedAt: number;
  rssBytes: number;
  migrations: { applied: number; known: number; last: string };
  databaseBytes: number;
  /** Largest first. */
  projects: ProjectSize[];
  disks: DiskState[];
  /** Longest first, of the last day. */
  slow: SlowQuestion[];
  jobs: JobStatus[];
  /** Events on disk that are not in the database yet; null where there is no spool. */
  spool: { events: number; bytes: number; oldestAt: number | null } | null;
  mail: { isSetUp: boolean; from: string | null };
  warnings: StatusWarning[];
}
