/** The kind `lifecycle`: new, returning, resurrecting and dormant persons by interval. */
import { defineKind } from '../../define.ts';
import { lifecycleInput } from './contract.ts';
import { lifecycleFile } from './csv.ts';
import { explainLifecycle } from './explain.ts';
import { lifecyclePoints } from './points.ts';
import { Lifecycle } from './result.ts';
import { runLifecycle } from './run.ts';
import { summarizeLifecycle } from './summarize.ts';

export const lifecycle = defineKind({
  name: 'lifecycle',
  input: lifecycleInput,
  result: Lifecycle,
  access: 'viewer',
  summary: 'New, returning, resurrecting and dormant people by interval',
  events: ({ event }) => [event],
  csv: lifecycleFile,
  points: lifecyclePoints,
  explain: explainLifecycle,
  summarize: summarizeLifecycle,
  run: runLifecycle,
});
