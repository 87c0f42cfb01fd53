/** Result of trends in the public API. */
import * as z from 'zod';
import { trendIntervals } from '../../query/contract.ts';
import { coverage, ms, number, ResolvedRange, value } from '../../query/results.ts';
import type { TrendsResult } from './contract.ts';

const rows = z.array(
  z.object({
    value: value.nullable().meta({
      description:
        'Empty without the property; of several properties, the list of their values as JSON. Null for Other (all remaining values).',
    }),
    total: number,
    points: z.array(number),
    previous: number.meta({ description: 'Total of the comparison period.' }),
    comparisonPoints: z.array(number).nullable(),
    cells: z.array(z.array(number)).nullable().meta({
      description:
        'With `weeklyHeatmap`: 7 weekdays (Sunday first) × 24 hours, over the whole range; persons and visits are unique in each. Null for hours that are not in the range.',
    }),
    ignored: z.int().meta({ description: 'Events ignored because the property is not a number.' }),
  }),
);

export const Trends = z
  .object({
    timeZone: z.string(),
    range: ResolvedRange,
    comparison: ResolvedRange.nullable(),
    interval: z.enum(trendIntervals),
    starts: z.array(ms),
    comparisonStarts: z.array(ms),
    running: z.int().nullable(),
    series: z.array(
      z.object({
        rows,
        values: z.int().meta({ description: 'Number of distinct values.' }),
      }),
    ),
    coverage,
    edges: z.array(z.array(z.number()).nullable()).meta({
      description:
        'Of each property of the breakdown: where the intervals of its numbers begin. Null without intervals.',
    }),
    weeklyHeatmap: z
      .object({
        weekStart: z.union([z.literal(0), z.literal(1)]),
        dates: z.array(z.int()).meta({ description: 'Number of dates per weekday in the range.' }),
        datesByHour: z.array(z.array(z.int())).meta({ description: 'Number of dates per hour with data.' }),
      })
      .nullable(),
    formulas: z.array(z.object({ name: z.string(), rows })).meta({
      description: 'Values of the formulas, null where a series has none or a divisor is zero.',
    }),
  })
  .meta({ id: 'Trends' });
Trends satisfies z.ZodType<TrendsResult>;
