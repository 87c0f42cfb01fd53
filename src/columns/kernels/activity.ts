/** In how many periods persons were active, and how they came to be active in each: as new ones, or after the period before. Pure. */
import type { StepsPart } from './list-steps.ts';
import { countNumbers, type PartsByPeriod, type Periods, PersonPeriods } from './person-periods.ts';
import { sharedInts } from './shared.ts';

export interface ActivityPlan extends Periods {
  /** So many events in a period make a person active. */
  minCount: number;
}

export interface ActivityParts {
  /** The first event of each person; none: nobody is new. */
  firsts: readonly StepsPart[];
  activity: PartsByPeriod;
}

export interface ActivityFound {
  /** By period, persons who were active; whose first event of all lies in it; who were active in the period before too. */
  active: Int32Array;
  new: Int32Array;
  returning: Int32Array;
  /** By number of periods, from 0 on: persons who were active in exactly so many. Nobody counts as active in none. */
  byPeriods: Int32Array;
}

export function findActivity(plan: ActivityPlan, { firsts, activity }: ActivityParts): ActivityFound {
  const { periods } = plan;
  const people = countNumbers(plan.mergedInto, activity, firsts);
  const active = new PersonPeriods(plan, people);
  active.add(activity, plan.minCount);
  const began = new PersonPeriods(plan, people);
  began.addFirsts(firsts);
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
    addOne(found.byPeriods, count);
    for (let at = 0; at < count; at++) {
      const period = own[at] as number;
      addOne(found.active, period);
      if (began.has(person, period)) addOne(found.new, period);
      else if (at > 0 && own[at - 1] === period - 1) addOne(found.returning, period);
    }
  }
  return found;
}

function addOne(list: Int32Array, at: number): void {
  list[at] = (list[at] as number) + 1;
}
