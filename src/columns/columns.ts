/**
 * The events once more, by columns, for counting. Owner of `chunks`, `chunk_columns` and `stale_units`, all of them derived from rows.
 * @see docs/decisions/0013-columns.md
 */
import { availableParallelism, totalmem } from 'node:os';
import type { Client } from 'pg';
import type { Config } from '#src/config.ts';
import { type DroppedRows, isDroppedDay } from '#src/events/dropped.ts';
import { type Rebuilt, rebuildDerived } from '#src/events/rebuild.ts';
import { coverNewest } from '#src/events/sealing.ts';
import { forgetOldChanges } from '#src/persons/changes.ts';
import { connectDirect } from '#src/store/db.ts';
import type { Deps } from '#src/store/deps.ts';
import { createGroups } from './conditions/groups.ts';
import { isResult } from './count/counting.ts';
import type { AnswerParts } from './queries/answer-parts.ts';
import { type ColumnQueries, columnQueries } from './queries/column-queries.ts';
import { createFirstEvents, type FirstEvents } from './queries/first-events.ts';
import { type FunnelTimes, timesOf } from './queries/funnels.ts';
import type { LastSeenSteps } from './queries/last-seen.ts';
import { isWorthwhile, resealUnit, type SealerParts, type Sealing, sealAll, withSealerLock } from './sealing/sealer.ts';
import { type Verification, verify } from './sealing/verify.ts';
import { createGroupRegistry } from './snapshot/group-numbers.ts';
import { createEventNames } from './snapshot/names.ts';
import { createSnapshots } from './snapshot/snapshots.ts';
import { createTails } from './snapshot/tail.ts';
import { createCache } from './storage/cache.ts';
import * as queries from './storage/chunk-sql.ts';
import { weighsMuch } from './storage/row-sql.ts';
import { createThreads } from './threads/threads.ts';

export type { Breakdown } from './conditions/key-places.ts';
export type { Amount, Selection } from './conditions/selections.ts';
export type { Sum } from './count/sums.ts';
export type { EventRule, PageCondition, People, PersonCriterion, Rules, SeriesRule } from './filters/rules.ts';
export type { Activity, ActivityQuery } from './queries/activities.ts';
export type { Counts, Question, SpanCounts } from './queries/answer.ts';
export type { ArmMetric, Arms, ArmsQuery, Moments } from './queries/arms.ts';
export type { Cell, CellDivision, CellStretch } from './queries/cells.ts';
export type { Conversions, SpanConversions } from './queries/conversions.ts';
export type { FiguresQuery } from './queries/figures.ts';
export type { FirstEvents } from './queries/first-events.ts';
export type { Funnel, FunnelPart, FunnelQuery } from './queries/funnels.ts';
export type { GroupFigure, GroupFiguresQuery } from './queries/group-figures.ts';
export type { LastSeenPage, LastSeenQuery } from './queries/last-seen.ts';
export type { PathStep, Paths, PathsQuery } from './queries/paths.ts';
export type { PersonNumbers } from './queries/persons.ts';
export type { PointGroups, PointPeople, PointQuestion } from './queries/point-people.ts';
export type { Presence } from './queries/presence.ts';
export type { ReadChange } from './queries/property-values.ts';
export type { RankFound, RankPlace, RankQuery } from './queries/rank-persons.ts';
export type { Retention, RetentionQuery, RetentionRow } from './queries/retentions.ts';
export type { Scope } from './queries/series.ts';
export type { Dimension, TableRow } from './queries/tables.ts';
export type { Measure, Trend, TrendRow, TrendSpan, TrendsQuery } from './queries/trends.ts';
export type { ValueSummaries, ValueSummary, ValuesQuery } from './queries/value-summaries.ts';

/** How many took how long, of the times of people from the first step of a funnel to the last, ms. */
export function funnelTimes(lists: readonly Float64Array[]): FunnelTimes | null {
  return timesOf(lists);
}

