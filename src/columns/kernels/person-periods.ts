/** Active periods of persons. Pure. */
import { forEachActor } from './by-actor.ts';
import type { TrendPart } from './count-trend.ts';
import type { StepsPart } from './list-steps.ts';
import { currentOf } from './merges.ts';

export interface Periods {
  /** How many there are. */
  periods: number;
  mergedInto: Int32Array | null;
  /** Start times of periods, ms, followed by the end of the last. */
  edges: readonly number[];
}

/** Parts with what is added to the numbers of their stretches, which are the periods. */
export type PartsByPeriod = readonly { part: TrendPart; shift: number }[];

/** One more than the highest number of a person; the person of a merge may have a higher one than all in the parts. */
export function countNumbers(
  mergedInto: Int32Array | null,
  parts: PartsByPeriod,
  firsts: readonly StepsPart[],
): number {
  const highest = Math.max(
    parts.reduce((most, { part }) => Math.max(most, largest(part.items)), 0),
    firsts.reduce((most, { actors }) => Math.max(most, largest(actors)), 0),
  );
  return 1 + Math.max(highest, mergedInto?.length ?? 0, largest(mergedInto ?? []));
}

function largest(numbers: ArrayLike<number>): number {
  let most = 0;
  for (let at = 0; at < numbers.length; at++) if ((numbers[at] as number) > most) most = numbers[at] as number;
  return most;
}

/** By person number, a bit per period. */
export class PersonPeriods {
  private readonly plan: Periods;
  private readonly words: number;
  private readonly bits: Int32Array;
  private readonly counts: Int32Array;

  constructor(plan: Periods, people: number) {
    this.plan = plan;
    this.words = Math.ceil(plan.periods / 32);
    this.bits = new Int32Array(people * this.words);
    this.counts = new Int32Array(people);
  }

  has(person: number, period: number): boolean {
    return (((this.bits[person * this.words + (period >> 5)] as number) >> (period & 31)) & 1) === 1;
  }

  hasAny(person: number): boolean {
    for (let word = 0; word < this.words; word++) if (this.bits[person * this.words + word] !== 0) return true;
    return false;
  }

  /** Leaves their periods, ascending, in the list. @returns how many they are */
  of(person: number, list: Int32Array): number {
    let count = 0;
    for (let word = 0; word < this.words; word++) {
      for (let bits = this.bits[person * this.words + word] as number; bits !== 0; bits &= bits - 1) {
        list[count++] = (word << 5) + 31 - Math.clz32(bits & -bits);
      }
    }
    return count;
  }

  /** Adds persons with at least `least` events in a period. */
  add(parts: PartsByPeriod, least: number): void {
    for (let period = 0; period < this.plan.periods; period++) {
      this.count(parts, period, (person, count) => {
        if (count >= least) this.put(person, period);
      });
    }
  }

  /** Calls for each of the period, with how many events they have. */
  private count(parts: PartsByPeriod, period: number, call: (person: number, count: number) => void): void {
    const {
      counts,
      plan: { mergedInto },
    } = this;
    for (const round of [0, 1]) {
      for (const { part, shift } of parts) {
        const { stretches, ends, items, times } = part;
        for (let cell = 0; cell < stretches.length; cell++) {
          if ((stretches[cell] as number) + shift !== period) continue;
          const end = ends[cell] as number;
          for (let at = cell === 0 ? 0 : (ends[cell - 1] as number); at < end; at++) {
            const person = currentOf(mergedInto, items[at] as number);
            const count = counts[person] as number;
            if (round === 0) counts[person] = count + (times[at] as number);
            else if (count !== 0) {
              call(person, count);
              counts[person] = 0;
            }
          }
        }
      }
    }
  }

  /** The period of each person's first event, when that has the bit of the second kind. @param ofKeys of each part, 1 for its keys that count */
  addFirsts(firsts: readonly StepsPart[], ofKeys?: readonly Int32Array[]): void {
    const { mergedInto, edges } = this.plan;
    const parts = firsts.map((part, at) => ({ part, keyOf: ofKeys?.[at] ?? null }));
    forEachActor(parts, mergedInto, ({ times, bits, keys, actor }) => {
      const [at, bit] = [times[0] as number, bits[0] as number];
      const period = edges.findLastIndex((edge) => edge <= at);
      if ((bit & 2) === 0 || period < 0 || period >= edges.length - 1) return;
      if (ofKeys === undefined || keys[0] === 1) this.put(actor, period);
    });
  }

  private put(person: number, period: number): void {
    const word = person * this.words + (period >> 5);
    this.bits[word] = (this.bits[word] as number) | (1 << (period & 31));
  }
}
