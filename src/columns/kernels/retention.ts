/** Retention: for each start period, the number of its persons who returned in each later period. Pure. */
import type { StepsPart } from './list-steps.ts';
import { countNumbers, type PartsByPeriod, PersonPeriods } from './person-periods.ts';
import { type Picked, Picking } from './picked.ts';
import { sharedInts } from './shared.ts';

export interface RetentionPlan {
  /** How many there are. */
  periods: number;
  mergedInto: Int32Array | null;
  /** In a period, so many events at least make a return. */
  least: number;
  /** A return counts in its period and in all before it. */
  isRolling: boolean;
  /** Start times of periods, ms, followed by the end of the last. */
  edges: readonly number[];
  /** The cell whose people are listed: started in the period and, unless null, returned that many periods later. */
  pick?: { period: number; later: number | null };
}

export interface RetentionParts {
  /** Every period with the start event starts a cohort (recurring); null: by `firsts`. */
  starts: PartsByPeriod | null;
  /** The first of each, with a bit 1 when it counts. */
  firsts: readonly StepsPart[];
  returns: PartsByPeriod;
}

export interface RetentionCounts {
  /** Cohort size by period. */
  sizes: Int32Array;
  /** Indexed by start period × number of periods + periods later. */
  returned: Int32Array;
  /** Empty without `pick`. */
  picked: Picked;
}

export function findRetention(plan: RetentionPlan, { starts, firsts, returns }: RetentionParts): RetentionCounts {
  const { periods } = plan;
  const people = countNumbers(plan.mergedInto, [...(starts ?? []), ...returns], firsts);
  const came = new PersonPeriods(plan, people);
  if (starts !== null) came.add(starts, 1);
  else came.addFirsts(firsts);
  const back = new PersonPeriods(plan, people);
  back.add(returns, plan.least);
  const picking = new Picking(null);
  const { pick } = plan;
  const found = { sizes: sharedInts(periods), returned: sharedInts(periods * periods) };
  const own = new Int32Array(periods);
  for (let person = 0; person < people; person++) {
    if (!came.hasAny(person)) continue;
    const count = back.of(person, own);
    if (pick && came.has(person, pick.period) && isBack(plan, pick, own.subarray(0, count))) picking.add(person);
    const last = count === 0 ? -1 : (own[count - 1] as number);
    for (let period = 0; period < periods; period++) {
      if (!came.has(person, period)) continue;
      found.sizes[period] = (found.sizes[period] as number) + 1;
      const row = period * periods;
      if (plan.isRolling) for (let later = 0; later <= last - period; later++) addOne(found.returned, row + later);
      else {
        for (let at = count - 1; at >= 0 && (own[at] as number) >= period; at--) {
          addOne(found.returned, row + (own[at] as number) - period);
        }
      }
    }
  }
  return { ...found, picked: picking.picked };
}

/** @param returns periods in which they did it */
function isBack(
  { isRolling }: RetentionPlan,
  { period, later }: { period: number; later: number | null },
  returns: Int32Array,
): boolean {
  if (later === null) return true;
  return returns.some((each) => (isRolling ? each >= period + later : each === period + later));
}

function addOne(list: Int32Array, at: number): void {
  list[at] = (list[at] as number) + 1;
}