export interface Columns extends ColumnQueries {
  /**
   * The same for queries that end once the signal fires: what waits for a thread is dropped, what runs ends between two chunks, and PostgreSQL cancels
   * what reads rows for them alone. What was counted or read until then is kept, and so is what others need as well: columns of chunks, merges, rows of
   * closed epochs. @throws Cancelled by them
   */
  cancellable(signal: AbortSignal): Columns;
  /** When the project's first event happened, ms; null before it. @throws AppError `timeout` */
  firstEvent(projectId: number): Promise<number | null>;
  /** The same, and its first plausible one. @throws AppError `timeout` */
  firstEvents(projectId: number): Promise<FirstEvents>;
  /**
   * Starts the threads and warms them up, once, so that who asks soon does not wait for that; costs some 60 MB and 5 s of a processor, so
   * only where many events are stored. Never rejects.
   */
  warmUp(): Promise<void>;
  /** So many of the projects that take long to be read, those with the most events first. */
  largestProjects(most: number): Promise<number[]>;
  /** Forgets what was counted, and keeps the columns: for measuring. */
  forgetResults(): void;
  /** Bytes of columns and partial results that are kept. */
  cachedBytes(): number;
  /** Waits for what answers began and did not wait for: the closing of an epoch. Never rejects. */
  settled(): Promise<void>;
  /**
   * Scheduled job, every minute: seals new events (after five minutes, or immediately when there are many events or bytes), and compacts fragmented
   * and stale chunks. Safe beside all other work, and can be interrupted.
   */
  runMaintenance(signal?: AbortSignal): Promise<void>;
  /** Seals everything that is committed. Gives null when another process is at it. */
  seal(): Promise<Sealing | null>;
  /** Rebuilds visits, counts and all chunks from the rows. @throws while another process is sealing */
  rebuild(): Promise<Sealing & Rebuilt>;
  /** Holds chunks, visits and counts against the rows. @param onProgress called after each day and block of visits */
  verify(onProgress?: (done: number, all: number) => void): Promise<Verification>;
  /** Stops the threads. */
  stop(): Promise<void>;
}

/** Unsealed events are read row by row with each question: this many cost some 20 ms. */
const MANY_EVENTS = 10_000;
/** Their properties in no group: reading this many takes as long, when a question asks for them. */
const MANY_BYTES = 32 * 1024 * 1024;
/** Days of an earlier version's chunks that are sealed again in one round. */
const DAYS_RESEALED = 10;
const SEAL_AFTER_MS = 5 * 60_000;
/** Code that has not run yet counts fewer events than these within some milliseconds, too. */
const MANY_TO_COUNT = 20_000;
const MAX_THREADS = 4;

export interface ColumnsOptions {
  /** Threads for questions; 0: in place. As many as there are processors, up to 4, without it. */
  threads?: number;
  /** See `queryPropertyRows`. */
  mostRowsRead?: number;
  /** See `createTails`. */
  closeAt?: number;
  /** Rows sealed per step, for tests. */
  stepRows?: number;
  /** See `queryLastSeen`. */
  lastSeen?: LastSeenSteps;
  /** Where rows of dropped days are. */
  dropped?: DroppedRows | undefined;
  /** See `ThreadsOptions`. */
  onCancelled?: () => void;
}

/** Settings that matter here. */
type ColumnsConfig = Pick<Config, 'DATABASE_URL' | 'DIRECT_DATABASE_URL'> & Partial<Pick<Config, 'COLUMN_CACHE_MB'>>;

