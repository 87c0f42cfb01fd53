/** When the visits of a span began: those that count as visits, as the headline counts them. */
import { eventMarks } from '#src/events/contract.ts';
import type { Traffic } from '../contract.ts';
import type { CountParts } from '../count/count-parts.ts';
import { countOnce, visitsOf } from '../count/counting.ts';
import { cut, type Edges } from '../count/edges.ts';
import { keyOfVisits } from '../count/result-keys.ts';
import { type BegunVisits, bytesOfBegun } from '../kernels/begun-visits.ts';
import type { Ready } from './series.ts';

/** Visit columns to gather. */
export const NEEDED_OF_BEGUN = ['id', 'ts', 'views', 'bot'];

/** @param at which span of those that were gathered, to the end of its visits */
export async function queryBegunVisits(
  { parts, gathered }: Ready,
  include: readonly Traffic[],
  edges: Edges,
  at: number,
): Promise<{ part: BegunVisits; shift: number }[]> {
  const { threads, cache } = parts;
  const counting: CountParts = {
    threads,
    cache,
    gathered,
    include,
    conditions: null,
    sets: [],
    filterKey: '',
    by: null,
    names: null,
    listsSessions: false,
    bounceMs: 0,
    botMark: eventMarks.bot,
    internalMark: eventMarks.internal,
  };
  const choice = await visitsOf(counting, null, at);
  const jobs = gathered.sessions
    .map((chunk) => ({ chunk, ...cut(edges, chunk.minTs, chunk.maxTs) }))
    .filter((job) => job.edges.length > 0);
  const key = keyOfVisits(counting, ['b', choice.isMixed], choice);
  const begun = await countOnce<BegunVisits>(parts, jobs, key, bytesOfBegun, (some) =>
    threads.run({
      task: 'begunVisits',
      chunks: some.map((job) => ({ columns: job.chunk.columns, edges: job.edges, except: job.chunk.except })),
      choice,
    }),
  );
  return begun.map((part, place) => ({ part, shift: jobs[place]?.first ?? 0 }));
}
