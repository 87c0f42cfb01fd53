/** Persons behind a number: each once, with how often they are in it. Pure. */
import { intsOf } from './shared.ts';

export interface Picked {
  /** As they are now, ascending. */
  people: Int32Array;
  /** Of each, how many events (of paths: transitions) of theirs are in the number. */
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
    if (person === 0) return; // nobody
    const now = (this.mergedInto?.[person] ?? 0) || person;
    this.times.set(now, (this.times.get(now) ?? 0) + times);
  }

  get picked(): Picked {
    const people = Int32Array.from(this.times.keys()).sort();
    return { people: intsOf(people), times: intsOf(people.map((person) => this.times.get(person) as number)) };
  }
}

/** Of several sets of different persons. */
export function united(sets: readonly Picked[]): Picked {
  const all = new Picking(null);
  for (const { people, times } of sets) {
    for (let at = 0; at < people.length; at++) all.add(people[at] as number, times[at]);
  }
  return all.picked;
}
