/** Result of retention in the public API. */
import * as z from 'zod';
import { intervals } from '../../query/contract.ts';
import { coverage, ms, number, ResolvedRange, value } from '../../query/results.ts';
import type { RetentionResult } from './contract.ts';

export const Retention = z
  .object({
    timeZone: z.string(),
    range: ResolvedRange,
    period: z.enum(intervals),
    starts: z.array(ms),
    columns: z
      .array(z.object({ from: z.int(), to: z.int() }))
      .meta({ description: 'For each column of `returned`, how many periods after the start it begins and ends.' }),
    running: z
      .int()
      .nullable()
      .meta({ description: 'Index of the incomplete period. Its cells are excluded from the means.' }),
    rows: z.array(
      z.object({
        value,
        cohorts: z.array(
          z.object({
            size: z.int(),
            returned: z.array(z.int()).meta({ description: 'People who returned, by column.' }),
          }),
        ),
        mean: z.array(number).meta({ description: 'Mean weighted by cohort size.' }),
        simpleMean: z.array(number).meta({ description: 'Simple mean of the percentages.' }),
      }),
    ),
    values: z.int(),
    coverage,
  })
  .meta({ id: 'Retention' });
Retention satisfies z.ZodType<RetentionResult>;
