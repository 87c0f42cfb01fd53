/**
 * Who is in the cohorts that conditions name. Their people are kept in memory, sorted by number (4 bytes each), and looked at again after a
 * minute; only those of changed cohorts are read again.
 */
import type { Clock } from '#src/kit/clock.ts';
import type { Queryable } from '#src/store/sql.ts';
import * as queries from './queries.ts';

export interface CohortMembers {
  /** Those of these cohorts that the person is in; deleted ones have nobody. @throws when the database is away */
  of(projectId: number, cohorts: readonly number[], person: number): Promise<ReadonlySet<number>>;
}

const MAX_AGE_MS = 60_000;
const MAX_PROJECTS = 100;
/** Bytes of one person's number. */
const SIZE = 4;

interface Members {
  version: string;
  /** Numbers as 32-bit integers, ascending. */
  people: Buffer;
}

interface Entry {
  members: ReadonlyMap<number, Members>;
  /** Monotonic ms. */
  readAt: number;
  reading: Promise<void> | null;
}

export function createCohortMembers(on: Queryable, clock: Pick<Clock, 'elapsed'>): CohortMembers {
  const entries = new Map<number, Entry>();

  function entryOf(projectId: number): Entry {
    let entry = entries.get(projectId);
    if (entry === undefined) {
      entry = { members: new Map(), readAt: Number.NEGATIVE_INFINITY, reading: null };
      const [oldest] = entries.size >= MAX_PROJECTS ? entries.keys() : [];
      if (oldest !== undefined) entries.delete(oldest);
      entries.set(projectId, entry);
    }
    return entry;
  }

  async function read(projectId: number, entry: Entry, cohorts: readonly number[]): Promise<void> {
    const readAt = clock.elapsed();
    const members = new Map<number, Members>();
    for (const { id, version } of await queries.cohortVersions(on, projectId, cohorts)) {
      const known = entry.members.get(id);
      const isSame = known?.version === version;
      members.set(id, isSame ? known : { version, people: await queries.cohortPeople(on, projectId, id) });
    }
    for (const id of cohorts) if (!members.has(id)) members.set(id, { version: '', people: Buffer.alloc(0) });
    entry.members = members;
    entry.readAt = readAt;
  }

  return {
    async of(projectId, cohorts, person) {
      const entry = entryOf(projectId);
      const isKnown = cohorts.every((id) => entry.members.has(id));
      if (!isKnown || clock.elapsed() - entry.readAt > MAX_AGE_MS) {
        // One that began before may be of other cohorts.
        if (!isKnown) await entry.reading?.catch(() => undefined);
        entry.reading ??= read(projectId, entry, cohorts).finally(() => {
          entry.reading = null;
        });
        // Members of a minute ago are better than none.
        if (isKnown) entry.reading.catch(() => undefined);
        else await entry.reading;
      }
      return new Set(cohorts.filter((id) => has(entry.members.get(id)?.people, person)));
    },
  };
}

/** Binary search. */
function has(people: Buffer | undefined, person: number): boolean {
  if (people === undefined) return false;
  let from = 0;
  let to = people.length / SIZE;
  while (from < to) {
    const middle = (from + to) >>> 1;
    const number = people.readInt32BE(middle * SIZE);
    if (number === person) return true;
    if (number < person) from = middle + 1;
    else to = middle;
  }
  return false;
}
