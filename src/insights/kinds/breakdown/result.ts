/** Result of a breakdown in the public API. */
import * as z from 'zod';
import { earlyEvents, number } from '../../query/results.ts';
import { type Breakdown as BreakdownType, breakdownColumns, breakdownDimensions } from './contract.ts';

export const Breakdown = z
  .object({
    dimension: z.enum(breakdownDimensions),
    cols: z
      .array(z.enum(breakdownColumns))
      .meta({ description: 'Columns of each row. The first four are always present.' }),
    rows: z.array(z.tuple([z.string(), z.number(), z.number(), number], z.union([number, z.string()]))),
    count: z.number().meta({ description: 'Sum over all values.' }),
    total: z.int().meta({ description: 'Number of rows matching `find`, or of all rows.' }),
    other: z.object({ values: z.number(), count: z.number() }),
    earlyEvents,
    fromDate: z
      .string()
      .exactOptional()
      .meta({ description: 'Beside `earlyEvents`: the date on which `all_time` begins.' }),
  })
  .meta({ id: 'Breakdown' });
Breakdown satisfies z.ZodType<BreakdownType>;
