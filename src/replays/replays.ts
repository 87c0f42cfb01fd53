/**
 * Session replay: what browsers recorded of visits. Owner of `replay_sessions`, `replay_blocks`, `replay_uuids` and `replay_usage`.
 * @see docs/replay.md
 */
import type { RecordingStore } from '#src/collect/recordings/contract.ts';
import type { Blobs } from '#src/store/blobs.ts';
import type { Deps } from '#src/store/deps.ts';
import { createKeeping, type Keeping } from './keeping.ts';
import { createPacking, type Packing } from './packing/packing.ts';
import { createReplayPartitions } from './partitions.ts';
import { createReading, type Reading } from './reading.ts';
import { createStoring, type Storing } from './storing.ts';

export interface Replays extends Reading, Omit<Keeping, 'budget' | 'noteStored'> {
  /** What the collector needs. */
  recordings: RecordingStore;
  /** Recurring work: packs recordings that are over. */
  pack: Packing;
  /** Recurring work: forgets which copies were stored days ago. */
  tidy: Storing['tidy'];
}

export interface ReplaysParts {
  blobs: Pick<Blobs, 'keep' | 'read' | 'setExpiry' | 'isHosted' | 'tidy'>;
}

export function createReplays(deps: Pick<Deps, 'db' | 'clock' | 'log'>, { blobs }: ReplaysParts): Replays {
  const partitions = createReplayPartitions(deps.db);
  const { budget, noteStored, ...keeping } = createKeeping(deps, { blobs, partitions });
  const { tidy, ...storing } = createStoring(deps, partitions, noteStored);
  return {
    ...createReading(deps, { blobs }),
    ...keeping,
    recordings: { ...storing, budget },
    pack: createPacking(deps, { blobs }),
    tidy,
  };
}
