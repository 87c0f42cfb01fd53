/** Result of a weekly heatmap in the public API. */
import * as z from 'zod';
import { ResolvedRange } from '../../query/results.ts';
import type { HeatmapResult } from './contract.ts';

const counts = z.array(z.array(z.int()));

export const Heatmap = z
  .object({
    timeZone: z.string(),
    weekStart: z.union([z.literal(0), z.literal(1)]),
    range: ResolvedRange,
    visitors: counts.meta({ description: 'Unique visitors: 7 weekdays (Sunday first) × 24 hours.' }),
    views: counts,
    dates: z.array(z.int()).meta({ description: 'Number of dates per weekday in the range.' }),
    datesByHour: counts.meta({
      description: 'Number of dates per hour with data: the hour has started and did not end before the first event.',
    }),
  })
  .meta({ id: 'Heatmap' });
Heatmap satisfies z.ZodType<HeatmapResult>;
