/** People behind the points of trends. */
import type * as z from 'zod/mini';
import { invalid } from '#src/kit/errors.ts';
import { definePoints } from '../../define.ts';
import { breakdownParts, type TrendsInput, trendsPoint } from './contract.ts';
import { prepareTrends } from './run.ts';
import { cellAt } from './weekly-heatmap.ts';

export const trendsPoints = definePoints<TrendsInput, z.infer<typeof trendsPoint>>({
  point: trendsPoint,
  async resolve(context, input, { series: at, value, interval, cell }) {
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
    if (cell !== undefined && spans[0]?.cells === undefined)
      throw invalid('point', 'This result has no hours of the week.');
    const all = [...spans, ...spans.map(({ total }) => total), ...windows].filter(({ from, until }) => until > from);
    const [first] = spans;
    const within = cell !== undefined ? { cell: cellAt(cell) } : interval === null ? null : { window: interval };
    return {
      question: { kind: 'trends', asked, point: { series: place, value, in: within } },
      span: {
        from: Math.min(...all.map(({ from }) => from), first?.from ?? context.now),
        until: Math.max(...all.map(({ until }) => until), first?.until ?? context.now),
      },
    };
  },
});
