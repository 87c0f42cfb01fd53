/** People behind the points of trends. */
import type * as z from 'zod/mini';
import { invalid } from '#src/kit/errors.ts';
import { definePoints } from '../../define.ts';
import { type TrendsInput, trendsPoint } from './contract.ts';
import { prepareTrends } from './run.ts';

export const trendsPoints = definePoints<TrendsInput, z.infer<typeof trendsPoint>>({
  point: trendsPoint,
  async resolve(context, input, { series: at, value, interval }) {
    const series = input.series[at];
    if (series === undefined) throw invalid('point', `There is no series ${at}.`);
    const { asked } = await prepareTrends(context, { ...input, series: [series], compare: 'none' });
    const spans = asked.series.flatMap((each) => each.spans);
    const windows = spans.flatMap((each) => each.windows);
    if (interval !== null && interval >= windows.length) throw invalid('point', `There is no interval ${interval}.`);
    const all = [...spans, ...spans.map(({ total }) => total), ...windows].filter(({ from, until }) => until > from);
    const [first] = spans;
    return {
      question: { kind: 'trends', asked, point: { value, window: interval } },
      span: {
        from: Math.min(...all.map(({ from }) => from), first?.from ?? context.now),
        until: Math.max(...all.map(({ until }) => until), first?.until ?? context.now),
      },
    };
  },
});