export function createColumns(
  { config, clock, db }: Pick<Deps, 'clock' | 'db'> & { config: ColumnsConfig },
  options: ColumnsOptions = {},
): Columns {
  const { onCancelled } = options;
  const threads = createThreads(options.threads ?? Math.min(availableParallelism(), MAX_THREADS), { onCancelled });

  async function withClient<Result>(work: (client: Client) => Promise<Result>): Promise<Result> {
    const client = await connectDirect(config, () => undefined); // the next query reports it
    try {
      await client.query('set jit = off');
      return await work(client);
    } finally {
      await client.end();
    }
  }

  async function tendWith(parts: SealerParts, signal: AbortSignal | undefined): Promise<void> {
    const { client } = parts;
    const stale = await queries.allStaleUnits(client);
    if (stale.length > 0) await sealAll(parts, options.stepRows);
    for (const unit of stale) {
      if (signal?.aborted) return;
      await resealUnit(parts, unit);
    }
    await queries.forgetOldGroupMarks(client);
    await forgetOldChanges(client, clock.now());
    await coverNewest(client, clock.now()).catch(() => undefined); // in a minute, then
    for (;;) {
      const { waiting, sealedAt } = await queries.unsealed(client, MANY_EVENTS);
      const isDue = sealedAt === null || clock.now() - sealedAt >= SEAL_AFTER_MS || clock.now() < sealedAt;
      if (signal?.aborted || waiting === 0) break;
      if (waiting < MANY_EVENTS && !isDue && !(await weighsMuch(client, MANY_EVENTS, MANY_BYTES))) break;
      await sealAll(parts, options.stepRows);
    }
    for (const day of await queries.daysInPieces(client)) {
      if (signal?.aborted) return;
      if (isWorthwhile(day, clock.now())) await resealUnit(parts, { ...day, kind: queries.EVENTS, marks: [] });
    }
    for (const day of await queries.daysLackingProperties(client, DAYS_RESEALED)) {
      if (signal?.aborted) return;
      await resealUnit(parts, { ...day, marks: [] });
    }
  }

  const cache = createCache(cacheBytes(config));
  const tails = createTails({ db, cache, clock }, options.closeAt);
  const firstEvents = createFirstEvents(db);
  const snapshots = createSnapshots(db, tails, threads.breathe);
  const parts: AnswerParts = {
    db,
    snapshots,
    tails,
    threads,
    cache,
    groups: createGroups(),
    registry: createGroupRegistry(),
    names: createEventNames(),
    mostRowsRead: options.mostRowsRead,
  };
  const columns: Columns = {
    ...columnQueries(parts, options.lastSeen),
    cancellable: (signal) => ({
      ...columns,
      ...columnQueries({ ...parts, threads: threads.cancellable(signal), ending: signal }, options.lastSeen),
    }),
    firstEvent: (projectId) => firstEvents.first(projectId),
    firstEvents: (projectId) => firstEvents.of(projectId),
    async warmUp() {
      // Where the database is away nobody is answered soon.
      const areMany = await queries.areSealed(db, MANY_TO_COUNT).catch(() => false);
      if (areMany) await threads.warmUp();
    },
    largestProjects: (most) => queries.largestProjects(db, most, MANY_TO_COUNT),
    forgetResults: () => cache.forget(isResult),
    cachedBytes: () => cache.bytes,
    async runMaintenance(signal) {
      await withClient((client) =>
        withSealerLock(client, () => tendWith({ client, threads, clock, dropped: options.dropped }, signal)),
      );
    },
    seal() {
      return withClient((client) =>
        withSealerLock(client, () => sealAll({ client, threads, clock }, options.stepRows)),
      );
    },
    async rebuild() {
      const done = await withClient((client) =>
        withSealerLock(client, async () => {
          const rebuilt = await rebuildDerived(client);
          await queries.forgetAll(client);
          const stale = await queries.allStaleUnits(client);
          // In one piece: what is read in steps lies in small chunks.
          const sealing = await sealAll({ client, threads, clock }, Number.POSITIVE_INFINITY);
          for (const unit of stale) {
            const isDropped = unit.kind === queries.EVENTS && (await isDroppedDay(client, unit.projectId, unit.unit));
            if (!isDropped) await queries.unmark(client, unit);
          }
          return { ...rebuilt, ...sealing };
        }),
      );
      if (done === null) throw new Error('Another process is sealing. Try again in a moment.');
      return done;
    },
    verify: (onProgress) => withClient((client) => verify(client, onProgress)),
    settled: tails.settled,
    async stop() {
      await tails.settled();
      await threads.stop();
    },
  };
  return columns;
}

const MEGABYTE = 1024 * 1024;

/** The configured size, else a quarter of the memory, at most 256 MB. */
function cacheBytes({ COLUMN_CACHE_MB }: ColumnsConfig): number {
  if (COLUMN_CACHE_MB !== undefined) return COLUMN_CACHE_MB * MEGABYTE;
  const limit = process.constrainedMemory();
  const memory = limit > 0 ? Math.min(limit, totalmem()) : totalmem();
  return Math.min(256 * MEGABYTE, memory / 4);
}
