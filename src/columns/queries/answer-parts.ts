import type { Knex } from 'knex';
import type { Groups } from '../conditions/groups.ts';
import type { EventNames } from '../snapshot/names.ts';
import type { Snapshots } from '../snapshot/snapshots.ts';
import type { Tails } from '../snapshot/tail.ts';
import type { Cache } from '../storage/cache.ts';
import type { Threads } from '../threads/threads.ts';

/** What every query is answered with. */
export interface AnswerParts {
  db: Knex;
  snapshots: Snapshots;
  cache: Cache;
  groups: Groups;
  names: EventNames;
  tails: Tails;
  threads: Threads;
  /** As of `queryPropertyRows`. */
  mostRowsRead?: number | undefined;
}
