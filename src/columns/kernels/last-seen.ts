/** When each was seen last, by what chunks say. Pure. */
import type { ChunkColumns } from '../storage/format.ts';
import { openColumn } from '../storage/format.ts';
import { currentOf } from './merges.ts';
import { floatsOf, intsOf } from './shared.ts';

export interface LastSeenPlan {
  /** By person number, the person it was merged into; null: no merges. */
  mergedInto: Int32Array | null;
  /** 1 for persons seen after all of these chunks: they are skipped. */
  later: Uint8Array;
}

/** The latest first; of one moment, the highest number first. */
export interface LastSeen {
  persons: Int32Array;
  times: Float64Array;
}

export function lastSeen({ mergedInto, later }: LastSeenPlan, chunks: readonly ChunkColumns[]): LastSeen {
  const last = new Map<number, number>();
  for (const { person, ts } of chunks) {
    if (person === undefined || ts === undefined) continue;
    const { numbers, codes } = openColumn(person);
    const { codes: offsets, base } = openColumn(ts);
    // Rows come in order of time.
    const lastRows = new Int32Array(numbers?.length ?? 0);
    for (let row = 0; row < codes.length; row++) lastRows[codes[row] as number] = row;
    for (let entry = 0; entry < lastRows.length; entry++) {
      const number = numbers?.[entry] ?? 0;
      const now = currentOf(mergedInto, number);
      if (later[now] === 1) continue;
      const at = base + (offsets[lastRows[entry] as number] as number);
      if (at > (last.get(now) ?? Number.NEGATIVE_INFINITY)) last.set(now, at);
    }
  }
  const order = [...last].sort(([one, at], [other, otherAt]) => otherAt - at || other - one);
  return { persons: intsOf(order.map(([number]) => number)), times: floatsOf(order.map(([, at]) => at)) };
}
