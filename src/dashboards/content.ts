/** The content of a dashboard, as it is stored. */
import * as z from 'zod/mini';
import { invalid } from '#src/kit/errors.ts';
import { content, type DashboardContent } from './contract.ts';
import { CONTENT_VERSION } from './values.ts';

const stored = z.object({ version: z.int() });

/** A stored content in the present version. @throws for one that no version ever wrote */
export function openContent(value: unknown): DashboardContent {
  const { version } = stored.parse(value);
  if (version !== CONTENT_VERSION) throw new Error(`A dashboard is stored in version ${version}, which is unknown.`);
  const { version: _, ...rest } = value as Record<string, unknown>;
  return content.parse(rest);
}

/** Characters of a content as JSON: forty tiles of text are less. */
const MAX_CONTENT = 500_000;

/** What is stored. @throws AppError `invalid` for one that is too large */
export function storedContent(given: DashboardContent): object {
  const value = { version: CONTENT_VERSION, ...given };
  if (JSON.stringify(value).length > MAX_CONTENT) throw invalid('content', 'This dashboard is too large.');
  return value;
}

/** Goals that tiles show numbers of, each once. */
export function goalsIn({ tiles }: DashboardContent): number[] {
  return [...new Set(tiles.flatMap((tile) => (tile.kind === 'goal' ? [tile.goal] : [])))];
}

/** Insights that tiles show, each once. */
export function insightsIn({ tiles }: DashboardContent): number[] {
  return [...new Set(tiles.flatMap((tile) => (tile.kind === 'insight' ? [tile.insight] : [])))];
}
