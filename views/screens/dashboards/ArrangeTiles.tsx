/** Arranging tiles: by drag, by keyboard, or by the menu of each. Nothing is stored before it is saved. */
import {
  type Announcements,
  closestCenter,
  DndContext,
  DragOverlay,
  KeyboardSensor,
  PointerSensor,
  type UniqueIdentifier,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import { arrayMove, SortableContext, sortableKeyboardCoordinates, useSortable } from '@dnd-kit/sortable';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { Dashboard, Tile } from '#src/dashboards/contract.ts';
import { MAX_TILES, tabletWidths, tileHeights, tileWidths } from '#src/dashboards/values.ts';
import { Tiles, type TilesProps, tileName } from '#views/dashboards/Tiles.tsx';
import { Button, ButtonLink } from '#views/kit/Button.tsx';
import { Icon } from '#views/kit/Icon.tsx';
import { Late } from '#views/kit/Late.tsx';
import { MenuOption } from '#views/kit/MenuOption.tsx';
import { OptionGroup, Popover } from '#views/kit/Popover.tsx';
import { Problem } from '#views/kit/Problem.tsx';
import { showToast } from '#views/kit/toast.tsx';
import { useNavigate } from '#views/navigation.tsx';
import { failureOf, useTrpc } from '#views/trpc.ts';
import { dashboardEditWords } from '#views/words/dashboard-edit.ts';
import { dashboardWords } from '#views/words/dashboards.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { AddTile } from './AddTile.tsx';
import { useDashboardRefresh } from './DashboardActions.tsx';
import css from './Dashboards.module.css';
import { TextDialog } from './TextDialog.tsx';

export interface ArrangeTilesProps extends Omit<TilesProps, 'dashboard' | 'tiles' | 'toolsOf'> {
  dashboard: Dashboard;
  /** Where the dashboard is shown. */
  backHref: string;
}

export function ArrangeTiles({ dashboard, backHref, ...parts }: ArrangeTilesProps) {
  const own = usePart(dashboardWords);
  const edit = usePart(dashboardEditWords);
  const { words, format } = useWords();
  const { navigate } = useNavigate();
  const refresh = useDashboardRefresh();
  const save = useMutation(useTrpc().dashboards.update.mutationOptions());
  const [tiles, setTiles] = useState<readonly Tile[]>(dashboard.content.tiles);
  const [insights, setInsights] = useState(dashboard.insights);
  const [dragged, setDragged] = useState<UniqueIdentifier | null>(null);
  const [before, setBefore] = useState(tiles);
  /** Position that was announced last. */
  const announced = useRef(0);
  const [isAdding, setIsAdding] = useState(tiles.length === 0);
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const shown = { insights };
  const nameOf = (id: UniqueIdentifier): string => {
    const tile = tiles.find((each) => each.id === id);
    return tile === undefined ? '' : tileName(tile, shown, own, words);
  };
  const positionOf = (id: UniqueIdentifier) => tiles.findIndex((each) => each.id === id) + 1;
  const placeOf = (id: UniqueIdentifier): [string, string, string] => [
    nameOf(id),
    format.number(positionOf(id)),
    format.number(tiles.length),
  ];
  const announcements: Announcements = {
    onDragStart({ active }) {
      announced.current = positionOf(active.id);
      return edit.picked(...placeOf(active.id));
    },
    // Also comes right after it was picked up, over its own place.
    onDragOver({ active }) {
      if (positionOf(active.id) === announced.current) return;
      announced.current = positionOf(active.id);
      return edit.moved(...placeOf(active.id));
    },
    onDragEnd: ({ active }) => edit.dropped(...placeOf(active.id)),
    onDragCancel: ({ active }) => edit.canceled(nameOf(active.id)),
  };
  const change = (id: string, over: Partial<Tile>) =>
    setTiles(tiles.map((each) => (each.id === id ? ({ ...each, ...over } as Tile) : each)));
  const move = (from: number, to: number) => setTiles(arrayMove([...tiles], from, to));
  const failure = save.error && failureOf(save.error);

  function store(): void {
    const { id, revision, content } = dashboard;
    save.mutate(
      { project: parts.reference, dashboard: id, revision, content: { ...content, tiles: [...tiles] } },
      {
        onSuccess: async () => {
          await refresh();
          showToast(own.saved);
          navigate(backHref, { replace: true });
        },
      },
    );
  }

  return (
    <>
      <div className={css['arrange']}>
        <p className="dim">{edit.arrange}</p>
        {failure && (
          <p role="alert" className={css['failure']}>
            {failure.code === 'conflict' ? own.conflict : <Problem error={failure} />}
          </p>
        )}
        <Button small icon="plus" disabled={tiles.length >= MAX_TILES} onClick={() => setIsAdding(true)}>
          {own.addTile}
        </Button>
        <ButtonLink small href={backHref}>
          {own.cancel}
        </ButtonLink>
        <Button small kind="primary" busy={save.isPending && own.saving} onClick={store}>
          {edit.done}
        </Button>
      </div>
      <DndContext
        sensors={sensors}
        collisionDetection={closestCenter}
        accessibility={{ announcements, screenReaderInstructions: { draggable: edit.instructions } }}
        onDragStart={({ active }) => {
          setDragged(active.id);
          setBefore(tiles);
        }}
        onDragOver={({ active, over }) => {
          if (over === null || over.id === active.id) return;
          move(
            tiles.findIndex(({ id }) => id === active.id),
            tiles.findIndex(({ id }) => id === over.id),
          );
        }}
        onDragEnd={() => setDragged(null)}
        onDragCancel={() => {
          setDragged(null);
          setTiles(before);
        }}
      >
        {/* The order itself changes while a tile is moved, so nothing has to be shifted aside. */}
        <SortableContext items={tiles.map(({ id }) => id)} strategy={() => null}>
          <Tiles
            {...parts}
            dashboard={shown}
            tiles={tiles}
            toolsOf={(tile) => {
              const at = tiles.indexOf(tile);
              return (
                <TileTools
                  tile={tile}
                  name={tileName(tile, shown, own, words)}
                  onChange={(over) => change(tile.id, over)}
                  onEarlier={at > 0 ? () => move(at, at - 1) : undefined}
                  onLater={at < tiles.length - 1 ? () => move(at, at + 1) : undefined}
                  onRemove={() => setTiles(tiles.filter(({ id }) => id !== tile.id))}
                />
              );
            }}
          />
        </SortableContext>
        <DragOverlay>{dragged !== null && <span className={css['dragged']}>{nameOf(dragged)}</span>}</DragOverlay>
      </DndContext>
      {isAdding && (
        <Late>
          <AddTile
            reference={parts.reference}
            onAdd={(tile, insight) => {
              if (insight !== undefined) setInsights([...insights, insight]);
              setTiles([...tiles, tile]);
              setIsAdding(false);
            }}
            onClose={() => setIsAdding(false)}
          />
        </Late>
      )}
    </>
  );
}

interface TileToolsProps {
  tile: Tile;
  name: string;
  onChange(over: Partial<Tile>): void;
  onEarlier: (() => void) | undefined;
  onLater: (() => void) | undefined;
  onRemove(): void;
}

function TileTools({ tile, name, onChange, onEarlier, onLater, onRemove }: TileToolsProps) {
  const edit = usePart(dashboardEditWords);
  const [isWriting, setIsWriting] = useState(false);
  // The tile itself is where others are dropped; the handle moves it.
  const { attributes, listeners, setActivatorNodeRef, setNodeRef, isDragging } = useSortable({ id: tile.id });
  const { role, tabIndex, ...described } = attributes;
  return (
    <div className={css['tools']} data-dragging={isDragging || undefined}>
      <span ref={setNodeRef} className={css['place']} />
      <button
        type="button"
        ref={setActivatorNodeRef}
        className={css['handle']}
        {...described}
        {...listeners}
        aria-label={edit.move(name)}
      >
        <Icon name="menu" />
      </button>
      <Popover
        label={edit.options(name)}
        align="end"
        triggerClass={css['more']}
        trigger={
          <>
            <Icon name="more" />
            <span className="visually-hidden">{edit.options(name)}</span>
          </>
        }
      >
        <OptionGroup title={edit.width}>
          <ul>
            {tileWidths.map((width) => (
              <MenuOption key={width} pressed={width === tile.width} run={() => onChange({ width })}>
                {edit.widths[width]}
              </MenuOption>
            ))}
          </ul>
        </OptionGroup>
        <OptionGroup title={edit.tabletWidth}>
          <ul>
            {([undefined, ...tabletWidths] as const).map((tabletWidth) => (
              <MenuOption
                key={tabletWidth ?? 'auto'}
                pressed={tabletWidth === tile.tabletWidth}
                run={() => onChange({ tabletWidth })}
              >
                {tabletWidth === undefined ? edit.automatic : edit.widths[tabletWidth]}
              </MenuOption>
            ))}
          </ul>
        </OptionGroup>
        {tile.kind !== 'heading' && tile.kind !== 'text' && tile.kind !== 'separator' && (
          <OptionGroup title={edit.height}>
            <ul>
              {tileHeights.map((height) => (
                <MenuOption key={height} pressed={height === tile.height} run={() => onChange({ height })}>
                  {edit.heights[height]}
                </MenuOption>
              ))}
            </ul>
          </OptionGroup>
        )}
        <ul>
          {tile.kind === 'insight' && (
            <MenuOption pressed={tile.own === true} run={() => onChange({ own: tile.own !== true })}>
              {edit.keepOwn}
            </MenuOption>
          )}
          {(tile.kind === 'text' || tile.kind === 'heading') && (
            <MenuOption run={() => setIsWriting(true)}>{edit.editText}</MenuOption>
          )}
          {onEarlier && <MenuOption run={onEarlier}>{edit.earlier}</MenuOption>}
          {onLater && <MenuOption run={onLater}>{edit.later}</MenuOption>}
          <MenuOption run={onRemove}>{edit.remove}</MenuOption>
        </ul>
      </Popover>
      {isWriting && (tile.kind === 'text' || tile.kind === 'heading') && (
        <TextDialog
          kind={tile.kind}
          text={tile.text}
          onSave={(text) => {
            onChange({ text });
            setIsWriting(false);
          }}
          onClose={() => setIsWriting(false)}
        />
      )}
    </div>
  );
}
