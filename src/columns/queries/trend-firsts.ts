/** Trends of first events: each actor once, in the interval in which they began. */
import type { TrendPart } from '../kernels/count-trend.ts';
import { bytesOfSteps, type StepsPart, type StepsPlan } from '../kernels/list-steps.ts';
import type { GroupSubject } from '../values.ts';
import { inShares, mergesOf, partsOf, type Ready, type ReadySeries } from './series.ts';

export interface FirstsOf {
  /** Whose first events. */
  of: 'persons' | GroupSubject;
  /** The series that an event has to be of. */
  own: ReadySeries;
  /** The series that it has to be the first of. */
  amongst: ReadySeries;
  /** Time of the project's first event, ms. */
  since: number;
}

/** Actors by the stretch between edges in which their first event lies. @param edges ascending, ms */
export async function firstsIn(
  ready: Ready,
  { of, own, amongst, since }: FirstsOf,
  edges: readonly number[],
): Promise<{ part: TrendPart; shift: number }[]> {
  const { parts, by } = ready;
  const isKept = amongst.key !== null && own.key !== null && by?.key !== null;
  const plan: StepsPlan = {
    kinds: [amongst.plan, own.plan],
    others: null,
    by: by?.places ?? null,
    of,
    firstOnly: true,
  };
  const found = await partsOf<StepsPart>(
    ready,
    [Math.min(since, edges[0] as number), edges.at(-1) as number],
    isKept ? JSON.stringify(['1', of, amongst.key, own.key, by?.key]) : null,
    (chunks, sets) => parts.threads.run({ task: 'listSteps', plan, chunks, sets }),
    bytesOfSteps,
  );
  const firsts = found.map(({ part }) => part);
  const mergedInto = mergesOf(ready.gathered, of);
  const shares = await inShares(parts, (share) =>
    parts.threads.run({ task: 'trendOfFirsts', plan: { mergedInto, edges, share }, parts: firsts }),
  );
  return shares.map((part) => ({ part, shift: 0 }));
}
