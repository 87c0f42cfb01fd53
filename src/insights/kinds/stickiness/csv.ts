/** A line for each number of intervals. */
import * as z from 'zod/mini';
import { defineFile, rounded, tableRows } from '../../query/file.ts';
import type { StickinessInput, StickinessResult } from './contract.ts';

export const stickinessFile = defineFile<StickinessInput, StickinessResult, object>({
  options: z.strictObject({}),
  rows: ({ people, total, interval }) =>
    tableRows(
      [`${interval}s`, 'people', 'share'],
      people.map((count, at) => [at + 1, count, total === 0 ? null : rounded(count / total)]),
    ),
});
