/** A saved insight in a tile: its chart, within the dashboard's question. */
import type { Tile } from '#src/dashboards/contract.ts';
import type { SavedInsight } from '#src/insights/saved/contract.ts';
import { savedInsightOf } from '#views/frame/addresses.ts';
import { insightAddress } from '#views/insights/address.ts';
import type { KindName } from '#views/insights/insight.ts';
import type { AnswerProps } from '#views/insights/kind-view.ts';
import { viewOf } from '#views/insights/kinds.ts';
import { InTile } from '#views/insights/tile.tsx';
import { State } from '#views/kit/State.tsx';
import { NotedCharts } from '#views/question/notes/NotedCharts.tsx';
import type { Question } from '#views/question/question.ts';
import { dashboardWords } from '#views/words/dashboards.ts';
import { usePart } from '#views/words/words.tsx';
import { OverrideChips } from './OverrideChips.tsx';
import { TileFrame } from './TileFrame.tsx';
import { insightIn } from './tile-question.ts';

export interface InsightTileProps extends Pick<AnswerProps<KindName>, 'reference' | 'project' | 'goals' | 'now'> {
  tile: Extract<Tile, { kind: 'insight' }>;
  /** Absent: it was deleted, or the reader may not see it. */
  saved: SavedInsight | undefined;
  question: Question;
}

export function InsightTile({ tile, saved, question, ...parts }: InsightTileProps) {
  const own = usePart(dashboardWords);
  if (saved === undefined) {
    return (
      <State icon="chart" title={own.gone}>
        {own.goneText}
      </State>
    );
  }
  const { insight, isFiltered, overrides } = insightIn(tile, saved, question);
  const { Answer } = viewOf(insight.kind);
  const path = savedInsightOf(parts.reference, saved.id);
  return (
    <TileFrame
      title={saved.name}
      href={tile.own ? path : insightAddress(path, insight)}
      note={
        <>
          {tile.own && own.ownRange}
          <OverrideChips overrides={overrides} now={parts.now} />
          {!isFiltered && <span title={own.notFilteredText}>{own.notFiltered}</span>}
        </>
      }
    >
      <InTile>
        <NotedCharts reference={parts.reference} project={parts.project} range={insight.question.range}>
          <Answer
            {...parts}
            insight={insight as AnswerProps<KindName>['insight']}
            hrefOf={(next) => insightAddress(path, next)}
            onChange={() => undefined}
          />
        </NotedCharts>
      </InTile>
    </TileFrame>
  );
}
