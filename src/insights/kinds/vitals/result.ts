/** Result of web vitals in the public API. */
import * as z from 'zod';
import { number, ResolvedRange } from '../../query/results.ts';
import { type Vitals as VitalsType, vitalNames, vitalPercentiles } from './contract.ts';

const vital = {
  value: number.meta({ description: 'Value at the requested percentile, in ms (CLS: no unit).' }),
  samples: z.int(),
  good: z.int(),
  poor: z.int(),
  rating: z.enum(['good', 'fair', 'poor']).nullable(),
};

export const Vitals = z
  .object({
    range: ResolvedRange,
    percentile: z.literal(vitalPercentiles),
    vitals: z.record(z.enum(vitalNames), z.object(vital)),
    pages: z.array(z.object({ page: z.string(), host: z.string().optional(), ...vital })),
    total: z.int(),
    other: z.object({ pages: z.int(), samples: z.int() }),
  })
  .meta({ id: 'Vitals' });
Vitals satisfies z.ZodType<VitalsType>;
