/** A line for each transition. */
import * as z from 'zod/mini';
import { defineFile, rounded, tableRows } from '../../query/file.ts';
import type { PathsInput, PathsResult } from './contract.ts';

export const pathsFile = defineFile<PathsInput, PathsResult, object>({
  options: z.strictObject({}),
  rows: ({ edges }) =>
    tableRows(
      ['step', 'from', 'to', 'count', 'people', 'mean_seconds'],
      edges.map(({ step, from, to, count, people, meanSeconds }) => [
        ...[step, from, to, count, people],
        rounded(meanSeconds),
      ]),
    ),
});
