/** The kind `funnel`: conversion from step to step. */
import { defineKind } from '../../define.ts';
import { breakdownRevealsPersons } from '../../query/contract.ts';
import { eventsOfFunnel, funnelInput } from './contract.ts';
import { funnelFile } from './csv.ts';
import { explainFunnel } from './explain.ts';
import { funnelPoints } from './points.ts';
import { Funnel } from './result.ts';
import { runFunnel } from './run.ts';
import { summarizeFunnel } from './summarize.ts';

export const funnel = defineKind({
  name: 'funnel',
  input: funnelInput,
  result: Funnel,
  access: 'viewer',
  summary: 'Conversion from step to step, and the time it took; also by a value of the first step',
  events: (input) => eventsOfFunnel(input),
  revealsPersons: ({ breakdown }) => breakdownRevealsPersons(breakdown),
  csv: funnelFile,
  points: funnelPoints,
  explain: explainFunnel,
  summarize: summarizeFunnel,
  run: runFunnel,
});
