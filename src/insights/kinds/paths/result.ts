/** Result of paths in the public API. */
import * as z from 'zod';
import { ResolvedRange } from '../../query/results.ts';
import type { PathsResult } from './contract.ts';

const node = z.string().nullable().meta({ description: 'Null for collapsed intermediate steps.' });

export const Paths = z
  .object({
    timeZone: z.string(),
    range: ResolvedRange,
    paths: z.int(),
    starts: z.int().nullable().meta({
      description:
        'With `after`: people (or visits) at that number of the funnel, also those without a path. Null without it.',
    }),
    edges: z.array(
      z.object({
        step: z.int().meta({ description: 'Step number of the source node (from 1).' }),
        from: node,
        to: node,
        count: z.int().meta({ description: 'Number of transitions.' }),
        people: z.int().meta({ description: 'People (or groups, with `per`) who made them.' }),
        meanSeconds: z.number(),
      }),
    ),
    other: z.object({ edges: z.int(), count: z.int() }),
  })
  .meta({ id: 'Paths' });
Paths satisfies z.ZodType<PathsResult>;
