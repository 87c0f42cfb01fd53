/** With which values people began: of the first event of each. Pure. */
import { forEachActor } from './by-actor.ts';
import type { StepsPart } from './list-steps.ts';
import type { Key } from './row-keys.ts';

export interface FirstsPlan {
  mergedInto: Int32Array | null;
  /** Only those whose first event lies in it, `[from, until)` in ms. */
  from: number;
  until: number;
}

/** How many people began with each key: of those whose first event has the bit of the second kind. */
export function countFirsts({ mergedInto, from, until }: FirstsPlan, firsts: readonly StepsPart[]): Map<Key, number> {
  const keys: Key[] = [];
  const known = new Map<Key, number>();
  const parts = firsts.map((part) => ({
    part,
    keyOf: Int32Array.from(part.keys, (key) => {
      const place = known.get(key) ?? keys.push(key) - 1;
      known.set(key, place);
      return place;
    }),
  }));
  const counts = new Map<Key, number>();
  forEachActor(parts, mergedInto, (timeline) => {
    const at = timeline.times[0] as number;
    if (((timeline.bits[0] as number) & 2) === 0 || at < from || at >= until) return;
    const key = keys[timeline.keys[0] as number] as Key;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  });
  return counts;
}
