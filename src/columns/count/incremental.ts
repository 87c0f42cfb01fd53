/**
 * Counts that go through everything an actor did (funnels, retention, paths, activity), asked again: what was found in sealed chunks is
 * kept, and only those of whom something changed since are counted again. An actor is a person, or a visit.
 */
import { currentOf } from '../kernels/merges.ts';
import { intsOf } from '../kernels/shared.ts';
import { type ActorPart, actorsIn, type ChosenActors } from '../kernels/some-actors.ts';
import type { Cache } from '../storage/cache.ts';
import { serialOf } from '../storage/immutable.ts';
import type { Threads } from '../threads/threads.ts';

/** A part with what else its meaning depends on. */
export interface Piece<Part extends ActorPart = ActorPart> {
  part: Part;
  /** Differs when the same part means something else. */
  as: string;
}

export interface IncrementalCount<Own extends Piece, Found> {
  /** Identifies the question but for its data; null: nothing is kept. */
  key: string | null;
  /** In the order of storage. */
  pieces: readonly Own[];
  /** By person number, the person it was merged into; null: none was, or actors are visits. */
  mergedInto: Int32Array | null;
  /** What is found of these pieces and merges. */
  find(pieces: readonly Own[], mergedInto: Int32Array | null): Promise<Found>;
  /** `base` with what was found of the chosen actors (`before`) replaced by what is found of them now. */
  renew(base: Found, before: Found, now: Found, chosen: ChosenActors): Found;
  bytesOf(found: Found): number;
}

interface IncrementalParts {
  cache: Cache;
  threads: Threads;
  mostChanged?: number;
}

interface Kept<Found> {
  /** Names of the pieces that it was found in. */
  names: ReadonlySet<string>;
  mergedInto: Int32Array | null;
  found: Found;
}

/** When more than this share of all that was done is by actors of whom something changed, everything is counted. */
const MOST_CHANGED = 1 / 4;
/** Fewer pieces are counted as fast as looked up. */
const WORTH_KEEPING = 4;
/** A mark for each number between the first and the last. */
const MAX_MARKS = 1 << 25;
const NAME_BYTES = 40;

/** The same as `find` of all pieces. @param parts `mostChanged`: instead of `MOST_CHANGED` */
export async function countIncrementally<Own extends Piece, Found>(
  parts: IncrementalParts,
  count: IncrementalCount<Own, Found>,
): Promise<Found> {
  const { key, pieces, mergedInto } = count;
  const lasting = pieces.filter(({ part }) => serialOf(part) !== null);
  if (key === null || lasting.length < WORTH_KEEPING) return count.find(pieces, mergedInto);
  const names = new Set(lasting.map(nameOf));
  const before = parts.cache.get<Kept<Found>>(key);
  const isCurrent = before?.mergedInto === mergedInto && before.names.size === names.size && holds(names, before);
  const kept = isCurrent ? before : await keep(parts, count, { lasting, names, before });
  if (lasting.length === pieces.length) return kept.found;
  return (await renewed(parts, count, kept, pieces)) ?? count.find(pieces, mergedInto);
}

/** Counts in all that lasts, from what was kept of some of it where that is possible, and keeps it. */
async function keep<Own extends Piece, Found>(
  parts: IncrementalParts,
  count: IncrementalCount<Own, Found>,
  { lasting, names, before }: { lasting: readonly Own[]; names: Set<string>; before: Kept<Found> | undefined },
): Promise<Kept<Found>> {
  const { key, mergedInto } = count;
  const onto = before && holds(names, before) ? await renewed(parts, count, before, lasting) : null;
  const kept: Kept<Found> = { names, mergedInto, found: onto ?? (await count.find(lasting, mergedInto)) };
  if (key !== null) parts.cache.set(key, kept, count.bytesOf(kept.found) + names.size * NAME_BYTES);
  return kept;
}

/** What is found in the pieces, among which are all of what was kept; null: too much has changed. */
async function renewed<Own extends Piece, Found>(
  { threads, mostChanged = MOST_CHANGED }: IncrementalParts,
  { mergedInto, find, renew }: IncrementalCount<Own, Found>,
  kept: Kept<Found>,
  pieces: readonly Own[],
): Promise<Found | null> {
  const isOld = pieces.map((piece) => kept.names.has(nameOf(piece)));
  const added = pieces.filter((_, at) => !isOld[at]).map(({ part }) => part);
  const chosen = changedActors(added, kept.mergedInto, mergedInto);
  if (chosen === null) return null;
  const some = await partsOfSome(threads, pieces, chosen);
  if (sizeOf(some) > sizeOf(pieces) * mostChanged) return null;
  const [before, now] = await Promise.all([
    find(
      some.filter((_, at) => isOld[at]),
      kept.mergedInto,
    ),
    find(some, mergedInto),
  ]);
  return renew(kept.found, before, now, chosen);
}

