/**
 * Tallies that are merged once and kept, for others to be added to: of a question that is asked again, only what came since is new. Pure.
 */
import {
  countsAll,
  each,
  type Merged,
  type MergePart,
  type MergePlan,
  mergeWith,
  minOf,
  Persons,
  personsOf,
} from './merge.ts';
import { currentOf } from './merges.ts';
import { floatsOf, intsOf, sharedInts } from './shared.ts';
import { openTally, type Tally } from './tally.ts';

/** A merge result in shared memory. */
export interface MergeBase {
  merged: Merged;
  /** Persons of all groups, a bit for each; empty when only those of the commonest are counted. */
  all: Int32Array;
  /** Person sets of some groups. */
  sets: readonly KnownPersons[];
}

/** Groups of which the persons are known, and a bit for each person: `words` for a group. */
interface KnownPersons {
  groups: Int32Array;
  bits: Int32Array;
  words: number;
}

/** Maximum words of a bitmap: a megabyte. */
const MAX_WORDS = 262_144;

export function mergeBase(plan: MergePlan, parts: readonly MergePart[]): MergeBase {
  const groups: number[] = [];
  const sets: Int32Array[] = [];
  let room = countsAll(plan) ? 0 : MAX_WORDS;
  const { merged, all } = mergeWith(plan, parts, (group, bits) => {
    room -= bits.length;
    if (room < 0) return;
    groups.push(group);
    sets.push(bits.slice());
  });
  const words = sets.reduce((most, set) => Math.max(most, set.length), 0);
  const bits = sharedInts(words * sets.length);
  for (const [place, set] of sets.entries()) bits.set(set, place * words);
  return {
    merged: {
      counts: floatsOf(merged.counts),
      others: floatsOf(merged.others),
      sums: floatsOf(merged.sums),
      extras: floatsOf(merged.extras),
      persons: intsOf(merged.persons),
      people: merged.people,
    },
    all: intsOf(countsAll(plan) ? all : []),
    sets: [{ groups: intsOf(groups), bits, words }],
  };
}

/** Shares of the same merging, all of them, as one. */
export function joinShares(shares: readonly MergeBase[]): MergeBase {
  const [first] = shares as [MergeBase];
  const { counts, others, sums, extras, persons } = first.merged;
  const all = sharedInts(shares.reduce((most, share) => Math.max(most, share.all.length), 0));
  for (const share of shares) {
    for (let word = 0; word < share.all.length; word++) all[word] = (all[word] as number) | (share.all[word] as number);
  }
  const counted = intsOf(persons);
  for (const share of shares.slice(1)) {
    for (let group = 0; group < counted.length; group++)
      counted[group] = (counted[group] as number) + (share.merged.persons[group] as number);
  }
  return {
    merged: { counts, others, sums, extras, persons: counted, people: personsOf(all) },
    all,
    sets: shares.flatMap(({ sets }) => sets),
  };
}

export function bytesOfBase({ merged, all, sets }: MergeBase): number {
  const ofSets = sets.reduce((sum, { groups, bits }) => sum + groups.length + bits.length, 0);
  return merged.counts.length * 36 + (all.length + ofSets) * 4;
}

/** The same as merging all parts at once. @param parts the parts of the base @param fresh the parts to add */
export function mergeOnto(
  plan: MergePlan,
  base: MergeBase,
  parts: readonly MergePart[],
  fresh: readonly MergePart[],
): Merged {
  const merged: Merged = {
    counts: base.merged.counts.slice(),
    others: base.merged.others.slice(),
    sums: base.merged.sums.slice(),
    extras: base.merged.extras.slice(),
    persons: base.merged.persons.slice(),
    people: base.merged.people,
  };
  const tallies = fresh.map(({ tally }) => openTally(tally));
  const places = new Map<number, [tally: Tally, place: number][]>();
  each(plan, fresh, tallies, (group, at, place) => {
    const tally = tallies[at] as Tally;
    for (const figure of ['counts', 'others', 'sums', 'extras'] as const) {
      merged[figure][group] = (merged[figure][group] as number) + (tally[figure][place] as number);
    }
    const known = places.get(group);
    if (known) known.push([tally, place]);
    else places.set(group, [[tally, place]]);
  });
  const least = minOf(merged.counts, plan.commonest);
  const only = plan.only && new Set(plan.only);
  const isWanted = (group: number) => only?.has(group) ?? (merged.counts[group] as number) >= least;
  for (let group = 0; group < plan.groups; group++) if (!isWanted(group)) merged.persons[group] = 0;
  const setOf = new Map(
    base.sets.flatMap((set) => Array.from(set.groups, (group, at) => [group, { ...set, from: at * set.words }])),
  );
  const unknown = new Set<number>();
  const everybody = new Set<number>();
  for (const [group, known] of places) {
    const set = setOf.get(group);
    const isCounted = isWanted(group);
    if (isCounted && set === undefined) unknown.add(group);
    const newcomers = new Set<number>();
    for (const [{ persons, ends }, place] of known) {
      for (let at = place === 0 ? 0 : (ends[place - 1] as number); at < (ends[place] as number); at++) {
        const person = currentOf(plan.mergedInto, persons[at] as number);
        if (set !== undefined && !isIn(set.bits, set.from, set.words, person)) newcomers.add(person);
        if (countsAll(plan) && !isIn(base.all, 0, base.all.length, person)) everybody.add(person);
      }
    }
    if (isCounted && set !== undefined) merged.persons[group] = (merged.persons[group] as number) + newcomers.size;
  }
  merged.people += everybody.size;
  if (unknown.size > 0) countAgain(plan, merged, unknown, [...parts, ...fresh]);
  return merged;
}

/** Persons of some groups from the beginning. */
function countAgain(plan: MergePlan, merged: Merged, groups: ReadonlySet<number>, parts: readonly MergePart[]): void {
  const tallies = parts.map(({ tally }) => openTally(tally));
  const byGroup = new Map<number, { lists: number[]; places: number[] }>();
  for (const group of groups) byGroup.set(group, { lists: [], places: [] });
  each(plan, parts, tallies, (group, tally, place) => {
    const own = byGroup.get(group);
    own?.lists.push(tally);
    own?.places.push(place);
  });
  const persons = new Persons(plan.mergedInto);
  for (const [group, { lists, places }] of byGroup) {
    const own = [tallies, Int32Array.from(lists), Int32Array.from(places)] as const;
    merged.persons[group] = persons.count(...own);
    persons.endGroup(...own);
  }
}

function isIn(bits: Int32Array, from: number, words: number, person: number): boolean {
  const word = person >> 5;
  return word < words && ((bits[from + word] as number) & (1 << (person & 31))) !== 0;
}
