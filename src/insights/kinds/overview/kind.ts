/** The kind `overview`: figures of a range, compared, and by interval. */
import * as z from 'zod';
import { defineKind } from '../../define.ts';
import { intervals } from '../../query/contract.ts';
import { compareParameters, per, rowId } from '../../query/parameters.ts';
import { overviewInput } from './contract.ts';
import { overviewFile } from './csv.ts';
import { overviewNumbers } from './numbers.ts';
import { Overview } from './result.ts';
import { runOverview } from './run.ts';
import { summarizeOverview } from './summarize.ts';

export const overview = defineKind({
  name: 'overview',
  input: overviewInput,
  result: Overview,
  access: 'viewer',
  summary:
    'The numbers of the overview: visitors, visits, views, views per visit, bounce rate, visit duration, and their series',
  parameters: {
    ...compareParameters,
    interval: z.enum(intervals).optional(),
    goal: rowId.optional().meta({ description: 'Number of a goal: its conversions, and their series.' }),
    per,
  },
  csv: overviewFile,
  numbers: overviewNumbers,
  summarize: summarizeOverview,
  run: ({ columns, scope, people, goal, now }, input) => runOverview(columns, scope, { ...input, people, goal }, now),
});
