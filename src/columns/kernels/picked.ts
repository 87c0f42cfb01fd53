/** Persons behind a number: each once, with how often they are in it. Pure. */
import { currentOf } from './merges.ts';
import { intsOf } from './shared.ts';

export interface Picked {
  /** Current persons, ascending. */
  people: Int32Array;
  /** By person, their number of events (of paths: transitions) in the figure. */
  times: Int32Array;
}

/** Gathers persons, each as often as it comes. */
export class Picking {
  private readonly mergedInto: Int32Array | null;
  private readonly times = new Map<number, number>();

  constructor(mergedInto: Int32Array | null) {
    this.mergedInto = mergedInto;
  }

  add(person: number, times = 1): void {
    if (person === 0) return; // no person
    const now = currentOf(this.mergedInto, person);
    this.times.set(now, (this.times.get(now) ?? 0) + times);
  }

  get picked(): Picked {
    const people = Int32Array.from(this.times.keys()).sort();
    return { people: intsOf(people), times: intsOf(people.map((person) => this.times.get(person) as number)) };
  }
}

/** Union of disjoint sets. */
export function united(sets: readonly Picked[]): Picked {
  const all = new Picking(null);
  for (const { people, times } of sets) {
    for (let at = 0; at < people.length; at++) all.add(people[at] as number, times[at]);
  }
  return all.picked;
}
