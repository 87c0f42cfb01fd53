/** Gathering numbers, the work handed to the threads: what properties of events say, and how long visits were. */

import type { Collected, CollectPlan } from '../kernels/collect.ts';
import { touches } from '../snapshot/gather.ts';
import type { Visits } from '../threads/tasks.ts';
import type { CountParts } from './count-parts.ts';
import { countOnce } from './counting.ts';
import { cut, type Edges } from './edges.ts';
import { keyOfEvents, keyOfVisits } from './result-keys.ts';
import { summarizeCollected } from './summing-up.ts';

/** @param at which span of the question */
export function collectOf(
  parts: CountParts,
  edges: Edges,
  at: number,
  what: Pick<CollectPlan, 'column' | 'most' | 'by'>,
  key: unknown[],
): Promise<Collected[]> {
  const { gathered, conditions, names, botMark, internalMark, include, sets, threads } = parts;
  const window = gathered.windows[at] as (typeof gathered.windows)[number];
  const plan: CollectPlan = {
    names,
    botMark,
    internalMark,
    include,
    where: conditions?.where ?? null,
    ...what,
  };
  const jobs = gathered.events
    .filter(({ minTs, maxTs }) => touches(window, minTs, maxTs))
    .map((chunk) => ({ chunk, ...cut(edges, chunk.minTs, chunk.maxTs) }))
    .filter((job) => job.edges.length > 0);
  return countOnce<Collected>(parts, jobs, keyOfEvents(parts, [...key, names]), bytesOf, (some) =>
    threads.run({
      task: 'collect',
      plan,
      chunks: some.map((job) => ({ columns: job.chunk.columns, edges: job.edges })),
      sets,
    }),
  );
}

/** The middle length of the visits that began in a span, in ms; null without any. */
export async function medianLengthOf(
  parts: CountParts,
  { from, until }: { from: number; until: number },
  choice: Visits,
): Promise<number | null> {
  const { gathered, threads } = parts;
  const jobs = gathered.sessions
    .map((chunk) => ({ chunk, ...cut([from, until], chunk.minTs, chunk.maxTs) }))
    .filter((job) => job.edges.length > 0);
  const key = keyOfVisits(parts, ['l'], choice);
  const lengths = await countOnce<Collected>(parts, jobs, key, bytesOf, (some) =>
    threads.run({
      task: 'collectLengths',
      chunks: some.map((job) => ({ columns: job.chunk.columns, edges: job.edges, except: job.chunk.except })),
      choice,
    }),
  );
  const { total } = await summarizeCollected(parts, { quantile: 0.5, limits: [], keys: false }, lengths);
  return total.quantile;
}

function bytesOf({ keys, values }: Collected): number {
  return (
    values.byteLength + keys.reduce((sum: number, key) => sum + (typeof key === 'string' ? key.length * 2 : 0) + 16, 0)
  );
}
