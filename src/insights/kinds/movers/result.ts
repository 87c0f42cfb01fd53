/** Result of movers in the public API. */
import * as z from 'zod';
import { ResolvedRange } from '../../query/results.ts';
import type { Movers as MoversType } from './contract.ts';
import { moverDimensions, moverMetrics } from './values.ts';

const part = {
  total: z.number(),
  previous: z.number(),
  change: z.number(),
  share: z.number().nullable().meta({
    description:
      'Share of the whole change: 0.5 is half of it, negative went the other way. `null` when the whole did not change.',
  }),
};

const chance = {
  pValue: z.number().nullable().meta({
    description:
      'Two-sided p-value of a paired t-test over the intervals; of rows adjusted for all rows by Holm’s method. `null`: fewer than 5 days to tell.',
  }),
  isSignificant: z.boolean().nullable().meta({ description: '`pValue` is below 0.05. `false`: it could be chance.' }),
};

const MoverRow = z
  .object({
    value: z.string().meta({ description: 'Value of the dimension. Empty when it is missing.' }),
    ...part,
    ...chance,
    excess: z.number().meta({
      description: 'The change minus the one it would have had if every value had changed by the same percentage.',
    }),
  })
  .meta({ id: 'MoverRow' });

export const Movers = z
  .object({
    timeZone: z.string(),
    range: ResolvedRange,
    comparison: ResolvedRange.nullable(),
    metric: z.enum(moverMetrics),
    currency: z.string().nullable(),
    goal: z.object({ id: z.int(), name: z.string() }).nullable(),
    whole: z
      .object({
        total: z.number(),
        previous: z.number(),
        change: z.number(),
        relative: z.number().nullable().meta({ description: '`change` ÷ `previous`.' }),
        ...chance,
      })
      .nullable()
      .meta({ description: '`null`: there is nothing to compare with.' }),
    pairs: z.int().meta({ description: 'Intervals with a counterpart in the comparison.' }),
    dimensions: z.array(
      z
        .object({
          dimension: z.enum(moverDimensions),
          rows: z.array(MoverRow),
          other: z.object({ ...part, values: z.int() }).meta({ description: 'All values without a row.' }),
          overlap: z.object(part).nullable().meta({
            description:
              'Of visitors: who is in several rows, subtracted. Rows, `other` and `overlap` sum to the whole exactly.',
          }),
        })
        .meta({ id: 'MoverTable' }),
    ),
  })
  .meta({ id: 'Movers' });
Movers satisfies z.ZodType<MoversType>;
