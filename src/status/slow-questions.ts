/** The longest questions of the last day, of this process. Kept in memory, by their text with placeholders. */
import type { Knex } from 'knex';
import type { Clock } from '#src/kit/clock.ts';
import type { SlowQuestion } from './contract.ts';

const SLOW_MS = 500;
const KEPT = 20;
const DAY_MS = 86_400_000;
const LONGEST_TEXT = 2_000;

interface Asked {
  __knexQueryUid: string;
  sql: string;
}

export interface SlowQuestions {
  /** Longest first. */
  list(): SlowQuestion[];
  stop(): void;
}

export function watchQuestions(db: Knex, clock: Clock): SlowQuestions {
  const begun = new Map<string, number>();
  let slow: SlowQuestion[] = [];

  const onBegin = ({ __knexQueryUid: id }: Asked) => begun.set(id, clock.elapsed());
  const onEnd = ({ __knexQueryUid: id, sql }: Asked) => {
    const since = begun.get(id);
    begun.delete(id);
    const tookMs = since === undefined ? 0 : clock.elapsed() - since;
    if (tookMs < SLOW_MS) return;
    const question = { at: clock.now(), tookMs: Math.round(tookMs), sql: oneLine(sql).slice(0, LONGEST_TEXT) };
    slow = [...recent(), question].sort((a, b) => b.tookMs - a.tookMs).slice(0, KEPT);
  };
  const recent = () => slow.filter(({ at }) => at > clock.now() - DAY_MS);
  const onAnswer = (_answer: unknown, asked: Asked) => onEnd(asked);
  const onFailure = (_error: unknown, asked: Asked) => onEnd(asked);

  db.on('query', onBegin);
  db.on('query-response', onAnswer);
  db.on('query-error', onFailure);
  return {
    list: recent,
    stop() {
      db.off('query', onBegin);
      db.off('query-response', onAnswer);
      db.off('query-error', onFailure);
    },
  };
}

function oneLine(sql: string): string {
  return sql.replace(/\s+/g, ' ').trim();
}
