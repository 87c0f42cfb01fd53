/** Adds tallies up: sums are added, persons are united after merges. Pure, but for memory that is used again. */
import { openTally, type TallyBytes } from './tally.ts';

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

export function merge({ groups, survivors }: MergePlan, parts: readonly MergePart[]): Merged {
  const merged: Merged = {
    ...{ counts: new Float64Array(groups), others: new Float64Array(groups), sums: new Float64Array(groups) },
    ...{ extras: new Float64Array(groups), persons: new Int32Array(groups), people: 0 },
  };
  const lists: Int32Array[][] = [];
  for (const { tally, shift } of parts) {
    const { ids, ends, counts, others, sums, extras, persons } = openTally(tally);
    for (let at = 0; at < ids.length; at++) {
      const group = (ids[at] as number) + shift;
      merged.counts[group] = (merged.counts[group] as number) + (counts[at] as number);
      merged.others[group] = (merged.others[group] as number) + (others[at] as number);
      merged.sums[group] = (merged.sums[group] as number) + (sums[at] as number);
      merged.extras[group] = (merged.extras[group] as number) + (extras[at] as number);
      const list = persons.subarray(at === 0 ? 0 : ends[at - 1], ends[at]);
      const known = lists[group];
      if (known === undefined) lists[group] = [list];
      else known.push(list);
    }
  }
  for (let group = 0; group < groups; group++) {
    const own = lists[group];
    if (own !== undefined) merged.persons[group] = countUnited(own, survivors);
  }
  merged.people = countUnited(
    lists.flatMap((own) => own ?? []),
    survivors,
  );
  return merged;
}

function countUnited(lists: readonly Int32Array[], survivors: Int32Array | null): number {
  nextRound();
  let count = 0;
  for (const list of lists) {
    for (let at = 0; at < list.length; at++) {
      let person = list[at] as number;
      if (survivors !== null && person < survivors.length) person = (survivors[person] as number) || person;
      if (person >= rounds.length) growTo(person);
      if (rounds[person] === round) continue;
      rounds[person] = round;
      count++;
    }
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
