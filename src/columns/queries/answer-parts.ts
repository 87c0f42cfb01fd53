import type { Knex } from 'knex';
import type { Groups } from '../conditions/groups.ts';
import type { GroupRegistry } from '../snapshot/group-numbers.ts';
import type { EventNames } from '../snapshot/names.ts';
import type { Snapshots } from '../snapshot/snapshots.ts';
import type { Tails } from '../snapshot/tail.ts';
import type { Cache } from '../storage/cache.ts';
import type { Threads } from '../threads/threads.ts';

/** Dependencies of all queries. */
export interface AnswerParts {
  db: Knex;
  snapshots: Snapshots;
  cache: Cache;
  groups: Groups;
  names: EventNames;
  tails: Tails;
  /** Numbers of groups such as companies. */
  registry: GroupRegistry;
  threads: Threads;
  /** Fires when nobody waits for the answer any more; absent: it goes on to its end. */
  ending?: AbortSignal | undefined;
  /** See `queryPropertyRows`. */
  mostRowsRead?: number | undefined;
}
