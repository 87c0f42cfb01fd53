/** How the installation itself is doing, as its operator sees it. Read by the browser, so no imports from the server. */
import type { ClickhouseStatus } from '#src/clickhouse/contract.ts';
import type { RefusalReason } from '#src/collect/contract.ts';
import type { JobStatus } from '#src/jobs/contract.ts';
import type { RunningProcess } from '#src/processes/contract.ts';

/** Size of a project. Tables are shared, so bytes are its share by events. */
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

export const sizeParts = [
  'events',
  'columns',
  'sessions',
  'persons',
  'groups',
  'recordings',
  'ledger',
  'other',
] as const;
/** `columns`: the events once more, for questions. `groups`: property groups and groups of people. `ledger`: uuids of the last weeks. */
export type SizePart = (typeof sizeParts)[number];

/** Size of one kind of data, indexes included. */
export interface PartSize {
  part: SizePart;
  bytes: number;
  indexBytes: number;
  /** Mean of up to four weeks; null before the second day. Negative when it shrinks. */
  bytesPerDay: number | null;
}

/** A question that took long, in any process. Text with placeholders: never what someone asked for. */
export interface SlowQuestion {
  /** When the longest of them was asked. */
  at: number;
  tookMs: number;
  /** How often it took long. */
  times: number;
  sql: string;
}

export interface DiskState {
  /** User of the disk. */
  what: 'database' | 'spool';
  /** The folder; null where the size is given by DATABASE_DISK_GB. */
  path: string | null;
  freeBytes: number;
  totalBytes: number;
  /** Days until it is full at the present growth; null when it does not grow. */
  daysLeft: number | null;
}

/** Connections to PostgreSQL. */
export interface ConnectionState {
  /** Maximum connections of this process; null: unknown. */
  limit: number | null;
  /** Attempts that the server refused because it had none left, of all processes since their start, and the last of them. */
  refused: number;
  lastRefusedAt: number | null;
}

export const statusWarnings = [
  'disk',
  'spool',
  'jobs',
  'behind',
  'secret',
  'connections',
  'clickhouse',
  'lostMonths',
] as const;
/**
 * `disk` has little room left; events wait in the `spool`; `jobs` fail; the schema is `behind` the
 * program; the `secret` that signs sessions lies in the database; the server refused `connections` within the last hour;
 * copying to `clickhouse` fails or lags; ClickHouse has lost events of months that it alone had (`lostMonths`).
 */
export type StatusWarning = (typeof statusWarnings)[number];

export interface Status {
  /** Server time of this answer, ms. */
  at: number;
  version: string;
  node: string;
  postgres: string;
  /** Running processes, the longest uptime first. */
  processes: RunningProcess[];
  migrations: { applied: number; known: number; last: string };
  databaseBytes: number;
  /** Largest first; together the whole database. */
  sizes: PartSize[];
  /** Largest first. */
  projects: ProjectSize[];
  disks: DiskState[];
  /** Longest first, of the last day. */
  slow: SlowQuestion[];
  jobs: JobStatus[];
  /** Requests to `/ingest` refused as a whole within the last day, the most frequent first. */
  refused: { reason: RefusalReason; times: number }[];
  /** Events on the disks of all processes that are not in the database yet; null where there is no spool. */
  spool: { events: number; bytes: number; oldestAt: number | null } | null;
  mail: { isSetUp: boolean; from: string | null };
  connections: ConnectionState;
  /** Null without CLICKHOUSE_URL. */
  clickhouse: ClickhouseStatus | null;
  warnings: StatusWarning[];
}
