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
  /** Columns of the table, ascending and without gaps. */
  columns: readonly RetentionColumn[];
  /** The cell whose people are listed: started in the period and, unless null, returned in the column. */
  pick?: { period: number; later: number | null };
}

/** Periods after the start, both included. */
export interface RetentionColumn {
  from: number;
  to: number;
}

export interface RetentionParts {
  /** Every period with the start event starts a cohort (recurring); null: by `firsts`. */
  starts: PartsByPeriod | null;
  /** The first of each, with a bit 2 when it counts. */
  firsts: readonly StepsPart[];
  /** Of each of these parts, 1 for keys of which it has to be; absent: of any. */
  firstKeys?: readonly Int32Array[];
  returns: PartsByPeriod;
}

export interface RetentionCounts {
  /** Cohort size by period. */
  sizes: Int32Array;
  /** Indexed by start period × number of columns + column. */
  returned: Int32Array;
  /** Empty without `pick`. */
  picked: Picked;
}

export function findRetention(
  plan: RetentionPlan,
  { starts, firsts, firstKeys, returns }: RetentionParts,
): RetentionCounts {
  const { periods, columns } = plan;
  const people = countNumbers(plan.mergedInto, [...(starts ?? []), ...returns], firsts);
  const came = new PersonPeriods(plan, people);
  if (starts !== null) came.add(starts, 1);
  else came.addFirsts(firsts, firstKeys);
  const back = new PersonPeriods(plan, people);
  back.add(returns, plan.least);
  const picking = new Picking(null);
  const { pick } = plan;
  const found = { sizes: sharedInts(periods), returned: sharedInts(periods * columns.length) };
  const columnOf = columnsOfPeriods(plan);
  const own = new Int32Array(periods);
  for (let person = 0; person < people; person++) {
    if (!came.hasAny(person)) continue;
    const count = back.of(person, own);
    for (let period = 0; period < periods; period++) {
      if (!came.has(person, period)) continue;
      found.sizes[period] = (found.sizes[period] as number) + 1;
      const isPicked = pick?.period === period;
      if (isPicked && pick.later === null) picking.add(person);
      for (const column of returnsIn(plan, columnOf, own.subarray(0, count), period)) {
        if (isPicked && pick.later === column) picking.add(person);
        const cell = period * columns.length + column;
        found.returned[cell] = (found.returned[cell] as number) + 1;
      }
    }
  }
  return { ...found, picked: picking.picked };
}

/** By how many periods later, the column; after the last column, one more than that. */
function columnsOfPeriods({ periods, columns }: RetentionPlan): Int32Array {
  const columnOf = new Int32Array(periods).fill(columns.length);
  for (const [column, { from, to }] of columns.entries()) columnOf.fill(column, from, to + 1);
  return columnOf;
}

/** Columns in which a person who started in a period returned. @param own periods of their returns, ascending */
function returnsIn(
  { columns, isRolling }: RetentionPlan,
  columnOf: Int32Array,
  own: Int32Array,
  began: number,
): number[] {
  const found: number[] = [];
  // Of several returns in a column one counts; after a return on or after a period, all columns up to it do.
  let before = columns.length;
  for (let at = own.length - 1; at >= 0 && (own[at] as number) >= began; at--) {
    const column = columnOf[(own[at] as number) - began] as number;
    if (isRolling) return Array.from({ length: Math.min(column + 1, columns.length) }, (_, each) => each);
    if (column < before) found.push(column);
    before = column;
  }
  return found;
}
