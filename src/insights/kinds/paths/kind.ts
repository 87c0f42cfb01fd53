/** The kind `paths`: which pages and events follow each other. */
import { defineKind } from '../../define.ts';
import { breakdownRevealsPersons } from '../../query/contract.ts';
import type { EventsQuery } from '../../query/people/contract.ts';
import { eventsOfFunnel } from '../funnel/contract.ts';
import { type PathsInput, pathsInput } from './contract.ts';
import { pathsFile } from './csv.ts';
import { explainPaths } from './explain.ts';
import { pathsPoints } from './points.ts';
import { Paths } from './result.ts';
import { runPaths } from './run.ts';
import { summarizePaths } from './summarize.ts';

export const paths = defineKind({
  name: 'paths',
  input: pathsInput,
  result: Paths,
  access: 'viewer',
  summary: 'Query paths: transitions between pages and events',
  csv: pathsFile,
  points: pathsPoints,
  events: (input) => [...eventsOfPaths(input), ...(input.after ? eventsOfFunnel(input.after.funnel) : [])],
  revealsPersons: ({ after }) => breakdownRevealsPersons(after?.funnel.breakdown),
  explain: explainPaths,
  summarize: summarizePaths,
  run: runPaths,
});

/** Steps of events by name: groups have other names, and those with `*` are patterns. */
function eventsOfPaths({ stepType, startPoint, endPoint, exclude, groups }: PathsInput): EventsQuery[] {
  if (stepType !== 'events') return [];
  const named = [startPoint, endPoint, ...exclude].filter((each) => each !== undefined);
  return named.filter((each) => !each.includes('*') && !groups.includes(each)).map((event) => ({ event }));
}
