/** The kind `stickiness`: persons by the number of intervals in which they were active. */
import { defineKind } from '../../define.ts';
import { stickinessInput } from './contract.ts';
import { stickinessFile } from './csv.ts';
import { explainStickiness } from './explain.ts';
import { stickinessPoints } from './points.ts';
import { Stickiness } from './result.ts';
import { runStickiness } from './run.ts';
import { summarizeStickiness } from './summarize.ts';

export const stickiness = defineKind({
  name: 'stickiness',
  input: stickinessInput,
  result: Stickiness,
  access: 'viewer',
  summary: 'In how many intervals of a range people were active',
  events: ({ event }) => [event],
  csv: stickinessFile,
  points: stickinessPoints,
  explain: explainStickiness,
  summarize: summarizeStickiness,
  run: runStickiness,
});
