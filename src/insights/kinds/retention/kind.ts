/** The kind `retention`: who came back, by the period in which they began. */
import { defineKind } from '../../define.ts';
import { breakdownRevealsPersons } from '../../query/contract.ts';
import { retentionInput } from './contract.ts';
import { retentionFile } from './csv.ts';
import { explainRetention } from './explain.ts';
import { retentionPoints } from './points.ts';
import { Retention } from './result.ts';
import { runRetention } from './run.ts';
import { summarizeRetention } from './summarize.ts';

export const retention = defineKind({
  name: 'retention',
  input: retentionInput,
  result: Retention,
  access: 'viewer',
  summary: 'Query retention by cohort period',
  events: ({ startEvent, returningEvent }) => [startEvent, returningEvent],
  revealsPersons: ({ breakdown }) => breakdownRevealsPersons(breakdown),
  csv: retentionFile,
  points: retentionPoints,
  explain: explainRetention,
  summarize: summarizeRetention,
  run: runRetention,
});
