/** People behind the bars of a lifecycle. */
import { invalid } from '#src/kit/errors.ts';
import { definePoints } from '../../define.ts';
import { type LifecycleInput, type LifecyclePoint, lifecyclePoint } from './contract.ts';
import { prepareLifecycle } from './run.ts';

export const lifecyclePoints = definePoints<LifecycleInput, LifecyclePoint>({
  point: lifecyclePoint,
  async resolve(context, input, { interval, state }) {
    const { asked, starts } = await prepareLifecycle(context, input);
    if (interval >= starts.length) throw invalid('point', `There is no interval ${interval}.`);
    // The period before the range is counted too.
    const point = { period: interval + 1, state };
    const { edges } = asked;
    return {
      question: { kind: 'activity', asked, point },
      span: { from: edges[0] as number, until: edges.at(-1) as number },
    };
  },
});
