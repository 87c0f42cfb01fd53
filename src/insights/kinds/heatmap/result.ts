/** What the public API answers for a weekly heatmap. */
import * as z from 'zod';
import { ResolvedRange, rare } from '../../query/results.ts';
import type { HeatmapResult } from './contract.ts';

const counts = z.array(z.array(z.int()));

export const Heatmap = z
  .object({
    timeZone: z.string(),
    weekStart: z.union([z.literal(0), z.literal(1)]),
    range: ResolvedRange,
    rare,
    visitors: counts.meta({ description: 'For each weekday (Sunday first) its 24 hours: people, each once.' }),
    views: counts,
    dates: z.array(z.int()).meta({ description: 'How many dates of each weekday were counted.' }),
    datesByHour: counts.meta({
      description: 'On how many dates each hour had begun, and was not over before the first event.',
    }),
  })
  .meta({ id: 'Heatmap' });
Heatmap satisfies z.ZodType<HeatmapResult>;
