/** Adds tallies up: sums are added, persons are united after merges. Pure, but for memory that is used again. */
import { SCRATCH, scratch } from './scratch.ts';
import { openTally, type Tally, type TallyBytes } from './tally.ts';

export interface MergePart {
  tally: TallyBytes;
  /** Added to the numbers of its groups. */
  shift: number;
}

export interface MergePlan {
  /** How many groups there are. */
  groups: number;
  /** By number of a person, whom it was merged into; 0: nobody. */
  survivors: Int32Array | null;
  /** By number of a group as it was counted, the group that it is part of; below 0: none. Without it, itself. */
  into?: Int32Array | undefined;
  /** Persons are only counted of so many of the groups with the highest counts, and of those that have as many. Without it, of all. */
  commonest?: number | undefined;
}

/** By number of the group; `people` over all groups whose persons are counted. */
export interface Merged {
  counts: Float64Array;
  others: Float64Array;
  sums: Float64Array;
  extras: Float64Array;
  persons: Int32Array;
  people: number;
}

/**
 * Persons that were seen, by number: the round they were last seen in. Each group is a round, and rounds go on from call to call, so it
 * is never emptied.
 */
let rounds = new Int32Array(1 << 16);
let round = 0;
/** That of the first group of this call. */
let firstRound = 0;

export function merge(plan: MergePlan, parts: readonly MergePart[]): Merged {
  const { groups } = plan;
  const merged: Merged = {
    ...{ counts: new Float64Array(groups), others: new Float64Array(groups), sums: new Float64Array(groups) },
    ...{ extras: new Float64Array(groups), persons: new Int32Array(groups), people: 0 },
  };
  const tallies = parts.map(({ tally }) => openTally(tally));
  // For each group, which tallies tell of it, and where in them: side by side, in memory that is used again.
  const ends = new Int32Array(groups + 1);
  each(plan, parts, tallies, (group) => {
    ends[group + 1] = (ends[group + 1] as number) + 1;
  });
  for (let group = 0; group < groups; group++) ends[group + 1] = (ends[group + 1] as number) + (ends[group] as number);
  const told = ends[groups] as number;
  const [tallyOf, placeOf] = [scratch(SCRATCH.parts, told), scratch(SCRATCH.lists, told)];
  const next = ends.slice();
  each(plan, parts, tallies, (group, tally, place) => {
    const { counts, others, sums, extras } = tallies[tally] as Tally;
    merged.counts[group] = (merged.counts[group] as number) + (counts[place] as number);
    merged.others[group] = (merged.others[group] as number) + (others[place] as number);
    merged.sums[group] = (merged.sums[group] as number) + (sums[place] as number);
    merged.extras[group] = (merged.extras[group] as number) + (extras[place] as number);
    const at = next[group] as number;
    tallyOf[at] = tally;
    placeOf[at] = place;
    next[group] = at + 1;
  });
  const least = leastOf(merged.counts, plan.commonest);
  let first = true;
  for (let group = 0; group < groups; group++) {
    if ((merged.counts[group] as number) < least) continue;
    beginRound(first);
    first = false;
    for (let at = ends[group] as number; at < (ends[group + 1] as number); at++) {
      const { persons, ends: last } = tallies[tallyOf[at] as number] as Tally;
      const place = placeOf[at] as number;
      addPersons(persons, place === 0 ? 0 : (last[place - 1] as number), last[place] as number, plan.survivors);
    }
    merged.persons[group] = inGroup;
    merged.people = inAll;
  }
  return merged;
}

/** The least count of a group whose persons are wanted. */
function leastOf(counts: Float64Array, commonest: number | undefined): number {
  if (commonest === undefined || commonest >= counts.length) return 0;
  if (commonest === 0) return Number.POSITIVE_INFINITY;
  return counts.slice().sort()[counts.length - commonest] as number;
}

/** Calls for each group that a tally tells of, with the tally's number and the place in it. */
function each(
  { into }: MergePlan,
  parts: readonly MergePart[],
  tallies: readonly Tally[],
  call: (group: number, tally: number, place: number) => void,
): void {
  for (let tally = 0; tally < tallies.length; tally++) {
    const { ids } = tallies[tally] as Tally;
    const { shift } = parts[tally] as MergePart;
    for (let place = 0; place < ids.length; place++) {
      const counted = (ids[place] as number) + shift;
      const group = into === undefined ? counted : (into[counted] as number);
      if (group >= 0) call(group, tally, place);
    }
  }
}

/** Persons that were not seen before in the group, and in any group. */
let inGroup = 0;
let inAll = 0;

function addPersons(list: Int32Array, from: number, until: number, survivors: Int32Array | null): void {
  const known = survivors === null ? 0 : survivors.length;
  let [group, all] = [0, 0];
  for (let at = from; at < until; at++) {
    let person = list[at] as number;
    if (person < known) person = ((survivors as Int32Array)[person] as number) || person;
    if (person >= rounds.length) growTo(person);
    const seen = rounds[person] as number;
    if (seen === round) continue;
    rounds[person] = round;
    group++;
    if (seen < firstRound) all++;
  }
  inGroup += group;
  inAll += all;
}

/** @param isFirst of the groups that are united */
function beginRound(isFirst: boolean): void {
  if (round === 0x7fff_ffff) {
    // Those seen so far were seen in the round before the next one.
    for (let person = 0; person < rounds.length; person++)
      rounds[person] = (rounds[person] as number) < firstRound ? 0 : 1;
    [round, firstRound] = [1, 1];
  }
  round++;
  inGroup = 0;
  if (!isFirst) return;
  firstRound = round;
  inAll = 0;
}

function growTo(person: number): void {
  const larger = new Int32Array(Math.max(rounds.length * 2, person + 1));
  larger.set(rounds);
  rounds = larger;
}
