/** Schemas that results of several kinds have in common, as the public API answers and describes them. Times are milliseconds since 1970. */
import * as z from 'zod';
import { filterSubjects } from '#src/columns/values.ts';
import type { PropertyCoverage, ResolvedRange as ResolvedRangeType } from './contract.ts';

export const ms = z.number().meta({ description: 'Milliseconds since 1970-01-01T00:00Z.', example: 1_763_564_400_000 });

export const number = z.number().nullable();

export const earlyEvents = z.int().exactOptional().meta({
  description:
    'How many events have so early a date that `all_time` begins after them; absent without any. 10001: more than 10,000.',
});

export const ResolvedRange = z
  .object({
    from: ms,
    to: ms,
    fromDate: z.string(),
    toDate: z.string(),
    until: ms.nullable(),
    earlyEvents,
  })
  .meta({
    id: 'Range',
    description: '`until` is set while the range is in progress: data is included up to this time.',
  });
ResolvedRange satisfies z.ZodType<ResolvedRangeType>;

export const coverage = z
  .array(
    z.object({
      about: z.enum(filterSubjects),
      name: z.string(),
      events: z.int().meta({ description: 'Counted events of the range.' }),
      without: z.int().meta({ description: 'Those without the property.' }),
    }),
  )
  .meta({ description: 'Of properties of the breakdown and of measures: how many events lack them.' });
coverage satisfies z.ZodType<PropertyCoverage[]>;

export const MetricValue = z
  .object({
    value: number,
    previous: number,
    parts: z.object({ numerator: z.number(), denominator: z.number() }).exactOptional().meta({
      description:
        'Of ratios, what was divided. Of viewsPerVisit: all views in visits that started in the range, whenever and of whichever page, which is not `views`.',
    }),
    median: number.exactOptional().meta({ description: 'Median (visit duration only).' }),
  })
  .meta({ id: 'MetricValue' });

const Revenue = z
  .object({
    currency: z.string().meta({
      description:
        'ISO 4217 code. Empty if the event has no currency. `unknown` if its currency can’t be read, e.g. "reais".',
      example: 'BRL',
    }),
    sum: MetricValue,
    count: z.int().meta({ description: 'Events with an amount.' }),
  })
  .meta({ id: 'Revenue' });

/** Schema of a goal's figures. */
export const goalFigure = {
  conversions: MetricValue,
  people: MetricValue,
  visits: MetricValue.nullable().meta({ description: 'Visits with a conversion (only with `per=visit`).' }),
  conversionRate: MetricValue.meta({
    description:
      'Conversion rate: converting visitors ÷ all visitors. With `per=visit`: visits with a conversion ÷ all visits.',
  }),
  revenue: z.array(Revenue),
  withoutAmount: z
    .object({
      count: z.int(),
      samples: z.array(z.object({ text: z.string().nullable(), count: z.int() })).meta({
        description: 'The most frequent values. `null`: the property is not set.',
      }),
    })
    .nullable()
    .meta({
      description: 'Conversions in the range without a readable amount. `null` if the goal has no amount property.',
    }),
};
export const points = z.array(number);

/** A value of a breakdown. */
export const value = z.string().meta({ description: 'Empty for events without the property.' });
