/** Schemas that results of several kinds have in common, as the public API answers and describes them. Times are milliseconds since 1970. */
import * as z from 'zod';
import type { ResolvedRange as ResolvedRangeType } from './contract.ts';

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
    description: '`until` is set while the range is not over: up to there it is counted.',
  });
ResolvedRange satisfies z.ZodType<ResolvedRangeType>;

export const MetricValue = z
  .object({
    value: number,
    previous: number,
    parts: z.object({ numerator: z.number(), denominator: z.number() }).exactOptional(),
    median: number.exactOptional().meta({ description: 'Of the visit duration: the middle one.' }),
  })
  .meta({ id: 'MetricValue' });

const Revenue = z
  .object({
    currency: z
      .string()
      .meta({ description: 'Three letters; empty for events that do not say which.', example: 'BRL' }),
    sum: MetricValue,
    count: z.int().meta({ description: 'Events that say an amount.' }),
  })
  .meta({ id: 'Revenue' });

/** What was reached of a goal. */
export const goalFigure = {
  conversions: MetricValue,
  people: MetricValue,
  visits: MetricValue.nullable().meta({ description: 'Visits in which it was reached; with `per=visit`.' }),
  conversionRate: MetricValue.meta({
    description:
      'Visitors who reached it, of all visitors; with `per=visit` visits in which it was reached, of all visits.',
  }),
  revenue: z.array(Revenue),
};
export const points = z.array(number);

export const rare = z.array(z.string()).meta({
  description: 'Properties of the filters that hardly any event has: rows are read for them, which takes longer.',
});

/** A value of a breakdown. */
export const value = z.string().meta({ description: 'Empty for events without the property.' });
