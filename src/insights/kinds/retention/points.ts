/** People behind the cells of retention. */
import { invalid } from '#src/kit/errors.ts';
import { definePoints } from '../../define.ts';
import { type RetentionInput, type RetentionPoint, retentionPoint } from './contract.ts';
import { prepareRetention } from './run.ts';

export const retentionPoints = definePoints<RetentionInput, RetentionPoint>({
  point: retentionPoint,
  async resolve(context, input, { value, cohort, period }) {
    const { asked, starts } = await prepareRetention(context, input);
    const column = asked.columns[period ?? 0];
    if (column === undefined || cohort + column.from >= starts.length) throw invalid('point', 'There is no such cell.');
    return {
      question: { kind: 'retention', asked, point: { value, period: cohort, later: period } },
      span: { from: asked.edges[0] as number, until: asked.edges.at(-1) as number },
    };
  },
});
