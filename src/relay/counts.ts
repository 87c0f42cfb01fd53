/**
 * Counters of relay and mirror over all processes, ended ones included. Each process overwrites its row with its totals,
 * so that a statement can be repeated after a lost response. Changes of the queue are counted by the statement that
 * makes them, in the shared row. Owner of `relay_counts`.
 */
import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import type { Clock } from '#src/kit/clock.ts';
import type { Log } from '#src/kit/log.ts';
import { dayMs } from '#src/kit/zone.ts';
import type { RelayProblem } from './contract.ts';
import { toRelayProblem } from './problems.ts';

export type Counted = 'passed' | 'failed' | 'skipped';

export interface RelayTotals extends Record<Counted, number> {
  /** Time of the first count, ms; null without counts. */
  since: number | null;
  lastProblem: RelayProblem | null;
}

export interface RelayCounts {
  count(what: Counted): void;
  problem(message: string): void;
  /** The others' counts as they were written last, with this process's as they are. @throws while the database is away */
  read(): Promise<RelayTotals>;
  /** Scheduled job: adds rows of ended processes to the shared row. */
  fold(): Promise<void>;
  /** Writes what was counted last. Never throws. */
  stop(): Promise<void>;
}

/** Id of the shared row: counts of the queue and of ended processes. */
export const NOBODY = '00000000-0000-0000-0000-000000000000';

const FLUSH_MS = 1_000;
const FOLD_AFTER_MS = 7 * dayMs;

interface Own extends Record<Counted, number> {
  process: string;
  beganAt: number;
  writtenAt: number;
  /** The row's content as last written. */
  written: Record<Counted, number>;
  lastProblem: KeptProblem | null;
}

/** Stored form. */
type KeptProblem = Pick<RelayProblem, 'at' | 'message'>;

export function createCounts({ write, clock, log }: { write: Pool; clock: Clock; log: Log }): RelayCounts {
  let own = newOwn();
  let isChanged = false;
  let isWriting = false;
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<void> = Promise.resolve();

  function newOwn(): Own {
    const now = clock.now();
    const nothing = { passed: 0, failed: 0, skipped: 0 };
    return { process: randomUUID(), beganAt: now, writtenAt: now, written: nothing, ...nothing, lastProblem: null };
  }

  /** The counters to change. A row that was not written for a day may be folded soon: the next count starts a new one. */
  function changing(): Own {
    if (!isChanged && !isWriting && clock.now() - own.writtenAt > dayMs) own = newOwn();
    writeSoon();
    return own;
  }

  function writeSoon(): void {
    isChanged = true;
    timer ??= setTimeout(() => void flush(), FLUSH_MS).unref();
  }

  function flush(): Promise<void> {
    if (timer) clearTimeout(timer);
    timer = null;
    writing = writing.then(writeOwn);
    return writing;
  }

  async function writeOwn(): Promise<void> {
    if (!isChanged) return;
    isChanged = false;
    isWriting = true;
    const now = clock.now();
    const { process, passed, failed, skipped, lastProblem, beganAt } = own;
    try {
      await write.query(
        `insert into relay_counts (process, passed, failed, skipped, problem_at, problem, began_at, touched_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8)
         on conflict (process) do update
           set passed = excluded.passed, failed = excluded.failed, skipped = excluded.skipped,
               problem_at = excluded.problem_at, problem = excluded.problem, touched_at = excluded.touched_at`,
        [
          process,
          passed,
          failed,
          skipped,
          lastProblem && new Date(lastProblem.at),
          lastProblem?.message ?? null,
          new Date(beganAt),
          new Date(now),
        ],
      );
      own.writtenAt = now;
      own.written = { passed, failed, skipped };
    } catch (error) {
      log.debug({ err: error }, 'failed to write relay counts; will retry');
      writeSoon();
    } finally {
      isWriting = false;
    }
  }

  return {
    count(what) {
      changing()[what]++;
    },
    problem(message) {
      changing().lastProblem = { at: clock.now(), message };
    },
    async read() {
      const { rows } = await write.query<AllRows>(
        `select coalesce(sum(passed) filter (where process <> $1), 0)::float8 as passed,
                coalesce(sum(failed) filter (where process <> $1), 0)::float8 as failed,
                coalesce(sum(skipped) filter (where process <> $1), 0)::float8 as skipped,
                coalesce(bool_or(process = $1), false) as "isThere", min(began_at) as "beganAt", max(problem_at) as "problemAt",
                (array_agg(problem order by problem_at desc) filter (where problem_at is not null))[1] as problem
           from relay_counts`,
        [own.process],
      );
      const { isThere, beganAt, problemAt, problem, ...others } = rows[0] ?? NO_ROWS;
      // A missing row was folded: its counts are among the others.
      const total = (what: Counted) => others[what] + own[what] - (isThere ? 0 : own.written[what]);
      const hasOwn = own.passed + own.failed + own.skipped > 0;
      const theirs = problemAt === null ? null : { at: problemAt, message: problem ?? '' };
      const last = (own.lastProblem?.at ?? 0) >= (theirs?.at ?? 0) ? own.lastProblem : theirs;
      return {
        passed: total('passed'),
        failed: total('failed'),
        skipped: total('skipped'),
        since: hasOwn ? Math.min(own.beganAt, beganAt ?? own.beganAt) : beganAt,
        lastProblem: last && toRelayProblem(last),
      };
    },
    async fold() {
      const before = new Date(clock.now() - FOLD_AFTER_MS);
      await write.query(
        `with over as (delete from relay_counts where process <> $1 and touched_at < $2 returning *)
         insert into relay_counts as nobody (process, passed, failed, skipped, problem_at, problem, began_at, touched_at)
         select $1, sum(passed), sum(failed), sum(skipped), max(problem_at),
                (array_agg(problem order by problem_at desc) filter (where problem_at is not null))[1],
                min(began_at), max(touched_at)
           from over having count(*) > 0
         on conflict (process) do update
           set passed = nobody.passed + excluded.passed, failed = nobody.failed + excluded.failed,
               skipped = nobody.skipped + excluded.skipped, began_at = least(nobody.began_at, excluded.began_at),
               problem = case when excluded.problem_at >= coalesce(nobody.problem_at, '-infinity')
                              then excluded.problem else nobody.problem end,
               problem_at = greatest(nobody.problem_at, excluded.problem_at)`,
        [NOBODY, before],
      );
    },
    stop: flush,
  };
}

interface AllRows extends Record<Counted, number> {
  /** True when this process's row exists. */
  isThere: boolean;
  beganAt: number | null;
  problemAt: number | null;
  problem: string | null;
}

const NO_ROWS: AllRows = {
  passed: 0,
  failed: 0,
  skipped: 0,
  isThere: false,
  beganAt: null,
  problemAt: null,
  problem: null,
};
