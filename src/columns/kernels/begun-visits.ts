/** Counted visits of a chunk with their start, and trends by start of the visit. Pure. */
import { firstAt } from '../storage/quarters.ts';
import { ByVisitNumber } from './by-visit-number.ts';
import { columnOf } from './count-events.ts';
import { type SessionChunk, type VisitChoice, visitsWithin } from './count-sessions.ts';
import type { TrendPart } from './count-trend.ts';
import type { SessionSet } from './session-set.ts';
import { floatsOf, intsOf, sharedFloats, sharedInts } from './shared.ts';

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

type Shifted<Part> = readonly { part: Part; shift: number }[];

/**
 * The same parts with each visit in the bucket of its start, regardless of its events' times; without excluded visits. Event counts
 * and values are dropped.
 */
export function byBegin(parts: Shifted<TrendPart>, begun: Shifted<BegunVisits>): { part: TrendPart; shift: number }[] {
  const stretchOf = new ByVisitNumber(-1);
  for (const { part, shift } of begun) {
    for (let at = 0; at < part.ids.length; at++) {
      stretchOf.set(part.ids[at] as number, (part.stretches[at] as number) + shift);
    }
  }
  return parts.map(({ part }) => ({ part: placed(part, stretchOf), shift: 0 }));
}

function placed(part: TrendPart, stretchOf: ByVisitNumber): TrendPart {
  /** By key, then by bucket. */
  const cells = new Map<number, Map<number, number[]>>();
  let begin = 0;
  for (let cell = 0; cell < part.ends.length; cell++) {
    const keyed = part.keyed[cell] as number;
    const own = cells.get(keyed) ?? new Map<number, number[]>();
    cells.set(keyed, own);
    const end = part.ends[cell] as number;
    for (let at = begin; at < end; at++) {
      const visit = part.items[at] as number;
      const stretch = stretchOf.of(visit);
      if (stretch < 0) continue;
      const visits = own.get(stretch);
      if (visits === undefined) own.set(stretch, [visit]);
      else visits.push(visit);
    }
    begin = end;
  }
  const listed = [...cells].flatMap(([key, own]) => [...own].map(([stretch, visits]) => ({ key, stretch, visits })));
  const none = sharedInts(listed.length);
  let length = 0;
  return {
    keys: part.keys,
    stretches: intsOf(listed.map(({ stretch }) => stretch)),
    keyed: intsOf(listed.map(({ key }) => key)),
    counts: none,
    ignored: none,
    ends: intsOf(
      listed.map(({ visits }) => {
        length += visits.length;
        return length;
      }),
    ),
    items: floatsOf(listed.flatMap(({ visits }) => visits)),
    times: sharedInts(length),
  };
}
