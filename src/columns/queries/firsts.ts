/** First events of actors: for each the first of one series, and whether it is of another, too. */
import { bytesOfSteps, type StepsPart, type StepsPlan } from '../kernels/list-steps.ts';
import type { GroupSubject } from '../values.ts';
import { partsOf, type Ready, type ReadySeries } from './series.ts';

export interface FirstsOf {
  /** Whose first events. */
  of: 'persons' | GroupSubject;
  /** The series that an event has to be of. */
  own: ReadySeries;
  /** The series that it has to be the first of. */
  amongst: ReadySeries;
}

/** Key under which its parts are kept; null: they are not. */
export function keyOfFirsts({ by }: Ready, { of, own, amongst }: FirstsOf): string | null {
  const isKept = amongst.key !== null && own.key !== null && by?.key !== null;
  return isKept ? JSON.stringify(['1', of, amongst.key, own.key, by?.key]) : null;
}

/** @param span of time, ms */
export async function listFirsts(
  ready: Ready,
  asked: FirstsOf,
  span: readonly [from: number, until: number],
): Promise<StepsPart[]> {
  const { parts, by } = ready;
  const { of, own, amongst } = asked;
  const plan: StepsPlan = {
    kinds: [amongst.plan, own.plan],
    others: null,
    by: by?.places ?? null,
    of,
    firstOnly: true,
  };
  const found = await partsOf<StepsPart>(
    ready,
    [...span],
    keyOfFirsts(ready, asked),
    (chunks, sets) => parts.threads.run({ task: 'listSteps', plan, chunks, sets }),
    bytesOfSteps,
  );
  return found.map(({ part }) => part);
}
