/** Result of funnels in the public API. */
import * as z from 'zod';
import { intervals } from '../../query/contract.ts';
import { coverage, ms, number, ResolvedRange, value } from '../../query/results.ts';
import type { FunnelResult } from './contract.ts';

const took = { meanSecondsToConvert: number, medianSecondsToConvert: number };

const FunnelRow = z
  .object({
    value: value.nullable().meta({ description: 'Null for Other, or for the total.' }),
    steps: z.array(
      z.object({
        count: z.int().meta({ description: 'People who reached this step.' }),
        points: z.array(z.int()).meta({ description: 'The same people by interval of entry.' }),
        previous: z.int().nullable().meta({ description: 'People who reached this step in the comparison range.' }),
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
    comparison: ResolvedRange.nullable(),
    interval: z.enum(intervals),
    starts: z.array(ms),
    openFrom: z.int().nullable().meta({ description: 'Index of the first interval whose entries can still convert.' }),
    times: z
      .object({ widthSeconds: z.number(), counts: z.array(z.int()), longer: z.int() })
      .nullable()
      .meta({ description: 'People by time to convert, in intervals of the same width from 0.' }),
    total: FunnelRow,
    rows: z.array(FunnelRow),
    values: z.int(),
    coverage,
    excluded: z.int().meta({ description: 'People removed because they did an exclusion event.' }),
    open: z.int().meta({ description: 'People still inside their conversion window.' }),
  })
  .meta({ id: 'Funnel' });
Funnel satisfies z.ZodType<FunnelResult>;
