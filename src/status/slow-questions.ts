/** The questions of the last day that took longest, in all processes. Known by their text with placeholders. */
import type { Knex } from 'knex';
import type { Clock } from '#src/kit/clock.ts';
import { dayMs, hourMs } from '#src/kit/zone.ts';
import type { Processes } from '#src/processes/processes.ts';
import type { SlowQuestion } from './contract.ts';

const SLOW_MS = 500;
/** Maximum number of distinct query texts. */
const KEPT = 20;
const LONGEST_TEXT = 2_000;
const PART = 'slow-questions';

interface KnexQuery {
  __knexQueryUid: string;
  sql: string;
}

/** One process's slowest run of a query by hour. */
interface Slow {
  sql: string;
  hours: Pick<SlowQuestion, 'at' | 'tookMs' | 'times'>[];
}

export interface SlowQuestions {
  /** Longest first. @throws while the database is away */
  list(): Promise<SlowQuestion[]>;
  stop(): void;
}

export function watchQuestions(db: Knex, clock: Clock, processes: Pick<Processes, 'tell' | 'read'>): SlowQuestions {
  const begun = new Map<string, number>();
  let slow: Slow[] = [];
  processes.tell<Slow[]>(PART, () => slow);

  const onBegin = ({ __knexQueryUid: id }: KnexQuery) => begun.set(id, clock.elapsed());
  const onEnd = ({ __knexQueryUid: id, sql }: KnexQuery) => {
    const since = begun.get(id);
    begun.delete(id);
    const tookMs = since === undefined ? 0 : clock.elapsed() - since;
    if (tookMs >= SLOW_MS) note(oneLine(sql).slice(0, LONGEST_TEXT), Math.round(tookMs));
  };
  function note(sql: string, tookMs: number): void {
    const at = clock.now();
    const known = slow.find((each) => each.sql === sql)?.hours ?? [];
    const hour = known.find((each) => hourOf(each.at) === hourOf(at)) ?? { at, tookMs, times: 0 };
    const longest = tookMs > hour.tookMs ? { at, tookMs } : hour;
    const changed = { ...longest, times: hour.times + 1 };
    const entry = { sql, hours: [...known.filter((each) => each !== hour), changed] };
    slow = [...slow.filter((each) => each.sql !== sql), entry]
      .map(({ sql, hours }) => ({ sql, hours: hours.filter((each) => each.at > at - dayMs) }))
      .filter(({ hours }) => hours.length > 0)
      .sort((one, other) => longestOf(other) - longestOf(one))
      .slice(0, KEPT);
  }
  const onAnswer = (_answer: unknown, asked: KnexQuery) => onEnd(asked);
  const onFailure = (_error: unknown, asked: KnexQuery) => onEnd(asked);

  db.on('query', onBegin);
  db.on('query-response', onAnswer);
  db.on('query-error', onFailure);
  return {
    async list() {
      const reports = await processes.read<Slow[]>(PART);
      return sumUp(
        reports.flatMap(({ says }) => says),
        clock.now() - dayMs,
      );
    },
    stop() {
      db.off('query', onBegin);
      db.off('query-response', onAnswer);
      db.off('query-error', onFailure);
    },
  };
}

function sumUp(all: readonly Slow[], sinceMs: number): SlowQuestion[] {
  const texts = new Map<string, SlowQuestion>();
  for (const { sql, hours } of all) {
    for (const { at, tookMs, times } of hours) {
      if (at <= sinceMs) continue;
      const known = texts.get(sql) ?? { at, tookMs, times: 0, sql };
      const longest = tookMs > known.tookMs ? { at, tookMs } : { at: known.at, tookMs: known.tookMs };
      texts.set(sql, { sql, ...longest, times: known.times + times });
    }
  }
  return [...texts.values()].sort((one, other) => other.tookMs - one.tookMs).slice(0, KEPT);
}

function longestOf({ hours }: Slow): number {
  return Math.max(...hours.map(({ tookMs }) => tookMs));
}

function hourOf(at: number): number {
  return Math.floor(at / hourMs);
}

function oneLine(sql: string): string {
  return sql.replace(/\s+/g, ' ').trim();
}
