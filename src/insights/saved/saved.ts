/** Saved insights: queries that a team keeps. Owner of `insights`, `insight_marks` and `insight_changes`. */
import type { Deps } from '#src/store/deps.ts';
import { createReading } from './reading.ts';
import type { SavedInsights, SavedParts } from './saved-insights.ts';
import { createWriting } from './writing.ts';

export type { InsightReader, InsightResult, SavedInsights, SavedParts } from './saved-insights.ts';

export function createSavedInsights(deps: Pick<Deps, 'db' | 'clock'>, parts: SavedParts): SavedInsights {
  const { find, ...reading } = createReading(deps, parts);
  return { ...reading, ...createWriting(deps, parts, { find, get: reading.get }) };
}
