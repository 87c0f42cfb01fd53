/**
 * Reports of processes in PostgreSQL, so that screens show the same from every process, and after a restart. A room
 * reports its in-memory state as a *part*, as a whole: changed parts overwrite their rows every 15 seconds, or
 * within a second where it matters, so that a statement can be repeated after a lost response. Readers combine the rows of other
 * processes with this process's current state. Owner of `process_reports`.
 */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Deps } from '#src/store/deps.ts';
import { query, sql } from '#src/store/sql.ts';
import packageJson from '../../package.json' with { type: 'json' };
import type { ProcessRole, RunningProcess } from './contract.ts';
import { createReportWriter, SELF } from './report-writer.ts';

/** A process's report of one part. */
export interface Report<T> {
  process: string;
  /** When it was written, ms. */
  at: number;
  /** Not over, and heard of lately. */
  isLiving: boolean;
  says: T;
}

export interface Processes {
  /**
   * Adds a part to this process's report.
   * @param part name; must change with the format, because processes of two releases run side by side
   * @param says called on every write and read; must return JSON
   */
  tell<T>(part: string, says: () => T): void;
  /** Something changed that others should know within a second or two, or some more where that is often. Nothing before the start and after the stop. */
  soon(): void;
  /** All processes' reports of a part, also of those that ended within a day. @throws while the database is unavailable */
  read<T>(part: string): Promise<Report<T>[]>;
  /** Running processes, the longest uptime first. @throws while the database is unavailable */
  running(): Promise<RunningProcess[]>;
  /** This process's current report, for its threads. */
  reportNow(part: string): LiveReport;
  /** Starts to write periodically. */
  start(): void;
  /** Recurring work: forgets processes that have been over for a day. */
  tidy(): Promise<void>;
  /** Writes a last time. Never throws. */
  stop(): Promise<void>;
}

/** A process's current report of a part; undefined: none. */
export interface LiveReport {
  process: string;
  says: unknown;
}

interface Pace {
  beatMs: number;
  soonMs: number;
  /** Requests for it all the time, such as an attacker's, have it written so seldom. */
  oftenMs: number;
}

const defaultPace: Pace = { beatMs: 15_000, soonMs: 1_000, oftenMs: 5_000 };
/** A process that was silent for so long counts as dead. */
const SILENT_MS = 60_000;
const FORGET_AFTER_MS = 25 * 3_600_000;

/**
 * @param main the main thread's reports, for a thread that reports parts of the same process
 */
export function createProcesses(
  { db, write, clock, log }: Pick<Deps, 'db' | 'write' | 'clock' | 'log'>,
  role: ProcessRole = 'web',
  pace: Pace = defaultPace,
  main?: (part: string) => Promise<LiveReport>,
): Processes {
  const own = randomUUID();
  const parts = new Map<string, () => unknown>();
  const reports = createReportWriter({ write, clock, log }, own);
  let beat: NodeJS.Timeout | null = null;
  let timer: NodeJS.Timeout | null = null;
  /** When it was last written between beats. */
  let hastenedAt = Number.NEGATIVE_INFINITY;
  let writing: Promise<void> = Promise.resolve();

  const startedAt = clock.now();
  let rssBytes = 0;
  function self(): RunningProcess {
    try {
      rssBytes = process.memoryUsage.rss();
    } catch (error) {
      // It is read from a file, and there may be no room for another open one: what it was last.
      log.debug({ err: error }, 'failed to read process memory usage');
    }
    return {
      role,
      host: hostname(),
      version: packageJson.version,
      node: process.versions.node,
      startedAt,
      rssBytes,
    };
  }

  function tell<T>(part: string, says: () => T): void {
    parts.set(part, says);
  }
  if (!main) tell(SELF, self);

  /** Never rejects. */
  function flush(isOver: boolean): Promise<void> {
    if (timer) clearTimeout(timer);
    timer = null;
    writing = writing
      .then(() => reports.write(parts, isOver))
      .catch((error: unknown) => {
        log.debug({ err: error }, 'failed to write the process report; will retry');
        // Not at the next beat: a process that was silent for long counts as dead until then.
        hastenedAt = Number.NEGATIVE_INFINITY;
        soon();
      });
    return writing;
  }

  function soon(): void {
    if (beat === null || timer !== null) return;
    const waitMs = Math.max(pace.soonMs, hastenedAt + pace.oftenMs - clock.elapsed());
    timer = setTimeout(() => {
      hastenedAt = clock.elapsed();
      void flush(false);
    }, waitMs).unref();
  }

  function reportNow(part: string): LiveReport {
    return { process: own, says: parts.get(part)?.() };
  }

  async function read<T>(part: string): Promise<Report<T>[]> {
    const now = clock.now();
    const beside = await main?.(part);
    const others = await query<Report<T>>(
      db,
      sql`
      select process, at, says, heard_at > ${new Date(now - SILENT_MS)} and not is_over as "isLiving"
        from (select process, part, at, says, max(at) over (partition by process) as heard_at,
                     bool_or(is_over) over (partition by process) as is_over
                from process_reports) as reports
       where part = ${part} and process <> ${own} and process <> ${beside?.process ?? own}
       order by process`,
    );
    const here = [reportNow(part), ...(beside ? [beside] : [])].filter(({ says }) => says !== undefined);
    return [...here.map(({ process, says }) => ({ process, at: now, isLiving: true, says: says as T })), ...others];
  }

  return {
    tell,
    read,
    reportNow,
    soon,
    async running() {
      const all = await read<RunningProcess>(SELF);
      const living = all.filter(({ isLiving }) => isLiving).map(({ says }) => says);
      return living.sort((one, other) => one.startedAt - other.startedAt);
    },
    start() {
      beat ??= setInterval(() => void flush(false), pace.beatMs).unref();
      void flush(false);
    },
    async tidy() {
      const before = new Date(clock.now() - FORGET_AFTER_MS);
      await query(
        db,
        sql`delete from process_reports where process in
          (select process from process_reports group by process having max(at) < ${before})`,
      );
    },
    async stop() {
      if (beat) clearInterval(beat);
      beat = null;
      await flush(true);
    },
  };
}
