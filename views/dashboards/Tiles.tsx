/** The tiles of a dashboard in their grid. On a phone they stand below each other, in their order. */
import type { ReactNode } from 'react';
import type { Dashboard, Tile } from '#src/dashboards/contract.ts';
import { Boundary } from '#views/boundary.tsx';
import { ChartSkeleton } from '#views/charts/ChartSkeleton.tsx';
import { BarTableSkeleton } from '#views/kit/BarTableSkeleton.tsx';
import { useConnection } from '#views/kit/connection.tsx';
import { Late } from '#views/kit/Late.tsx';
import { lazyPart } from '#views/kit/lazy-part.tsx';
import { Region } from '#views/kit/Region.tsx';
import { FailedState } from '#views/kit/State.tsx';
import { questionKey } from '#views/question/question.ts';
import { type DashboardWords, dashboardWords } from '#views/words/dashboards.ts';
import type { Words } from '#views/words/en.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { InsightTile, type InsightTileProps } from './InsightTile.tsx';
import { GoalTile, HeatmapTile, VitalsTile } from './MoreTiles.tsx';
import { BreakdownTile, GoalsTile, MetricTile } from './OverviewTiles.tsx';
import type { TextTileProps } from './TextTile.tsx';
import { TileFrame, tileClass } from './TileFrame.tsx';
import css from './Tiles.module.css';

const TextTile = lazyPart<TextTileProps>(
  'dashboard-text',
  async () => (await import('#views/areas/dashboard-text.ts')).TextTile,
);

export interface TilesProps extends Omit<InsightTileProps, 'tile' | 'saved'> {
  dashboard: Pick<Dashboard, 'insights'>;
  tiles: readonly Tile[];
  /** Names what is counted, when that takes long. */
  counting: string;
  /** Controls above the content of a tile, while tiles are arranged. */
  toolsOf?: ((tile: Tile) => ReactNode) | undefined;
}

export function Tiles(props: TilesProps) {
  return (
    <TileGrid>
      {props.tiles.map((tile) => (
        <TileBox key={tile.id} {...props} tile={tile} />
      ))}
    </TileGrid>
  );
}

export function TileGrid({ children }: { children: ReactNode }) {
  return <div className={css['grid']}>{children}</div>;
}

export interface TileBoxProps extends TilesProps {
  tile: Tile;
}

export function TileBox({ tile, toolsOf, ...props }: TileBoxProps) {
  const own = usePart(dashboardWords);
  const { words } = useWords();
  const { question, counting } = props;
  const { generation } = useConnection();
  const name = tileName(tile, props.dashboard, own, words);
  return (
    <section className={tileClass(tile)} aria-label={own.tile(name)} data-tile={tile.id}>
      {toolsOf?.(tile)}
      {tile.kind === 'text' ? (
        <Late>
          <TextTile text={tile.text} />
        </Late>
      ) : tile.kind === 'heading' ? (
        <h2>{tile.text}</h2>
      ) : tile.kind === 'separator' ? (
        <hr className={css['separator']} />
      ) : (
        <Region
          question={question}
          of={`${questionKey(question)} ${JSON.stringify(tile)}`}
          counting={counting}
          skeleton={tile.kind === 'breakdown' ? <BarTableSkeleton rows={tile.height * 5} /> : <ChartSkeleton />}
        >
          {(shown) => (
            <Boundary
              of={`${questionKey(shown)} ${JSON.stringify(tile)} ${generation}`}
              fallback={(error, retry) => (
                <TileFrame title={name}>
                  <FailedState error={error} retry={retry} />
                </TileFrame>
              )}
            >
              <Content {...props} tile={tile} question={shown} />
            </Boundary>
          )}
        </Region>
      )}
    </section>
  );
}

function Content({ tile, dashboard, question, ...parts }: Omit<TilesProps, 'tiles' | 'counting'> & { tile: Tile }) {
  const { reference, project, goals, now } = parts;
  switch (tile.kind) {
    case 'insight':
      return (
        <InsightTile
          tile={tile}
          saved={dashboard.insights.find(({ id }) => id === tile.insight)}
          question={question}
          {...{ reference, project, goals, now }}
        />
      );
    case 'metric':
      return <MetricTile reference={reference} question={question} metric={tile.metric} />;
    case 'breakdown':
      return (
        <BreakdownTile reference={reference} question={question} dimension={tile.dimension} height={tile.height} />
      );
    case 'goals':
      return <GoalsTile reference={reference} question={question} height={tile.height} />;
    case 'goal':
      return <GoalTile reference={reference} question={question} tile={tile} goals={goals} />;
    case 'heatmap':
      return <HeatmapTile reference={reference} question={question} />;
    case 'vitals':
      return <VitalsTile reference={reference} question={question} />;
    default:
      return null;
  }
}

/** Name of a tile. Pure. */
export function tileName(
  tile: Tile,
  { insights }: Pick<Dashboard, 'insights'>,
  own: DashboardWords,
  words: Words,
): string {
  switch (tile.kind) {
    case 'insight':
      return insights.find(({ id }) => id === tile.insight)?.name ?? own.gone;
    case 'metric':
      return words.metrics[tile.metric];
    case 'breakdown':
      return words.tables[tile.dimension];
    case 'goals':
      return own.goals;
    case 'heading':
      return tile.text;
    case 'goal':
      return own.goalMetrics[tile.metric];
    case 'heatmap':
    case 'vitals':
    case 'separator':
      return own.tileKinds[tile.kind];
    case 'text':
      return own.text;
  }
}
