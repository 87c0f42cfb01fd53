/** Counted visits of a chunk with their start, and trends by start of the visit. Pure. */
import { firstAt } from '../storage/quarters.ts';
import { ByVisitNumber } from './by-visit-number.ts';
import { columnOf } from './count-events.ts';
import { type SessionChunk, type VisitChoice, visitsWithin } from './count-sessions.ts';
import type { TrendPart } from './count-trend.ts';
import type { SessionSet } from './session-set.ts';
import { intsOf, sharedFloats, sharedInts } from './shared.ts';

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
  const begins = new Int32Array(part.items.length);
  let [first, last] = [Number.POSITIVE_INFINITY, -1];
  for (let at = 0; at < begins.length; at++) {
    const stretch = stretchOf.of(part.items[at] as number);
    begins[at] = stretch;
    if (stretch < 0) continue;
    if (stretch < first) first = stretch;
    if (stretch > last) last = stretch;
  }
  const width = last < 0 ? 0 : last - first + 1;
  /** Where the visits of each key and stretch begin: counted, then summed up. */
  const starts = new Int32Array(part.keys.length * width + 1);
  eachVisit(part, begins, (key, at) => {
    const group = key * width + (begins[at] as number) - first;
    starts[group + 1] = (starts[group + 1] as number) + 1;
  });
  for (let group = 1; group < starts.length; group++)
    starts[group] = (starts[group] as number) + (starts[group - 1] as number);
  const items = sharedFloats(starts.at(-1) as number);
  const next = starts.slice();
  eachVisit(part, begins, (key, at) => {
    const group = key * width + (begins[at] as number) - first;
    items[next[group] as number] = part.items[at] as number;
    next[group] = (next[group] as number) + 1;
  });
  const groups: number[] = [];
  for (let group = 0; group + 1 < starts.length; group++) if (starts[group + 1] !== starts[group]) groups.push(group);
  const none = sharedInts(groups.length);
  return {
    keys: part.keys,
    stretches: intsOf(groups.map((group) => first + (group % width))),
    keyed: intsOf(groups.map((group) => Math.floor(group / width))),
    counts: none,
    ignored: none,
    ends: intsOf(groups.map((group) => starts[group + 1] as number)),
    items,
    times: sharedInts(items.length),
  };
}

/** Calls for each visit that began in a stretch, with its key and its place among the items. */
function eachVisit(part: TrendPart, begins: Int32Array, call: (key: number, at: number) => void): void {
  let at = 0;
  for (let cell = 0; cell < part.ends.length; cell++) {
    const key = part.keyed[cell] as number;
    for (const end = part.ends[cell] as number; at < end; at++) if ((begins[at] as number) >= 0) call(key, at);
  }
}
