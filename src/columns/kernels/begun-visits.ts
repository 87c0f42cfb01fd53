/** Counted visits of a chunk with their start. Pure. */
import { firstAt } from '../storage/quarters.ts';
import { columnOf } from './count-events.ts';
import { type SessionChunk, type VisitChoice, visitsWithin } from './count-sessions.ts';
import type { SessionSet } from './session-set.ts';
import { sharedFloats, sharedInts } from './shared.ts';

/** Visit numbers, and the bucket in which each started. */
export interface BegunVisits {
  ids: Float64Array;
  stretches: Int32Array;
}

export function begunVisits(chunk: SessionChunk, choice: VisitChoice<SessionSet>): BegunVisits {
  const { columns, edges } = chunk;
  const rows = visitsWithin(chunk, choice);
  const begun: BegunVisits = { ids: sharedFloats(rows.length), stretches: sharedInts(rows.length) };
  if (rows.length === 0) return begun;
  const ids = columnOf(columns, 'id');
  const begins = columnOf(columns, 'ts');
  let at = 0;
  for (let stretch = 0; stretch < edges.length - 1; stretch++) {
    const bound = firstAt(begins, edges[stretch + 1] as number);
    for (; at < rows.length && (rows[at] as number) < bound; at++) {
      begun.ids[at] = (ids.codes[rows[at] as number] as number) + ids.base;
      begun.stretches[at] = stretch;
    }
  }
  return begun;
}

export function bytesOfBegun({ ids }: BegunVisits): number {
  return ids.length * 12;
}
