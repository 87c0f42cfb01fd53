/**
 * Session replay: what browsers recorded of visits. Owner of `replay_sessions`, `replay_blocks`, `replay_uuids`,
 * `replay_usage`, `replay_views` and `replay_comments`.
 * @see docs/replay.md
 */
import type { RecordingStore } from '#src/collect/recordings/contract.ts';
import type { Blobs } from '#src/store/blobs.ts';
import type { Deps } from '#src/store/deps.ts';
import { createHeatmaps, type Heatmaps } from './heatmaps/heatmaps.ts';
import { createKeeping, type Keeping } from './keeping.ts';
import { createPacking, type Packing } from './packing/packing.ts';
import { createReplayPartitions } from './partitions.ts';
import { createReading, type Reading } from './reading.ts';
import { createStoring, type Storing } from './storing.ts';
import { createWatching, type Watching, type WatchingParts } from './watching/watching.ts';

export interface Recordings extends Reading, Omit<Keeping, 'budget' | 'noteStored'> {
  /** What the collector needs. */
  recordings: RecordingStore;
  /** Recurring work: packs recordings that are over. */
  pack: Packing;
  /** Recurring work: forgets which copies were stored days ago. */
  tidy: Storing['tidy'];
}

export interface Replays extends Recordings, Watching, Heatmaps {}

export interface RecordingsParts {
  blobs: Pick<Blobs, 'keep' | 'read' | 'setExpiry' | 'isHosted' | 'tidy'>;
}

export interface ReplaysParts extends RecordingsParts, Omit<WatchingParts, 'reading'> {}

export function createReplays(deps: Pick<Deps, 'db' | 'clock' | 'log'>, { blobs, ...watched }: ReplaysParts): Replays {
  const recordings = createRecordings(deps, { blobs });
  const parts = { ...watched, reading: recordings };
  return { ...recordings, ...createWatching(deps, parts), ...createHeatmaps(deps, parts) };
}

/** Recordings as they are stored. */
export function createRecordings(deps: Pick<Deps, 'db' | 'clock' | 'log'>, { blobs }: RecordingsParts): Recordings {
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
