/**
 * Session replay: what browsers recorded of visits. Owner of `replay_sessions`, `replay_blocks`, `replay_uuids` and `replay_usage`.
 * @see docs/replay.md
 */
import type { Blobs } from '#src/store/blobs.ts';
import type { Deps } from '#src/store/deps.ts';
import { createReading, type Reading } from './reading.ts';

export type Replays = Reading;

export interface ReplaysParts {
  blobs: Pick<Blobs, 'read'>;
}

export function createReplays(deps: Pick<Deps, 'db'>, parts: ReplaysParts): Replays {
  return createReading(deps, parts);
}
