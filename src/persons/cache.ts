/**
 * Cache of distinct ids and persons in this process, so that events of known visitors need no database query.
 * Bounded. Entries may be stale after a merge or split, which is
 * harmless: events keep the old number, which is mapped on read or corrected after a minute, and changes lock the person's row and detect it.
 * Entries change only after a commit.
 */
import { createRecent, createRecentOf, type Recent, type RecentOf } from '#src/kit/recent.ts';

export interface PersonEntry {
  readonly number: number;
  createdAt: number;
  identified: boolean;
  hasProfile: boolean;
  /**
   * Names of properties that no `$set_once` of `settledAt` or later can change; null: not known. Persons with the same names
   * share one set.
   */
  settled: ReadonlySet<string> | null;
  /** Times before this one may still change a settled property. */
  settledAt: number;
  /** How many ids had been taken out of the person: when there are more, some id may not be theirs any more. */
  readonly splits: number;
  /** No longer true: read the person again. */
  stale: boolean;
}

export interface IdEntry {
  /** Number of the distinct id. */
  readonly number: number;
  readonly person: PersonEntry;
  /** Event times of the merges that brought the id to its person, in their order. */
  readonly joinedAt: readonly number[];
}

/** About 25 MB when full. */
const MAX_IDS = 80_000;
/** Bounds the size of ids that are long or were merged often. */
const MAX_ID_BYTES = 40 * 1024 * 1024;
/** Overhead of an id besides its text and merge times. */
const ID_BYTES = 200;
/** Sets of names that are shared; a project has some hundred at most unless its senders invent names. */
const MAX_SHAPES = 2_000;
const MAX_SHAPE_BYTES = 8 * 1024 * 1024;
/** Overhead of a name in a set. */
const NAME_BYTES = 50;

export interface PersonCache {
  id(projectId: number, distinctId: string): IdEntry | undefined;
  putId(projectId: number, distinctId: string, entry: IdEntry): void;
  /** The entry of a person that some id brought in, to be shared by its other ids. */
  person(projectId: number, number: number): PersonEntry | undefined;
  /** One set for equal names. */
  shape(names: string[]): ReadonlySet<string>;
  /** Invalidates the person's entry. */
  forget(projectId: number, person: number): void;
  clear(): void;
}

export function createPersonCache(): PersonCache {
  const ids: RecentOf<IdEntry> = createRecentOf(MAX_IDS, {
    maxBytes: MAX_ID_BYTES,
    bytesOf: (distinctId, { joinedAt }) => ID_BYTES + 2 * distinctId.length + 8 * joinedAt.length,
  });
  const persons: Recent<number, PersonEntry> = createRecent(MAX_IDS);
  const shapes: Recent<string, ReadonlySet<string>> = createRecent(MAX_SHAPES, {
    maxBytes: MAX_SHAPE_BYTES,
    bytesOf: (names, { size }) => 4 * names.length + NAME_BYTES * size,
  });
  return {
    id(projectId, distinctId) {
      const entry = ids.get(projectId, distinctId);
      return entry?.person.stale ? undefined : entry;
    },
    putId(projectId, distinctId, entry) {
      ids.set(projectId, distinctId, entry);
      persons.set(keyOf(projectId, entry.person.number), entry.person);
    },
    person(projectId, number) {
      const entry = persons.get(keyOf(projectId, number));
      return entry?.stale ? undefined : entry;
    },
    shape(names) {
      const key = names.sort().join('\0');
      let shape = shapes.get(key);
      if (shape === undefined) {
        shape = new Set(names);
        shapes.set(key, shape);
      }
      return shape;
    },
    forget(projectId, person) {
      const entry = persons.get(keyOf(projectId, person));
      if (entry !== undefined) entry.stale = true;
    },
    clear() {
      ids.clear();
      persons.clear();
    },
  };
}

/** Numbers of persons are PostgreSQL's integers. */
function keyOf(projectId: number, person: number): number {
  return projectId * 0x1_0000_0000 + person;
}
