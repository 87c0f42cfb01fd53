/** The kind `trends`: series of events by interval. */
import { defineKind } from '../../define.ts';
import { breakdownRevealsPersons, revealsPersons } from '../../query/contract.ts';
import { breakdownParts, trendsInput } from './contract.ts';
import { trendsFile } from './csv.ts';
import { explainTrends } from './explain.ts';
import { trendsPoints } from './points.ts';
import { Trends } from './result.ts';
import { runTrends } from './run.ts';
import { summarizeTrends } from './summarize.ts';

export const trends = defineKind({
  name: 'trends',
  input: trendsInput,
  result: Trends,
  access: 'viewer',
  summary: 'Series of events by interval: events, persons, visits or values of a property, also by value',
  events: ({ series }) => series.map(({ event }) => event),
  revealsPersons: ({ breakdown, series }) =>
    // The largest of all values is one that a person has.
    breakdownParts({ breakdown }).some(breakdownRevealsPersons) ||
    series.some(
      ({ measure }) =>
        typeof measure === 'object' &&
        'property' in measure &&
        revealsPersons({ about: 'event', name: measure.property }),
    ),
  csv: trendsFile,
  points: trendsPoints,
  explain: explainTrends,
  summarize: summarizeTrends,
  run: runTrends,
});
