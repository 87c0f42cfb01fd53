/** Who came back when: for each period in which persons began, how many of them did something in each period from it on. Pure. */
import { eachCourse } from './by-actor.ts';
import { sharedInts, type TrendPart } from './count-trend.ts';
import type { StepsPart } from './list-steps.ts';

export interface RetentionPlan {
  /** How many there are. */
  periods: number;
  survivors: Int32Array | null;
  /** In a period, so many events at least make a return. */
  least: number;
  /** A return counts in its period and in all before it. */
  isRolling: boolean;
  /** Moments at which periods begin, and at which the last one ends. */
  edges: readonly number[];
}

/** Parts with what is added to the numbers of their stretches, which are the periods. */
type Told = readonly { part: TrendPart; shift: number }[];

export interface RetentionParts {
  /** Whoever did it in a period is of it; null: `firsts` tell. */
  starts: Told | null;
  /** The first of each, with a bit 1 when it counts. */
  firsts: readonly StepsPart[];
  returns: Told;
}

export interface RetentionFound {
  /** By period, how many began in it. */
  sizes: Int32Array;
  /** By period times the number of periods, plus how many periods later. */
  returned: Int32Array;
}

export function findRetention(plan: RetentionPlan, { starts, firsts, returns }: RetentionParts): RetentionFound {
  const { periods } = plan;
  const came = new Persons(plan);
  if (starts !== null) came.add(starts, 1);
  else came.addFirsts(firsts);
  const back = new Persons(plan);
  back.add(returns, plan.least);
  const found = { sizes: sharedInts(periods), returned: sharedInts(periods * periods) };
  came.each((person, began) => {
    for (const period of began) {
      found.sizes[period] = (found.sizes[period] as number) + 1;
      const row = period * periods;
      const own = back.of(person);
      const last = own.at(-1) ?? -1;
      const counted = plan.isRolling ? last - period + 1 : 0;
      for (let later = 0; later < counted; later++) add(found.returned, row + later);
      if (!plan.isRolling) for (const each of own) if (each >= period) add(found.returned, row + each - period);
    }
  });
  return found;
}

function add(list: Int32Array, at: number): void {
  list[at] = (list[at] as number) + 1;
}

/** Persons with periods, ascending. */
class Persons {
  private readonly people: { person: number; periods: number[] }[] = [];
  /** By number of the person, where in the list, from 1 on; 0: nowhere. */
  private places = new Int32Array(1024);
  private readonly plan: RetentionPlan;

  constructor(plan: RetentionPlan) {
    this.plan = plan;
  }

  of(person: number): readonly number[] {
    return this.people[(this.places[person] ?? 0) - 1]?.periods ?? [];
  }

  each(call: (person: number, periods: readonly number[]) => void): void {
    for (const { person, periods } of this.people) call(person, periods);
  }

  /** Of each period those with so many events. */
  add(told: Told, least: number): void {
    const { survivors, periods } = this.plan;
    let most = survivors?.length ?? 0;
    for (const { items } of told.map(({ part }) => part)) {
      for (let at = 0; at < items.length; at++) if ((items[at] as number) > most) most = items[at] as number;
    }
    const counts = new Int32Array(most + 1);
    for (let period = 0; period < periods; period++) {
      const each = (call: (person: number, times: number) => void) => {
        for (const { part, shift } of told) {
          for (let cell = 0; cell < part.stretches.length; cell++) {
            if ((part.stretches[cell] as number) + shift !== period) continue;
            const end = part.ends[cell] as number;
            for (let at = cell === 0 ? 0 : (part.ends[cell - 1] as number); at < end; at++) {
              const person = part.items[at] as number;
              call((survivors?.[person] ?? 0) || person, part.times[at] as number);
            }
          }
        }
      };
      each((person, times) => {
        counts[person] = (counts[person] as number) + times;
      });
      each((person) => {
        if ((counts[person] as number) >= least) this.put(person, period);
        counts[person] = 0;
      });
    }
  }

  addFirsts(firsts: readonly StepsPart[]): void {
    const { survivors, edges } = this.plan;
    // Who it is stands where a key would.
    const told = firsts.map((part) => {
      const keyOf = Int32Array.from(part.actors, (person) => (survivors?.[person] ?? 0) || person);
      return { part: { ...part, keyed: keyOf.map((_, at) => at) }, keyOf };
    });
    eachCourse(told, survivors, ({ times, bits, keys }) => {
      const [at, bit, person] = [times[0] as number, bits[0] as number, keys[0] as number];
      const period = edges.findLastIndex((edge) => edge <= at);
      if ((bit & 2) !== 0 && period >= 0 && period < edges.length - 1) this.put(person, period);
    });
  }

  private put(person: number, period: number): void {
    if (person >= this.places.length) {
      const larger = new Int32Array(Math.max(this.places.length * 2, person + 1));
      larger.set(this.places);
      this.places = larger;
    }
    const place = this.places[person] as number;
    if (place === 0) this.places[person] = this.people.push({ person, periods: [period] });
    else this.people[place - 1]?.periods.push(period);
  }
}