/** The pieces with the chosen actors alone, by all threads. */
async function partsOfSome<Own extends Piece>(
  threads: Threads,
  pieces: readonly Own[],
  chosen: ChosenActors,
): Promise<Own[]> {
  const lists = Array.from({ length: threads.count }, (): number[] => []);
  const all = Math.max(sizeOf(pieces), 1);
  let sum = 0;
  for (const [at, { part }] of pieces.entries()) {
    lists[Math.min(Math.floor((sum * lists.length) / all), lists.length - 1)]?.push(at);
    sum += actorsIn(part).length;
  }
  const reduced: Own[] = [];
  const reduce = async (places: readonly number[]) => {
    const parts = places.map((place) => (pieces[place] as Own).part);
    const found = await threads.run({ task: 'partsOfSome', parts, chosen });
    for (const [at, place] of places.entries())
      reduced[place] = { ...(pieces[place] as Own), part: found[at] as ActorPart };
  };
  await Promise.all(lists.filter((places) => places.length > 0).map(reduce));
  return reduced;
}

/**
 * Who is in the parts or was merged or split since, and everybody who is or was one person with them. Null: too many to tell.
 * Exported for its test.
 */
export function changedActors(
  parts: readonly ActorPart[],
  mergedBefore: Int32Array | null,
  mergedNow: Int32Array | null,
): ChosenActors | null {
  const [before, now] = [mergedBefore ?? NOBODY, mergedNow ?? NOBODY];
  const formerOf = (person: number) => currentOf(before, person);
  const nowOf = (person: number) => currentOf(now, person);
  const moved: number[] = [];
  if (before !== now) {
    for (let person = 0; person < Math.max(before.length, now.length); person++) {
      if (formerOf(person) !== nowOf(person)) moved.push(person);
    }
  }
  const [from, until] = rangeOf(parts, [before, now]);
  if (until - from > MAX_MARKS) return null;
  const current = new Uint8Array(until - from);
  const mark = (person: number) => {
    current[nowOf(person) - from] = 1;
  };
  for (const part of parts) {
    const actors = actorsIn(part);
    for (let at = 0; at < actors.length; at++) mark(actors[at] as number);
  }
  for (const person of moved) {
    mark(person);
    mark(formerOf(person));
  }
  const marks = new Uint8Array(new SharedArrayBuffer(until - from));
  for (let person = from; person < until; person++) marks[person - from] = current[nowOf(person) - from] as number;
  return { from, marks };
}

/** All numbers that can occur, from the first to before the last: persons in merges may have other ones than those in the parts. */
function rangeOf(parts: readonly ActorPart[], merges: readonly Int32Array[]): [from: number, until: number] {
  const hasMerges = merges.some((list) => list.length > 0);
  let [from, until] = hasMerges ? [0, Math.max(...merges.map((list) => list.length))] : [Number.POSITIVE_INFINITY, 0];
  const widen = (actors: ArrayLike<number>) => {
    for (let at = 0; at < actors.length; at++) {
      const actor = actors[at] as number;
      if (actor < from) from = actor;
      if (actor >= until) until = actor + 1;
    }
  };
  for (const part of parts) widen(actorsIn(part));
  for (const list of merges) widen(list);
  return [Math.min(from, until), until];
}

/** Counts of `base` in which those of `before` are replaced by those of `now`. */
export function replaced(base: Int32Array, before: Int32Array, now: Int32Array): Int32Array<SharedArrayBuffer> {
  const counts = intsOf(base);
  for (let at = 0; at < counts.length; at++) {
    counts[at] = (counts[at] as number) - (before[at] as number) + (now[at] as number);
  }
  return counts;
}

const NOBODY = new Int32Array(0);

function sizeOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, { part }) => sum + actorsIn(part).length, 0);
}

function nameOf({ part, as }: Piece): string {
  return `${as}${serialOf(part) ?? ''}`;
}

function holds(names: ReadonlySet<string>, { names: kept }: Pick<Kept<unknown>, 'names'>): boolean {
  for (const name of kept) if (!names.has(name)) return false;
  return true;
}
