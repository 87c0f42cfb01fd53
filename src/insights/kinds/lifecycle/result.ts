/** Result of lifecycle in the public API. */
import * as z from 'zod';
import { intervals } from '../../query/contract.ts';
import { ms, number, ResolvedRange } from '../../query/results.ts';
import type { LifecycleResult } from './contract.ts';

const counts = (description: string) => z.array(z.int()).meta({ description });

export const Lifecycle = z
  .object({
    timeZone: z.string(),
    range: ResolvedRange,
    interval: z.enum(intervals),
    starts: z.array(ms),
    running: z.int().nullable().meta({ description: 'Index of the interval that is not over.' }),
    new: counts('Active people whose first event of any kind lies in the interval.'),
    returning: counts('Active in the interval before too.'),
    resurrecting: counts('Active, not in the interval before, and not new.'),
    dormant: z
      .array(number)
      .meta({ description: 'Active in the interval before, not in this one. Null while it is running.' }),
  })
  .meta({ id: 'Lifecycle' });
Lifecycle satisfies z.ZodType<LifecycleResult>;
