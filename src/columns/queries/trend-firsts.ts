/** Trends of first events: each actor once, in the interval in which they began. */
import type { TrendPart } from '../kernels/count-trend.ts';
import { type FirstsOf, listFirsts } from './firsts.ts';
import { inShares, mergesOf, type Ready } from './series.ts';

export interface TrendOfFirsts extends FirstsOf {
  /** Time of the project's first event, ms. */
  since: number;
}

/** Actors by the stretch between edges in which their first event lies. @param edges ascending, ms */
export async function firstsIn(
  ready: Ready,
  { since, ...asked }: TrendOfFirsts,
  edges: readonly number[],
): Promise<{ part: TrendPart; shift: number }[]> {
  const { parts } = ready;
  const firsts = await listFirsts(ready, asked, [Math.min(since, edges[0] as number), edges.at(-1) as number]);
  const mergedInto = mergesOf(ready.gathered, asked.of);
  const shares = await inShares(parts, (share) =>
    parts.threads.run({ task: 'trendOfFirsts', plan: { mergedInto, edges, share }, parts: firsts }),
  );
  return shares.map((part) => ({ part, shift: 0 }));
}
