/** What the public API answers for funnels. */
import * as z from 'zod';
import { number, ResolvedRange, value } from '../../query/results.ts';
import type { FunnelResult } from './contract.ts';

const took = { meanSecondsToConvert: number, medianSecondsToConvert: number };

const FunnelRow = z
  .object({
    value: value.nullable().meta({ description: 'Null: all values that have no row of their own, or all together.' }),
    steps: z.array(
      z.object({
        count: z.int().meta({ description: 'Who came at least so far.' }),
        conversionFromStart: number,
        conversionFromPrevious: number,
        ...took,
      }),
    ),
    ...took,
  })
  .meta({ id: 'FunnelRow' });

export const Funnel = z
  .object({
    timeZone: z.string(),
    range: ResolvedRange,
    total: FunnelRow,
    rows: z.array(FunnelRow),
    values: z.int(),
    excluded: z.int().meta({ description: 'Left out, since they did what lies between two steps and must not.' }),
    open: z.int().meta({ description: 'Who did not come to the end, and still can.' }),
  })
  .meta({ id: 'Funnel' });
Funnel satisfies z.ZodType<FunnelResult>;
