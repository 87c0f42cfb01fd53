/** People behind the points of trends. */
import type * as z from 'zod/mini';
import { invalid } from '#src/kit/errors.ts';
import { definePoints } from '../../define.ts';
import { breakdownParts, type TrendsInput, trendsPoint } from './contract.ts';
import { prepareTrends } from './run.ts';

export const trendsPoints = definePoints<TrendsInput, z.infer<typeof trendsPoint>>({
  point: trendsPoint,
  async resolve(context, input, { series: at, value, interval }) {
    const series = input.series[at];
    if (series === undefined) throw invalid('point', `There is no series ${at}.`);
    const hasEdgesOfAll = breakdownParts(input).some((part) => 'bins' in part && part.bins && 'count' in part.bins);
    const isAlone = input.breakdown === undefined || ((input.formulas ?? []).length === 0 && !hasEdgesOfAll);
    const shown = isAlone ? { series: [{ ...series, hidden: false }], formulas: [] } : {};
    const { asked } = await prepareTrends(context, { ...input, ...shown, compare: 'none' });
    const place = isAlone ? 0 : at;
    const spans = asked.series[place]?.spans ?? [];
    const windows = spans.flatMap((each) => each.windows);
    if (interval !== null && interval >= windows.length) throw invalid('point', `There is no interval ${interval}.`);
    const all = [...spans, ...spans.map(({ total }) => total), ...windows].filter(({ from, until }) => until > from);
    const [first] = spans;
    return {
      question: { kind: 'trends', asked, point: { series: place, value, window: interval } },
      span: {
        from: Math.min(...all.map(({ from }) => from), first?.from ?? context.now),
        until: Math.max(...all.map(({ until }) => until), first?.until ?? context.now),
      },
    };
  },
});
