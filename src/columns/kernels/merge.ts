/** Adds tallies up: sums are added, persons are united after merges. Pure, but for memory that is used again. */
import { bitsIn } from './bits.ts';
import { currentOf } from './merges.ts';
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
  /** By person number, the person it was merged into; 0: none. */
  mergedInto: Int32Array | null;
  /** By counted group, the group that it is merged into; negative: none. Absent: itself. */
  into?: Int32Array | undefined;
  /** Persons are only counted of so many of the groups with the highest counts, and of those that have as many. Without it, of all. */
  commonest?: number | undefined;
  /** Persons are only counted of these groups. Without it, see `commonest`. */
  only?: readonly number[] | undefined;
  /** Groups are divided into so many shares (`of`), with about as many persons to go through in each: only those of one are counted. Without it, of all. */
  share?: { at: number; of: number } | undefined;
}

/** By group; `people` over all groups, 0 when the persons of some are not counted. */
export interface Merged {
  counts: Float64Array;
  others: Float64Array;
  sums: Float64Array;
  extras: Float64Array;
  persons: Int32Array;
  people: number;
}

export function merge(plan: MergePlan, parts: readonly MergePart[]): Merged {
  return mergeWith(plan, parts, () => undefined).merged;
}

/** @param take gets the persons of each group that is counted, a bit for each; good until it returns */
export function mergeWith(
  plan: MergePlan,
  parts: readonly MergePart[],
  take: (group: number, bits: Int32Array) => void,
): { merged: Merged; all: Int32Array } {
  const { groups } = plan;
  const merged: Merged = {
    counts: new Float64Array(groups),
    others: new Float64Array(groups),
    sums: new Float64Array(groups),
    extras: new Float64Array(groups),
    persons: new Int32Array(groups),
    people: 0,
  };
  const tallies = parts.map(({ tally }) => openTally(tally));
  // For each group, its tallies and offsets, contiguous, in reused memory.
  const ends = new Int32Array(groups + 1);
  each(plan, parts, tallies, (group) => {
    ends[group + 1] = (ends[group + 1] as number) + 1;
  });
  for (let group = 0; group < groups; group++) ends[group + 1] = (ends[group + 1] as number) + (ends[group] as number);
  const pairs = ends[groups] as number;
  const [tallyOf, placeOf] = [scratch(SCRATCH.parts, pairs), scratch(SCRATCH.lists, pairs)];
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
  const least = minOf(merged.counts, plan.commonest);
  const occurrencesOf = (group: number): Occurrences => ({
    lists: tallyOf.subarray(ends[group], ends[group + 1]),
    places: placeOf.subarray(ends[group], ends[group + 1]),
  });
  let counted = plan.only ?? Array.from({ length: groups }, (_, group) => group);
  if (plan.only === undefined) counted = counted.filter((group) => (merged.counts[group] as number) >= least);
  if (plan.share) counted = shareOf(counted, (group) => countListed(tallies, occurrencesOf(group)), plan.share);
  // To prepare it takes a look at everybody.
  const persons = new Persons(counted.length > 0 ? plan.mergedInto : null);
  for (const group of counted) {
    const { lists, places } = occurrencesOf(group);
    merged.persons[group] = persons.count(tallies, lists, places);
    if (lists.length > 0) take(group, persons.group);
    persons.endGroup(tallies, lists, places);
  }
  merged.people = countsAll(plan) ? persons.inAll : 0;
  return { merged, all: persons.all };
}

/** True when the persons of all groups are counted. */
export function countsAll({ commonest, only }: MergePlan): boolean {
  return commonest === undefined && only === undefined;
}

/** The occurrences of a group in tallies. */
interface Occurrences {
  /** Numbers of tallies, and where in each. */
  lists: Int32Array;
  places: Int32Array;
}

