/** What questions about series have in common: everything that they need, of one moment. */
import { readSnapshot } from '#src/store/snapshot.ts';
import type { AnswerParts } from './answer.ts';
import { choiceOf } from './people.ts';
import { type Ready, readSeries, type Scope, type SeriesWanted } from './series.ts';

/** @throws AppError `invalid` for filters that cannot be, `timeout` */
export function prepareSeries(parts: AnswerParts, scope: Scope, wanted: SeriesWanted): Promise<Ready> {
  parts.threads.warm();
  return readSnapshot(parts.db, (client) => readSeries(parts, client, scope, wanted, choiceOf(parts, scope)));
}
