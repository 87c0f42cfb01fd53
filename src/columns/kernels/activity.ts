/** In how many periods persons were active, and how they came to be active in each: as new ones, or after the period before. Pure. */
import type { StepsPart } from './list-steps.ts';
import { countNumbers, type PartsByPeriod, type Periods, PersonPeriods } from './person-periods.ts';
import { type Picked, Picking } from './picked.ts';
import { sharedInts } from './shared.ts';

export interface ActivityPlan extends Periods {
  /** So many events in a period make a person active. */
  minCount: number;
  /** The number whose people are listed. */
  pick?: ActivityPick;
}

export type ActivityState = 'new' | 'returning' | 'resurrecting' | 'dormant';

/** Persons of a state in a period, or active in so many periods (`orMore`: or in more). */
export type ActivityPick = { period: number; state: ActivityState } | { periods: number; orMore: boolean };

export interface ActivityParts {
  /** First events of persons; empty: no person is new. */
  firsts: readonly StepsPart[];
  activity: PartsByPeriod;
}

export interface ActivityCounts {
  /** By period: active persons; persons with their first event in it; persons also active in the previous period. */
  active: Int32Array;
  new: Int32Array;
  returning: Int32Array;
  /** By number of periods, from 0: persons active in exactly that many. The entry 0 is always 0. */
  byPeriods: Int32Array;
  /** Empty without `pick`. */
  picked: Picked;
}

export function findActivity(plan: ActivityPlan, { firsts, activity }: ActivityParts): ActivityCounts {
  const { periods } = plan;
  const people = countNumbers(plan.mergedInto, activity, firsts);
  const active = new PersonPeriods(plan, people);
  active.add(activity, plan.minCount);
  const began = new PersonPeriods(plan, people);
  began.addFirsts(firsts);
  const picking = new Picking(null);
  const found = {
    active: sharedInts(periods),
    new: sharedInts(periods),
    returning: sharedInts(periods),
    byPeriods: sharedInts(periods + 1),
  };
  const own = new Int32Array(periods);
  for (let person = 0; person < people; person++) {
    const count = active.of(person, own);
    if (count === 0) continue;
    if (plan.pick && isPicked(plan.pick, person, count, active, began)) picking.add(person);
    addOne(found.byPeriods, count);
    for (let at = 0; at < count; at++) {
      const period = own[at] as number;
      addOne(found.active, period);
      if (began.has(person, period)) addOne(found.new, period);
      else if (at > 0 && own[at - 1] === period - 1) addOne(found.returning, period);
    }
  }
  return { ...found, picked: picking.picked };
}

function isPicked(
  pick: ActivityPick,
  person: number,
  count: number,
  active: PersonPeriods,
  began: PersonPeriods,
): boolean {
  if ('periods' in pick) return pick.orMore ? count >= pick.periods : count === pick.periods;
  const { period, state } = pick;
  const [isNow, wasBefore] = [active.has(person, period), period > 0 && active.has(person, period - 1)];
  if (state === 'dormant') return wasBefore && !isNow;
  if (!isNow) return false;
  const own = began.has(person, period) ? 'new' : wasBefore ? 'returning' : 'resurrecting';
  return state === own;
}

function addOne(list: Int32Array, at: number): void {
  list[at] = (list[at] as number) + 1;
}
