/** Shared preparation of series queries: all their data in one snapshot. */
import type { ClientBase } from 'pg';
import { readSnapshot } from '#src/store/snapshot.ts';
import type { AnswerParts } from './answer-parts.ts';
import { choiceOf } from './people.ts';
import { type Ready, readSeries, type Scope, type SeriesRequest } from './series.ts';

/** @throws AppError `invalid` for filters that cannot be, `timeout` */
export function prepareSeries(parts: AnswerParts, scope: Scope, wanted: SeriesRequest): Promise<Ready> {
  return atOneMoment(parts, (client) => readChosen(parts, client, scope, wanted));
}

/** Reads on a connection that sees one moment. */
export function atOneMoment<Read>(parts: AnswerParts, read: (client: ClientBase) => Promise<Read>): Promise<Read> {
  parts.threads.warm();
  return readSnapshot(parts.db, read, parts.ending);
}

/** Series of the events that the scope keeps. @throws AppError `invalid` for filters that cannot be, `timeout` */
export function readChosen(
  parts: AnswerParts,
  client: ClientBase,
  scope: Scope,
  wanted: SeriesRequest,
): Promise<Ready> {
  return readSeries(parts, client, scope, wanted, choiceOf(parts, scope));
}
