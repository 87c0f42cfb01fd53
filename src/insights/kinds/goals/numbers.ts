/** The table of goals, explained as a whole. */
import { defineNumbers } from '../../query/explained-numbers.ts';
import { goalsSql } from './explain.ts';

export const goalsNumbers = defineNumbers(['goal'], (of, { goals, per }) => ({
  of,
  sql: (rows) => goalsSql(rows, goals, per),
  counts: { goals },
  events: null,
  ofVisits: per === 'visit',
  per,
}));
