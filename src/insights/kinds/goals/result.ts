/** Result of all goals in the public API. */
import * as z from 'zod';
import { goalKinds } from '../../goals/contract.ts';
import { goalPers } from '../../query/contract.ts';
import { goalFigure, MetricValue, ResolvedRange } from '../../query/results.ts';
import type { GoalFigures as GoalFiguresType } from './contract.ts';

export const GoalFigures = z
  .object({
    range: ResolvedRange,
    comparison: ResolvedRange.nullable(),
    per: z.enum(goalPers),
    visitors: MetricValue,
    visits: MetricValue.nullable().meta({ description: 'All visits (only with `per=visit`).' }),
    goals: z.array(z.object({ id: z.int(), name: z.string(), kind: z.enum(goalKinds), ...goalFigure })),
  })
  .meta({ id: 'GoalFigures' });
GoalFigures satisfies z.ZodType<GoalFiguresType>;
