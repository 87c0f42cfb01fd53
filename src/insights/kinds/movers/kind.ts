/** The kind `movers`: what the change of a number is made of. */
import * as z from 'zod';
import { defineKind } from '../../define.ts';
import { compareParameters, rowId } from '../../query/parameters.ts';
import { moversInput } from './contract.ts';
import { moversFile } from './csv.ts';
import { Movers } from './result.ts';
import { runMovers } from './run.ts';
import { MAX_MOVERS, moverMetrics } from './values.ts';

export const movers = defineKind({
  name: 'movers',
  input: moversInput,
  result: Movers,
  access: 'viewer',
  summary:
    'What changed: the change of visitors, conversions or revenue by channel, entry page, country and device, and whether it could be chance',
  parameters: {
    ...compareParameters,
    metric: z.enum(moverMetrics).optional().meta({ description: 'Default: `visitors`. The others need a goal.' }),
    goal: rowId.optional().meta({ description: 'ID of a goal.' }),
    currency: z
      .string()
      .max(20)
      .optional()
      .meta({ description: 'Currency of the revenue. Default: the one with the most conversions.' }),
    limit: z.coerce
      .number()
      .int()
      .min(1)
      .max(MAX_MOVERS)
      .optional()
      .meta({ description: 'Rows of each dimension. Default: 5.' }),
  },
  csv: moversFile,
  summarize: ({ whole }) => ({ shape: 'number', number: whole?.change ?? null }),
  run: runMovers,
});
