/** The kind `heatmap`: weekdays by hours. */
import { defineKind } from '../../define.ts';
import { heatmapInput } from './contract.ts';
import { heatmapFile } from './csv.ts';
import { heatmapNumbers } from './numbers.ts';
import { Heatmap } from './result.ts';
import { runHeatmap } from './run.ts';
import { summarizeHeatmap } from './summarize.ts';

export const heatmap = defineKind({
  name: 'heatmap',
  input: heatmapInput,
  result: Heatmap,
  access: 'viewer',
  summary: 'Weekly heatmap: visitors and views by weekday and hour',
  parameters: {},
  csv: heatmapFile,
  numbers: heatmapNumbers,
  summarize: summarizeHeatmap,
  run: ({ columns, scope, people, now }, input) => runHeatmap(columns, scope, { ...input, people }, now),
});
