/**
 * How the installation itself is doing: what runs, how much it keeps and how fast that grows, what is slow, what waits, and what its
 * operator should look at before it hurts. Owns no table: sizes are sampled by src/store/sizes.ts.
 */
import type { Clickhouse } from '#src/clickhouse/clickhouse.ts';
import type { ClickhouseStatus } from '#src/clickhouse/contract.ts';
import type { Collect } from '#src/collect/collect.ts';
import type { RefusalReason } from '#src/collect/contract.ts';
import type { ScreenExplanation } from '#src/insights/explain/contract.ts';
import type { Jobs } from '#src/jobs/jobs.ts';
import { dayMs, hourMs } from '#src/kit/zone.ts';
import type { Mail } from '#src/mail/mail.ts';
import type { Processes } from '#src/processes/processes.ts';
import type { RefusedConnections } from '#src/store/connection-wait.ts';
import type { Deps } from '#src/store/deps.ts';
import { isDatabaseHere } from '#src/store/here.ts';
import { knownMigrations } from '#src/store/migrations.ts';
import type { Sizes } from '#src/store/sizes.ts';
import packageJson from '../../package.json' with { type: 'json' };
import type {
  ConnectionState,
  DiskState,
  PartSize,
  ProjectSize,
  Status as StatusAnswer,
  StatusWarning,
} from './contract.ts';
import { explainStatus } from './explain.ts';
import * as queries from './queries.ts';
import { watchQuestions } from './slow-questions.ts';

export interface Status {
  read(): Promise<StatusAnswer>;
  /** How its numbers are counted. */
  explain(): ScreenExplanation<'status'>;
  stop(): void;
}

export interface StatusParts {
  collect: Pick<Collect, 'current' | 'refusals'> | null;
  jobs: Pick<Jobs, 'status'>;
  mail: Pick<Mail, 'status'>;
  processes: Pick<Processes, 'tell' | 'read' | 'running'>;
  /** Connections that the server refused to this thread. */
  refused: Pick<RefusedConnections, 'stats'>;
  sizes: Pick<Sizes, 'read'>;
  /** Null without CLICKHOUSE_URL. */
  clickhouse?: Pick<Clickhouse, 'status'> | null;
  /** Spool folder of this process; null: none. */
  spoolDir(): Promise<string | null>;
}

/** One process's counts of refused connections. */
type Refusals = ReturnType<RefusedConnections['stats']>;
const REFUSALS = 'refused-connections';

const GROWTH_DAYS = 7;
/** A disk is reported as full with less than this free, or less than a tenth, or when it would fill within a fortnight. */
const MIN_FREE_BYTES = 1_000_000_000;
const MIN_FREE_SHARE = 0.1;
const MIN_DAYS = 14;
/** Beyond it copying to ClickHouse is reported as lagging. */
const MAX_LAG_MS = 5 * 60_000;
const BYTES_PER_GB = 1_000_000_000;

export function createStatus(deps: Pick<Deps, 'config' | 'db' | 'clock' | 'fs'>, parts: StatusParts): Status {
  const { config, db, clock, fs } = deps;
  const { collect, jobs, mail, processes, sizes, spoolDir } = parts;
  processes.tell<Refusals>(REFUSALS, parts.refused.stats);
  const questions = watchQuestions(db, clock, processes);

  /** Null where there is no such folder on this machine. */
  async function diskOf(what: DiskState['what'], path: string, bytesPerDay: number): Promise<DiskState | null> {
    try {
      const { bavail, bsize, blocks } = await fs.promises.statfs(path);
      return diskState(what, path, { freeBytes: bavail * bsize, totalBytes: blocks * bsize, bytesPerDay });
    } catch {
      return null;
    }
  }

  /** The configured size, or the disk of the server's data folder when it is on this machine. */
  function databaseDisk({ bytes, folder }: queries.DatabaseRow, bytesPerDay: number) {
    const { DATABASE_DISK_GB: limit } = config;
    if (limit !== undefined) {
      const totalBytes = limit * BYTES_PER_GB;
      return diskState('database', null, { freeBytes: Math.max(totalBytes - bytes, 0), totalBytes, bytesPerDay });
    }
    return folder === null || !isDatabaseHere(config) ? null : diskOf('database', folder, bytesPerDay);
  }

  return {
    async read() {
      const at = clock.now();
      const week = weekBefore(at);
      const [database, rows, partSizes, jobStates, running, slow, refusals, now, refused, copied] = await Promise.all([
        queries.database(db),
        queries.projects(db, week.from, week.until),
        sizes.read(),
        jobs.status(),
        processes.running(),
        questions.list(),
        processes.read<Refusals>(REFUSALS),
        collect?.current(),
        // Whole hours: the one that has begun, and those before it.
        collect?.refusals.count(at - (at % hourMs) - dayMs + hourMs),
        parts.clickhouse?.status(),
      ]);
      const projects = sizesOf(rows, database.event_bytes);
      const perDay = growthOf(partSizes) ?? projects.reduce((sum, { bytesPerDay }) => sum + bytesPerDay, 0);
      // Only this process's spool: others may be on other machines.
      const dir = await spoolDir();
      const disks = await Promise.all([databaseDisk(database, perDay), dir === null ? null : diskOf('spool', dir, 0)]);
      const answer = {
        at,
        version: packageJson.version,
        node: process.versions.node,
        postgres: database.version,
        processes: running,
        migrations: { applied: database.applied, known: knownMigrations, last: database.last },
        databaseBytes: database.bytes,
        sizes: partSizes,
        projects,
        disks: disks.filter((disk) => disk !== null),
        slow,
        jobs: jobStates,
        refused: Object.entries(refused ?? {})
          .map(([reason, times]) => ({ reason: reason as RefusalReason, times }))
          .sort((one, other) => other.times - one.times),
        spool: now?.spool ?? null,
        mail: mail.status(),
        connections: connectionsOf(
          refusals.map(({ says }) => says),
          config.DATABASE_CONNECTIONS ?? null,
        ),
        clickhouse: copied ?? null,
      };
      return { ...answer, warnings: warningsOf(answer, config.AUTH_SECRET === undefined) };
    },
    explain: () => explainStatus(clock.now(), weekBefore(clock.now())),
    stop: questions.stop,
  };
}

