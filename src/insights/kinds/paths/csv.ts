/** A line for each transition. */
import * as z from 'zod/mini';
import { defineFile, rounded, tableLines } from '../../query/file.ts';
import type { PathsInput, PathsResult } from './contract.ts';

export const pathsFile = defineFile<PathsInput, PathsResult, object>({
  options: z.strictObject({}),
  lines: ({ edges }) =>
    tableLines(
      ['step', 'from', 'to', 'count', 'mean_seconds'],
      edges.map(({ step, from, to, count, meanSeconds }) => [step, from, to, count, rounded(meanSeconds)]),
    ),
});
