/** Preview of changed reading rules over the last days: current and new values of pages, hosts and channels. */
import type { Columns, ReadChange } from '#src/columns/columns.ts';
import type { ReadingRules } from '#src/kit/reading/reader.ts';
import { dayMs } from '#src/kit/zone.ts';
import { MAX_PREVIEWED, type ReadingPreview } from './contract.ts';

const DAYS = 28;
const properties = { pages: '$pathname', hosts: '$host', channels: '$channel_type' } as const;

/** @throws AppError `timeout` */
export async function previewReading(
  columns: Pick<Columns, 'readChanges'>,
  projectId: number,
  rules: ReadingRules,
  now: number,
): Promise<ReadingPreview[]> {
  const span = { from: now - DAYS * dayMs, until: now };
  const found: ReadingPreview[] = [];
  for (const kind of ['pages', 'hosts', 'channels'] as const) {
    found.push({ of: kind, ...summed(await columns.readChanges(projectId, span, properties[kind], rules)) });
  }
  return found;
}

function summed(all: readonly ReadChange[]): Omit<ReadingPreview, 'of'> {
  const changes = all.filter(({ from, to }) => from !== to).sort((one, other) => other.count - one.count);
  return {
    events: changes.reduce((sum, { count }) => sum + count, 0),
    before: valuesIn(all.map(({ from }) => from)),
    after: valuesIn(all.map(({ to }) => to)),
    changes: changes.slice(0, MAX_PREVIEWED),
    others: Math.max(0, changes.length - MAX_PREVIEWED),
  };
}

function valuesIn(texts: readonly string[]): number {
  const values = new Set(texts);
  values.delete('');
  return values.size;
}