/** The last whole days. */
function weekBefore(at: number): { from: number; until: number } {
  const until = at - (at % dayMs);
  return { from: until - GROWTH_DAYS * dayMs, until };
}

function sizesOf(rows: queries.ProjectRow[], eventBytes: number): ProjectSize[] {
  const all = rows.reduce((sum, { events }) => sum + events, 0);
  const bytesPerEvent = all === 0 ? 0 : eventBytes / all;
  return rows.map(({ id, name, team, events, recent }) => ({
    id,
    name,
    team,
    events,
    bytes: Math.round(events * bytesPerEvent),
    eventsPerDay: Math.round(recent / GROWTH_DAYS),
    bytesPerDay: Math.round((recent / GROWTH_DAYS) * bytesPerEvent),
  }));
}

/** Copying fails, or has not come to its end for some minutes. */
function isBehind({ error, caughtUpAt }: ClickhouseStatus, at: number): boolean {
  return error !== null || (caughtUpAt !== null && at - caughtUpAt > MAX_LAG_MS);
}

/** Bytes a day of the whole database; null before it was measured twice. */
function growthOf(sizes: readonly PartSize[]): number | null {
  let sum = 0;
  for (const { bytesPerDay } of sizes) {
    if (bytesPerDay === null) return null;
    sum += bytesPerDay;
  }
  return sum;
}

function diskState(
  what: DiskState['what'],
  path: string | null,
  { freeBytes, totalBytes, bytesPerDay }: { freeBytes: number; totalBytes: number; bytesPerDay: number },
): DiskState {
  const daysLeft = bytesPerDay > 0 ? Math.floor(freeBytes / bytesPerDay) : null;
  return { what, path, freeBytes, totalBytes, daysLeft };
}

function connectionsOf(refusals: readonly Refusals[], limit: number | null): ConnectionState {
  const moments = refusals.flatMap(({ lastAt }) => lastAt ?? []);
  return {
    limit,
    refused: refusals.reduce((sum, { times }) => sum + times, 0),
    lastRefusedAt: moments.length === 0 ? null : Math.max(...moments),
  };
}

function warningsOf(
  { at, disks, spool, jobs, migrations, connections, clickhouse }: Omit<StatusAnswer, 'warnings'>,
  isSecretStored: boolean,
): StatusWarning[] {
  const isFull = ({ freeBytes, totalBytes, daysLeft }: DiskState) =>
    freeBytes < MIN_FREE_BYTES || freeBytes < totalBytes * MIN_FREE_SHARE || (daysLeft ?? MIN_DAYS) < MIN_DAYS;
  const hasLost = clickhouse?.dropped.some(({ isLost }) => isLost) ?? false;
  const found: [StatusWarning, boolean][] = [
    ['disk', disks.some(isFull)],
    ['spool', (spool?.events ?? 0) > 0],
    ['jobs', jobs.some(({ failures }) => failures > 0)],
    ['behind', migrations.applied < migrations.known],
    ['secret', isSecretStored],
    ['lostMonths', hasLost],
    ['clickhouse', clickhouse !== null && !hasLost && isBehind(clickhouse, at)],
    ['connections', at - (connections.lastRefusedAt ?? Number.NEGATIVE_INFINITY) < hourMs],
  ];
  return found.flatMap(([warning, holds]) => (holds ? warning : []));
}
