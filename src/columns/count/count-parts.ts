import type { Conditions } from '../conditions/conditions.ts';
import type { GroupValues } from '../conditions/groups.ts';
import type { Traffic } from '../contract.ts';
import type { SessionList } from '../kernels/session-set.ts';
import type { Gathered } from '../snapshot/gather.ts';
import type { Cache } from '../storage/cache.ts';
import type { Threads } from '../threads/threads.ts';

/** Inputs of counting by chunk. */
export interface CountParts {
  threads: Threads;
  cache: Cache;
  gathered: Gathered;
  conditions: Conditions | null;
  /** Visits that conditions name by number, found. */
  sets: SessionList[][];
  /** The filter as part of a key; null: partial results are not to be kept. */
  filterKey: string | null;
  /** The same where persons that are named make all the difference: with what they say of each chunk, it may be kept. */
  personsKey?: string | null;
  by: {
    of: 'events' | 'sessions';
    column: string;
    values: GroupValues;
    /** Of events: with persons. */
    withPersons: boolean;
    /** Of visits: with bounces and durations. */
    withLengths: boolean;
  } | null;
  /** Numbers of the names of the events that are counted; null: all. */
  names: number[] | null;
  /** Lists the visits with a matching view. */
  listsSessions: boolean;
  botMark: number;
  internalMark: number;
  /** Included traffic. */
  include: readonly Traffic[];
  bounceMs: number;
}
