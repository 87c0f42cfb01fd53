/** Queries of tiles. */
import type { Dashboard, Tile } from '#src/dashboards/contract.ts';
import type { BreakdownDimension } from '#src/insights/contract.ts';
import { answerOptions } from '#views/insights/use-answer.ts';
import { breakdownInput, goalsInput, heatmapInput, overviewInput, vitalsInput } from '#views/question/inputs.ts';
import type { Question } from '#views/question/question.ts';
import type { Trpc } from '#views/trpc.ts';
import { insightIn } from './tile-question.ts';

/** What tiles are counted within. */
export interface TileScope extends Pick<Dashboard, 'insights'> {
  question: Question;
  /** Goals that the reader sees. */
  goals: readonly { id: number }[];
}

export function tileOptions(
  trpc: Trpc,
  reference: string,
  { content, insights }: Pick<Dashboard, 'content' | 'insights'>,
  { question, goals }: Omit<TileScope, 'insights'>,
) {
  return content.tiles.flatMap((tile) => optionsOf(trpc, reference, tile, { insights, question, goals }) ?? []);
}

/** Null: the tile asks nothing. */
export function optionsOf(trpc: Trpc, reference: string, tile: Tile, { insights, question, goals }: TileScope) {
  switch (tile.kind) {
    case 'insight': {
      const saved = insights.find(({ id }) => id === tile.insight);
      return saved === undefined ? null : answerOptions(trpc, reference, insightIn(tile, saved, question).insight);
    }
    case 'metric':
      return metricOptions(trpc, reference, question);
    case 'breakdown':
      return breakdownOptions(trpc, reference, question, tile);
    case 'goals':
      return goalsOptions(trpc, reference, question);
    case 'goal':
      return goals.some(({ id }) => id === tile.goal) ? goalOptions(trpc, reference, question, tile.goal) : null;
    case 'heatmap':
      return heatmapOptions(trpc, reference, question);
    case 'vitals':
      return vitalsOptions(trpc, reference, question);
    default:
      return null;
  }
}

/** Only what the tiles ask of *Overview*: all of them share one answer. */
export function metricOptions(trpc: Trpc, reference: string, question: Question) {
  return trpc.insights.query.overview.queryOptions(overviewInput(reference, { ...question, goal: null }));
}

export function breakdownOptions(
  trpc: Trpc,
  reference: string,
  question: Question,
  { dimension, height }: { dimension: BreakdownDimension; height: number },
) {
  return trpc.insights.query.breakdown.queryOptions(breakdownInput(reference, question, dimension, rowsIn(height)));
}

export function goalsOptions(trpc: Trpc, reference: string, question: Question) {
  return trpc.insights.query.goals.queryOptions(goalsInput(reference, question));
}

export function goalOptions(trpc: Trpc, reference: string, question: Question, goal: number) {
  return trpc.insights.query.overview.queryOptions(overviewInput(reference, { ...question, goal }));
}

export function heatmapOptions(trpc: Trpc, reference: string, question: Question) {
  return trpc.insights.query.heatmap.queryOptions(heatmapInput(reference, question));
}

export function vitalsOptions(trpc: Trpc, reference: string, question: Question) {
  return trpc.insights.query.vitals.queryOptions(vitalsInput(reference, question, 1));
}

/** Rows that a tile has room for. */
export function rowsIn(height: number): number {
  return height * 5;
}
