/** Result of an overview in the public API. */
import * as z from 'zod';
import { goalPers, intervals } from '../../query/contract.ts';
import { goalFigure, MetricValue, ms, number, points, ResolvedRange } from '../../query/results.ts';
import { caveats, type Overview as OverviewType } from './contract.ts';

function byMetric<Value extends z.ZodType>(value: Value) {
  return z.object({
    visitors: value,
    visits: value,
    views: value,
    viewsPerVisit: value,
    bounceRate: value,
    visitDuration: value,
  });
}

const goalCourse = z.object({ conversions: points, conversionRate: points });

const OverviewGoal = z
  .object({
    id: z.int(),
    name: z.string(),
    per: z.enum(goalPers),
    ...goalFigure,
    series: goalCourse,
    comparisonSeries: goalCourse.nullable(),
    revenueSeries: z.array(z.object({ currency: z.string(), series: points, comparisonSeries: points.nullable() })),
  })
  .meta({ id: 'OverviewGoal' });

const views = z.object({ bots: z.int(), internal: z.int() });

export const Overview = z
  .object({
    timeZone: z.string(),
    range: ResolvedRange,
    comparison: ResolvedRange.nullable(),
    interval: z.enum(intervals),
    allowedIntervals: z.array(z.enum(intervals)),
    metrics: byMetric(MetricValue),
    starts: z.array(ms),
    running: z.int().nullable(),
    series: byMetric(z.array(number)),
    comparisonStarts: z.array(ms),
    comparisonSeries: byMetric(z.array(number)).nullable(),
    excluded: views.meta({ description: 'Excluded views: bots and internal traffic.' }),
    included: views.meta({ description: 'Included bot and internal views (see `include`).' }),
    caveats: z.array(z.enum(caveats)).meta({
      description:
        'What makes a number another than it seems. visitorDays: some visitors may have been counted without storage, as another each day. noClicks, noLeaves: none is recorded, so the bounce rate may be too high.',
    }),
    goal: OverviewGoal.nullable(),
  })
  .meta({ id: 'Overview' });
Overview satisfies z.ZodType<OverviewType>;
