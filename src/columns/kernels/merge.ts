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
  /** Which persons are counted: those of each group, or those of all groups together. Without it, both. */
  unites?: 'groups' | 'people';
  /** Persons are counted in every so many groups only, so that threads can share them. Without it, in all. */
  share?: { of: number; at: number };
}

/** By number of the group; `people` over all groups. */
export interface Merged {
  counts: Float64Array;
  others: Float64Array;
  sums: Float64Array;
  extras: Float64Array;
  persons: Int32Array;
  people: number;
}

/** Persons that were seen, by number: the round they were last seen in. Rounds go on from call to call, so it is never emptied. */
let rounds = new Int32Array(1 << 16);
let round = 0;

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
  const { unites = 'both', share = { of: 1, at: 0 } } = plan;
  if (unites !== 'people') {
    for (let group = share.at; group < groups; group += share.of) {
      nextRound();
      let count = 0;
      for (let at = ends[group] as number; at < (ends[group + 1] as number); at++) {
        const { persons, ends: last } = tallies[tallyOf[at] as number] as Tally;
        const place = placeOf[at] as number;
        count += addPersons(
          persons,
          place === 0 ? 0 : (last[place - 1] as number),
          last[place] as number,
          plan.survivors,
        );
      }
      merged.persons[group] = count;
    }
  }
  if (unites === 'groups') return merged;
  nextRound();
  for (let at = 0; at < told; at++) {
    const { persons, ends: last } = tallies[tallyOf[at] as number] as Tally;
    const place = placeOf[at] as number;
    merged.people += addPersons(
      persons,
      place === 0 ? 0 : (last[place - 1] as number),
      last[place] as number,
      plan.survivors,
    );
  }
  return merged;
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

/** How many of the persons were not seen in this round. */
function addPersons(persons: Int32Array, from: number, until: number, survivors: Int32Array | null): number {
  let count = 0;
  for (let at = from; at < until; at++) {
    let person = persons[at] as number;
    if (survivors !== null && person < survivors.length) person = (survivors[person] as number) || person;
    if (person >= rounds.length) growTo(person);
    if (rounds[person] === round) continue;
    rounds[person] = round;
    count++;
  }
  return count;
}

function nextRound(): void {
  round++;
  if (round < 0x7fff_ffff) return;
  rounds.fill(0);
  round = 1;
}

function growTo(person: number): void {
  const larger = new Int32Array(Math.max(rounds.length * 2, person + 1));
  larger.set(rounds);
  rounds = larger;
}
