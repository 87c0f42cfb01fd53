/** The heatmap, explained as a whole. */
import { defineNumbers, ofViews } from '../../query/explained-numbers.ts';
import { hoursSql } from './explain.ts';

export const heatmapNumbers = defineNumbers(['hours'], (of, { timeZone }) =>
  ofViews(of, (rows) => hoursSql(rows, timeZone)),
);
