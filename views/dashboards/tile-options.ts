/** Queries of tiles. */
import type { Dashboard, Tile } from '#src/dashboards/contract.ts';
import type { BreakdownDimension } from '#src/insights/contract.ts';
import { answerOptions } from '#views/insights/use-answer.ts';
import { breakdownInput, goalsInput, overviewInput } from '#views/question/inputs.ts';
import type { Question } from '#views/question/question.ts';
import type { Trpc } from '#views/trpc.ts';
import { insightIn } from './tile-question.ts';

export function tileOptions(
  trpc: Trpc,
  reference: string,
  { content, insights }: Pick<Dashboard, 'content' | 'insights'>,
  question: Question,
) {
  return content.tiles.flatMap((tile) => optionsOf(trpc, reference, tile, { insights, question }) ?? []);
}

/** Null: the tile asks nothing. */
export function optionsOf(
  trpc: Trpc,
  reference: string,
  tile: Tile,
  { insights, question }: Pick<Dashboard, 'insights'> & { question: Question },
) {
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

/** Rows that a tile has room for. */
export function rowsIn(height: number): number {
  return height * 5;
}
