/** Result of stickiness in the public API. */
import * as z from 'zod';
import { intervals } from '../../query/contract.ts';
import { ms, ResolvedRange } from '../../query/results.ts';
import type { StickinessResult } from './contract.ts';

export const Stickiness = z
  .object({
    timeZone: z.string(),
    range: ResolvedRange,
    interval: z.enum(intervals),
    starts: z.array(ms),
    running: z.int().nullable().meta({ description: 'Index of the interval that is not over.' }),
    people: z.array(z.int()).meta({ description: 'People active in one interval, in two, and so on.' }),
    total: z.int().meta({ description: 'People active in any interval.' }),
  })
  .meta({ id: 'Stickiness' });
Stickiness satisfies z.ZodType<StickinessResult>;
