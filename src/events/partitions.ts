/**
 * Partitions of `events` (months, UTC) and of the uuid ledger (weeks). Created ahead by a job and on demand before a batch; safe
 * for concurrent processes. Events outside the last ten years go to the default partition, so that a client
 * with a wrong clock cannot create unlimited partitions.
 */
import type { Pool } from 'pg';
import { dayMs } from '#src/kit/zone.ts';
import { sqlState } from '#src/store/db.ts';
import { query, sql } from '#src/store/sql.ts';

export const WEEK_MS = 7 * dayMs;

/** Any fixed number: holds off a second process while a partition is made. */
const PARTITION_LOCK = 7_135_201_122;
const MONTHS_BACK = 120;
const MONTHS_AHEAD = 2;
/** Rows are only ever added: vacuumed now and then for its visibility map, not at every tenth row. */
const STORAGE = 'with (autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 1000000)';
/** Making or dropping a partition waits for questions that run; then it fails and is tried again. */
const LOCK_TIMEOUT_MS = 2_000;
/** A batch waits less long for a month that is over, and then does without, as do those after it for a while. */
const MONTH_TIMEOUT_MS = 500;
const MONTH_PAUSE_MS = 60_000;

/** The week of a time: weeks since 1970-01-01. */
export function weekOf(ms: number): number {
  return Math.floor(ms / WEEK_MS);
}

/** The month of a time: months since year 0, UTC. */
export function monthOf(ms: number): number {
  const date = new Date(ms);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

/** The partition of a month, by its number. */
export function nameOfMonth(month: number): string {
  return `events_${Math.floor(month / 12)}${String((month % 12) + 1).padStart(2, '0')}`;
}

export interface Partitions {
  /**
   * Makes those of the months and weeks that are missing; months far from `now` need none, and months
   * that are over do without while someone reads events for long.
   */
  ensure(months: Iterable<number>, weeks: Iterable<number>, now: number): Promise<void>;
  /** Makes the months ahead of now. */
  ensureAhead(now: number): Promise<void>;
  /** Drops the weeks of the ledger before `week`. */
  dropWeeksBefore(week: number): Promise<void>;
  /** Partitions of events of the months before `month`, oldest first. The default partition is none of them. */
  monthsBefore(month: number): Promise<string[]>;
  /**
   * Drops a month with all it holds. Later events of that month go to the default partition until the month is made again.
   * (Detaching it first without a lock is not possible while there is a default partition.)
   */
  dropMonth(name: string): Promise<void>;
}

export function createPartitions(pool: Pool): Partitions {
  /** Made, or known not to be possible. */
  const known = new Set<string>();
  /** Months that could not be made because someone reads events for long, and when they may be tried again. */
  const inUse = new Map<string, number>();

  /** One at a time over all processes. */
  async function alone(statement: string, timeoutMs = LOCK_TIMEOUT_MS): Promise<void> {
    const client = await pool.connect();
    try {
      await client.query(
        `begin; set local lock_timeout = ${timeoutMs}; select pg_advisory_xact_lock(${PARTITION_LOCK})`,
      );
      await client.query(statement);
      await client.query('commit');
      client.release();
    } catch (error) {
      client.release(true);
      throw error;
    }
  }

  async function make(name: string, definition: string, timeoutMs?: number): Promise<void> {
    if (known.has(name)) return;
    try {
      await alone(`create table if not exists ${name} ${definition} ${STORAGE}`, timeoutMs);
    } catch (error) {
      // The default partition holds rows of this month, from before it came within reach: they stay together there.
      if (sqlState(error) !== '23514') throw error;
    }
    known.add(name);
  }

  function makeMonth(month: number, timeoutMs?: number): Promise<void> {
    const [from, to] = [month, month + 1].map((each) =>
      new Date(Date.UTC(Math.floor(each / 12), each % 12, 1)).toISOString(),
    );
    return make(nameOfMonth(month), `partition of events for values from ('${from}') to ('${to}')`, timeoutMs);
  }

  /** While a backup reads the default partition no month can be made: what comes meanwhile goes there. */
  async function makeMonthUnlessInUse(month: number): Promise<void> {
    const name = nameOfMonth(month);
    if (performance.now() < (inUse.get(name) ?? 0)) return;
    try {
      await makeMonth(month, MONTH_TIMEOUT_MS);
      inUse.delete(name);
    } catch (error) {
      if (sqlState(error) !== '55P03') throw error;
      inUse.set(name, performance.now() + MONTH_PAUSE_MS);
    }
  }

  async function childrenOf(parent: 'events' | 'event_uuids'): Promise<string[]> {
    const rows = await query<{ name: string }>(
      pool,
      sql`select child.relname as name
            from pg_inherits
            join pg_class as child on child.oid = inhrelid
           where inhparent = ${parent}::regclass
           order by child.relname`,
    );
    return rows.map(({ name }) => name);
  }

  async function drop(name: string, before = ''): Promise<void> {
    await alone(`${before} drop table if exists ${name}`);
    known.delete(name);
  }

  return {
    async ensure(months, weeks, now) {
      const thisMonth = monthOf(now);
      for (const month of months) {
        // The months that most events come for are made ahead, and never done without.
        if (month >= thisMonth && month <= thisMonth + MONTHS_AHEAD) await makeMonth(month);
        else if (month >= thisMonth - MONTHS_BACK && month < thisMonth) await makeMonthUnlessInUse(month);
      }
      for (const week of weeks) await make(`event_uuids_${week}`, `partition of event_uuids for values in (${week})`);
    },
    async ensureAhead(now) {
      for (let ahead = 0; ahead <= MONTHS_AHEAD; ahead++) await makeMonth(monthOf(now) + ahead);
    },
    async dropWeeksBefore(week) {
      for (const name of await childrenOf('event_uuids')) {
        if (Number(name.slice('event_uuids_'.length)) < week) await drop(name);
      }
    },
    async monthsBefore(month) {
      const names = await childrenOf('events');
      return names.filter((name) => {
        const [, year, ofYear] = /^events_(\d{4})(\d{2})$/.exec(name) ?? [];
        return year !== undefined && Number(year) * 12 + Number(ofYear) - 1 < month;
      });
    },
    async dropMonth(name) {
      const [, year, month] = /^events_(\d{4})(\d{2})$/.exec(name) ?? [];
      const [from, to] = [0, 1].map((more) =>
        new Date(Date.UTC(Number(year), Number(month) - 1 + more, 1)).toISOString(),
      );
      // Marks derived data of its rows as stale.
      await drop(name, `select mark_units_between('${from}', '${to}');`);
    },
  };
}
