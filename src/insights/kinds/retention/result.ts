/** What the public API answers for retention. */
import * as z from 'zod';
import { intervals } from '../../query/contract.ts';
import { ms, number, ResolvedRange, value } from '../../query/results.ts';
import type { RetentionResult } from './contract.ts';

export const Retention = z
  .object({
    timeZone: z.string(),
    range: ResolvedRange,
    period: z.enum(intervals),
    starts: z.array(ms),
    running: z.int().nullable().meta({ description: 'Which period is not over: its cells are in no mean.' }),
    rows: z.array(
      z.object({
        value,
        cohorts: z.array(
          z.object({
            size: z.int(),
            returned: z.array(z.int()).meta({ description: 'In the same period, one later, and so on.' }),
          }),
        ),
        mean: z.array(number).meta({ description: 'Of all who began.' }),
        simpleMean: z.array(number).meta({ description: 'Of the shares.' }),
      }),
    ),
    values: z.int(),
  })
  .meta({ id: 'Retention' });
Retention satisfies z.ZodType<RetentionResult>;
