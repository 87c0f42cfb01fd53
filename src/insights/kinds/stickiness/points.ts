/** People behind the bars of stickiness. */
import { definePoints } from '../../define.ts';
import { type StickinessInput, type StickinessPoint, stickinessPoint } from './contract.ts';
import { prepareStickiness } from './run.ts';

export const stickinessPoints = definePoints<StickinessInput, StickinessPoint>({
  point: stickinessPoint,
  async resolve(context, input, { intervals }) {
    const { asked } = await prepareStickiness(context, input);
    return {
      question: { kind: 'activity', asked, point: { periods: intervals, orMore: input.cumulative } },
      span: { from: asked.edges[0] as number, until: asked.edges.at(-1) as number },
    };
  },
});
