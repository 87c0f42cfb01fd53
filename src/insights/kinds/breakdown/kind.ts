/** The kind `breakdown`: a table by one dimension. */
import * as z from 'zod';
import { defineKind } from '../../define.ts';
import { compareParameters, ordered, per, rowId } from '../../query/parameters.ts';
import { breakdownDimensions, breakdownInput, MAX_ROWS } from './contract.ts';
import { breakdownFile } from './csv.ts';
import { breakdownNumbers } from './numbers.ts';
import { Breakdown } from './result.ts';
import { runBreakdown } from './run.ts';
import { summarizeBreakdown } from './summarize.ts';
import { sortColumns } from './values.ts';

export const breakdown = defineKind({
  name: 'breakdown',
  input: breakdownInput,
  result: Breakdown,
  access: 'viewer',
  summary: 'Get a breakdown by one dimension',
  parameters: {
    ...compareParameters,
    dimension: z.enum(breakdownDimensions),
    ...ordered(sortColumns),
    more: z
      .enum(['true', 'false'])
      .optional()
      .transform((text) => (text === 'true' ? true : undefined))
      .meta({
        description: 'Add columns. Pages: entries, bounces, exits. Visit dimensions: bounces, duration.',
      }),
    goal: rowId.optional().meta({
      description:
        'Number of a goal. With `more`, rows have the visitors or visits that converted; without it, their conversion rate.',
    }),
    per,
  },
  // Whole tables are for files: too large to be kept.
  isCached: ({ limit }) => limit <= MAX_ROWS,
  csv: breakdownFile,
  numbers: breakdownNumbers,
  summarize: summarizeBreakdown,
  run: ({ columns, scope, people, goal, now }, input) => runBreakdown(columns, scope, { ...input, people, goal }, now),
});
