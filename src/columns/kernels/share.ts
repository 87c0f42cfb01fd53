/** Counts who is in both of two sets of tallies: who viewed something and also did something. Pure. */
import type { MergePart, MergePlan } from './merge.ts';
import { currentOf } from './merges.ts';
import { openTally } from './tally.ts';

/** Counts by group; `people` over all groups. */
export interface Shared {
  persons: Int32Array;
  people: number;
}

const NOT_COUNTED = -1;

/** Group by group, and over all. */
export function share(
  { groups, mergedInto }: MergePlan,
  ones: readonly MergePart[],
  others: readonly MergePart[],
): Shared {
  const [inOnes, inOthers] = [listsOf(ones), listsOf(others)];
  const persons = new Int32Array(groups);
  for (let group = 0; group < groups; group++) {
    persons[group] = countShared(inOnes[group] ?? [], inOthers[group] ?? [], mergedInto);
  }
  const all = (lists: (Int32Array[] | undefined)[]) => lists.flatMap((own) => own ?? []);
  return { persons, people: countShared(all(inOnes), all(inOthers), mergedInto) };
}

/** By group, the number of its persons that are among the others, in any of their groups. */
export function shareWithAll(
  { groups, mergedInto }: MergePlan,
  ones: readonly MergePart[],
  others: readonly MergePart[],
): Shared {
  /** By person of the others, the last group that counted them. */
  const countedIn = new Map<number, number>();
  for (const lists of listsOf(others)) {
    for (const list of lists ?? [])
      for (const person of list) countedIn.set(currentOf(mergedInto, person), NOT_COUNTED);
  }
  const persons = new Int32Array(groups);
  let people = 0;
  for (const [group, lists] of listsOf(ones).entries()) {
    for (const list of lists ?? []) {
      for (const each of list) {
        const person = currentOf(mergedInto, each);
        const last = countedIn.get(person);
        if (last === undefined || last === group) continue;
        countedIn.set(person, group);
        if (last === NOT_COUNTED) people++;
        persons[group] = (persons[group] as number) + 1;
      }
    }
  }
  return { persons, people };
}

/** Person lists by group. */
function listsOf(parts: readonly MergePart[]): (Int32Array[] | undefined)[] {
  const lists: (Int32Array[] | undefined)[] = [];
  for (const { tally, shift } of parts) {
    const { ids, ends, persons } = openTally(tally);
    for (let at = 0; at < ids.length; at++) {
      const group = (ids[at] as number) + shift;
      const list = persons.subarray(at === 0 ? 0 : ends[at - 1], ends[at]);
      const known = lists[group];
      if (known === undefined) lists[group] = [list];
      else known.push(list);
    }
  }
  return lists;
}

function countShared(
  ones: readonly Int32Array[],
  others: readonly Int32Array[],
  mergedInto: Int32Array | null,
): number {
  if (ones.length === 0 || others.length === 0) return 0;
  // Mostly far fewer did something than viewed something: those are kept, and found once each.
  const waiting = new Set<number>();
  for (const list of others) for (const person of list) waiting.add(currentOf(mergedInto, person));
  const before = waiting.size;
  for (const list of ones) {
    for (const person of list) if (waiting.size > 0) waiting.delete(currentOf(mergedInto, person));
  }
  return before - waiting.size;
}