/** The groups of one share, ascending: the largest are dealt out first, each to the share with least. */
function shareOf(
  groups: readonly number[],
  sizeOf: (group: number) => number,
  { at, of }: NonNullable<MergePlan['share']>,
): number[] {
  const all = groups.map((group) => ({ group, size: sizeOf(group) }));
  all.sort((one, other) => other.size - one.size || one.group - other.group);
  const sums = Array.from({ length: of }, () => 0);
  const own: number[] = [];
  for (const { group, size } of all) {
    const place = sums.indexOf(Math.min(...sums));
    sums[place] = (sums[place] as number) + size + GROUP_COSTS;
    if (place === at) own.push(group);
  }
  return own.sort((one, other) => one - other);
}

/** Fixed cost of a group, in persons. */
const GROUP_COSTS = 100;

/** How many persons are listed, each as often as it is. @param enough beyond this it need not be known */
function countListed(
  tallies: readonly Tally[],
  { lists, places }: Occurrences,
  enough = Number.POSITIVE_INFINITY,
): number {
  let sum = 0;
  for (let at = 0; at < lists.length && sum <= enough; at++) {
    const { ends } = tallies[lists[at] as number] as Tally;
    const place = places[at] as number;
    sum += (ends[place] as number) - beginOf(ends, place);
  }
  return sum;
}

/** Minimum count of a group with counted persons. */
export function minOf(counts: Float64Array, commonest: number | undefined): number {
  if (commonest === undefined || commonest >= counts.length) return 0;
  if (commonest === 0) return Number.POSITIVE_INFINITY;
  return counts.slice().sort()[counts.length - commonest] as number;
}

