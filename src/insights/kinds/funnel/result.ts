/** What the public API answers for funnels. */
import * as z from 'zod';
import { number, ResolvedRange, value } from '../../query/results.ts';
import type { FunnelResult } from './contract.ts';

const took = { meanSecondsToConvert: number, medianSecondsToConvert: number };

const FunnelRow = z
  .object({
    value: value.nullable().meta({ description: 'Null for Other, or for the total.' }),
    steps: z.array(
      z.object({
        count: z.int().meta({ description: 'People who reached this step.' }),
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
    excluded: z.int().meta({ description: 'People removed because they did an exclusion event.' }),
    open: z.int().meta({ description: 'People still inside their conversion window.' }),
  })
  .meta({ id: 'Funnel' });
Funnel satisfies z.ZodType<FunnelResult>;
