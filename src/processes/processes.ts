/**
 * What each process says of itself, in PostgreSQL, so that a screen shows the same whichever process draws it, and after a restart. A room
 * tells what is known in memory only as a *part*, as a whole: parts that changed are written over what they said before every 15 seconds, and
 * within a second where it matters, so that a statement whose answer was lost may be sent again. Readers take what the others
 * wrote and what this process says now. Owner of `process_reports`.
 */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Deps } from '#src/store/deps.ts';
import { query, sql } from '#src/store/sql.ts';
import packageJson from '../../package.json' with { type: 'json' };
import type { ProcessRole, RunningProcess } from './contract.ts';
import { createReportWriter, SELF } from './report-writer.ts';

/** What a process said of a part. */
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
   * From now on this process says this as well.
   * @param part changes when the form of its messages changes: processes of two releases run side by side
   * @param says asked whenever it is written or read; must be JSON
   */
  tell<T>(part: string, says: () => T): void;
  /** Something changed that others should know within a second or two, or some more where that is often. Nothing before the start and after the stop. */
  soon(): void;
  /** What all say of a part, also those that were over within the last day. @throws while the database is away */
  read<T>(part: string): Promise<Report<T>[]>;
  /** Those that run, the longest first. @throws while the database is away */
  running(): Promise<RunningProcess[]>;
  /** What this process says now, for a thread of it. */
  reportNow(part: string): LiveReport;
  /** Says it from now on without being asked. */
  start(): void;
  /** Recurring work: forgets processes that have been over for a day. */
  tidy(): Promise<void>;
  /** Says it for the last time. Never throws. */
  stop(): Promise<void>;
}

/** What a process says of a part at this moment; undefined: nothing. */
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
 * @param main what the process says of itself, asked by a thread of it that tells its own parts: it is no other process
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
