/** The kind `breakdown`: a table by one dimension. */
import * as z from 'zod';
import { defineKind } from '../../define.ts';
import { compareParameters, ordered, rowId } from '../../query/parameters.ts';
import { breakdownDimensions, breakdownInput, MOST_ROWS } from './contract.ts';
import { breakdownFile } from './csv.ts';
import { Breakdown } from './result.ts';
import { runBreakdown } from './run.ts';
import { sortColumns } from './values.ts';

export const breakdown = defineKind({
  name: 'breakdown',
  input: breakdownInput,
  result: Breakdown,
  access: 'viewer',
  summary: 'A table by one dimension: pages by views, referring domains by visits',
  parameters: {
    ...compareParameters,
    dimension: z.enum(breakdownDimensions),
    ...ordered(sortColumns),
    more: z
      .enum(['true', 'false'])
      .optional()
      .transform((text) => (text === 'true' ? true : undefined))
      .meta({
        description: 'With further columns: of pages entries, bounces and exits, of visits bounces and seconds.',
      }),
    goal: rowId
      .optional()
      .meta({ description: 'Number of a goal. With `more`, pages and visits have its conversions.' }),
  },
  // Whole tables are for files: too large to be kept.
  isCached: ({ limit }) => limit <= MOST_ROWS,
  csv: breakdownFile,
  run: ({ columns, scope, people, goal, now }, input) => runBreakdown(columns, scope, { ...input, people, goal }, now),
});