/** Calls for each group of each tally, with the tally's index and the offset in it. */
export function each(
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

/** Persons seen, a bit for each: in the group, and in all groups. */
export class Persons {
  inAll = 0;
  group = new Int32Array(1024);
  all = new Int32Array(1024);
  private marks = new Uint8Array(1024 * 32);
  private readonly mergedInto: Int32Array;
  /** Bitmap of merged persons: few, so that one cached look-up mostly suffices. */
  private readonly merged: Int32Array;
  private readonly gone: number[] = [];

  constructor(mergedInto: Int32Array | null) {
    this.mergedInto = mergedInto ?? new Int32Array(0);
    this.merged = new Int32Array((this.mergedInto.length >> 5) + 1);
    for (let person = 0; person < this.mergedInto.length; person++) {
      if (this.mergedInto[person] === 0) continue;
      this.gone.push(person);
      this.merged[person >> 5] = (this.merged[person >> 5] as number) | (1 << (person & 31));
    }
  }

  /** Counts the distinct persons of a group; they are in `group` until it ends. */
  count(tallies: readonly Tally[], lists: Int32Array, places: Int32Array): number {
    const isLarge = this.isLarge(tallies, lists, places);
    let count = 0;
    for (let at = 0; at < lists.length; at++) {
      const [tally, place] = [tallies[lists[at] as number] as Tally, places[at] as number];
      if (isLarge) this.mark(tally, place);
      else count += this.add(tally, place);
    }
    return isLarge ? this.countMarked() : count;
  }

  /** Clears the group: completely, or person by person when it is small. */
  endGroup(tallies: readonly Tally[], lists: Int32Array, places: Int32Array): void {
    if (this.isLarge(tallies, lists, places)) this.group.fill(0);
    else
      for (let at = 0; at < lists.length; at++)
        this.remove(tallies[lists[at] as number] as Tally, places[at] as number);
  }

  /** True when clearing everything is cheaper than clearing each person. */
  private isLarge(tallies: readonly Tally[], lists: Int32Array, places: Int32Array): boolean {
    return countListed(tallies, { lists, places }, this.group.length) > this.group.length;
  }

  /**
   * Marks the persons of one place of a tally, in a byte each, and nothing else: whether someone was seen, or was merged, is unpredictable,
   * and a bit that is added to what was just written has to wait for it.
   */
  private mark({ persons, ends }: Tally, place: number): void {
    const until = ends[place] as number;
    let { marks } = this;
    for (let at = beginOf(ends, place); at < until; at++) {
      const person = persons[at] as number;
      if (person >= marks.length) marks = this.moreMarks(person);
      marks[person] = 1;
    }
  }

  private moreMarks(person: number): Uint8Array<ArrayBuffer> {
    const marks = new Uint8Array(Math.max(this.marks.length * 2, (person | 31) + 1));
    marks.set(this.marks);
    this.marks = marks;
    return marks;
  }

  /** Unites the marked, makes bits of their marks, and takes these away. @returns how many they are */
  private countMarked(): number {
    const { gone, mergedInto } = this;
    const found: number[] = [];
    for (let at = 0; at < gone.length; at++) {
      const person = gone[at] as number;
      if (person >= this.marks.length || this.marks[person] === 0) continue;
      this.marks[person] = 0;
      found.push(mergedInto[person] as number);
    }
    for (const survivor of found) {
      if (survivor >= this.marks.length) this.moreMarks(survivor);
      this.marks[survivor] = 1;
    }
    const { marks } = this;
    const words = marks.length >> 5;
    if (words > this.group.length) this.growTo(words - 1);
    const { group, all } = this;
    const bytes = new Int32Array(marks.buffer);
    let [inGroup, inAll] = [0, 0];
    for (let word = 0; word < words; word++) {
      let own = 0;
      for (let at = (word << 3) + 7; at >= word << 3; at--)
        own = (own << 4) | (Math.imul(bytes[at] as number, 0x0102_0408) >>> 24);
      if (own === 0) continue;
      group[word] = own;
      const ever = all[word] as number;
      inGroup += bitsIn(own);
      inAll += bitsIn(own & ~ever);
      all[word] = ever | own;
    }
    marks.fill(0);
    this.inAll += inAll;
    return inGroup;
  }

  /** Adds the persons of one place of a tally to the group. @returns how many were not in it */
  private add({ persons, ends }: Tally, place: number): number {
    const { merged, mergedInto } = this;
    const until = ends[place] as number;
    let { group, all } = this;
    let [inGroup, inAll] = [0, 0];
    for (let at = beginOf(ends, place); at < until; at++) {
      let person = persons[at] as number;
      let word = person >> 5;
      let bit = 1 << (person & 31);
      if (word < merged.length && ((merged[word] as number) & bit) !== 0) {
        person = mergedInto[person] as number;
        word = person >> 5;
        bit = 1 << (person & 31);
      }
      if (word >= group.length) {
        group = this.growTo(word);
        all = this.all;
      }
      const seen = group[word] as number;
      if ((seen & bit) !== 0) continue;
      group[word] = seen | bit;
      inGroup++;
      const ever = all[word] as number;
      if ((ever & bit) !== 0) continue;
      all[word] = ever | bit;
      inAll++;
    }
    this.inAll += inAll;
    return inGroup;
  }

  private remove({ persons, ends }: Tally, place: number): void {
    for (let at = beginOf(ends, place); at < (ends[place] as number); at++) {
      const person = persons[at] as number;
      const survivor = currentOf(this.mergedInto, person);
      this.group[survivor >> 5] = 0;
    }
  }

  /** @returns the larger `group` */
  private growTo(word: number): Int32Array<ArrayBuffer> {
    const length = Math.max(this.group.length * 2, word + 1);
    const [group, all] = [new Int32Array(length), new Int32Array(length)];
    group.set(this.group);
    all.set(this.all);
    this.group = group;
    this.all = all;
    return group;
  }
}

function beginOf(ends: Int32Array, place: number): number {
  return place === 0 ? 0 : (ends[place - 1] as number);
}

/** How many persons there are. */
export function personsOf(bits: Int32Array): number {
  let persons = 0;
  for (let word = 0; word < bits.length; word++) persons += bitsIn(bits[word] as number);
  return persons;
}
