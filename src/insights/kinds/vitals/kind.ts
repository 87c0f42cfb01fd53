/** The kind `vitals`: web vitals, over all and by page. */
import * as z from 'zod';
import { defineKind } from '../../define.ts';
import { ordered } from '../../query/parameters.ts';
import { MAX_ROWS } from '../breakdown/contract.ts';
import { vitalNames, vitalPercentiles, vitalsInput } from './contract.ts';
import { vitalsFile } from './csv.ts';
import { vitalsNumbers } from './numbers.ts';
import { Vitals } from './result.ts';
import { runVitals } from './run.ts';
import { summarizeVitals } from './summarize.ts';
import { vitalColumns } from './values.ts';

export const vitals = defineKind({
  name: 'vitals',
  input: vitalsInput,
  result: Vitals,
  access: 'viewer',
  summary: 'Get Web Vitals at a percentile, with ratings, overall and by page',
  parameters: {
    vital: z.enum(vitalNames).default('LCP').meta({ description: 'The vital of the pages.' }),
    percentile: z
      .enum(vitalPercentiles.map(String))
      .default('75')
      .transform(Number)
      .meta({ description: 'The percentile of the values.' }),
    ...ordered(vitalColumns),
  },
  // Whole tables are for files: too large to be kept.
  isCached: ({ limit }) => limit <= MAX_ROWS,
  csv: vitalsFile,
  numbers: vitalsNumbers,
  summarize: summarizeVitals,
  run: ({ columns, scope, people, now }, input) => runVitals(columns, scope, { ...input, people }, now),
});
