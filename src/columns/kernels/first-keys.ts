/** First events of actors with the keys of all parts numbered together. Pure. */
import type { KeyedPart } from './by-actor.ts';
import type { StepsPart } from './list-steps.ts';
import type { Key } from './row-keys.ts';

/** Each key once, and for each part where its keys are in that list. */
export function withKeyPlaces(parts: readonly StepsPart[]): { keys: Key[]; parts: KeyedPart[] } {
  const keys: Key[] = [];
  const known = new Map<Key, number>();
  const placed = parts.map((part) => ({
    part,
    keyOf: Int32Array.from(part.keys, (key) => {
      const place = known.get(key) ?? keys.push(key) - 1;
      known.set(key, place);
      return place;
    }),
  }));
  return { keys, parts: placed };
}
