/** Visits by country or by state, drawn. A row of the table can do what a place here can: what has no shape is there as well. */
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, type PointerEvent, useId, useState } from 'react';
import { brazilianStates } from '#src/kit/brazil/values.ts';
import { HeatScale, heatClass, STEPS, stepClass } from '#views/charts/HeatScale.tsx';
import { stateTiles, TILES_HEIGHT, TILES_WIDTH } from '#views/charts/state-tiles.ts';
import { otherLand, WORLD_HEIGHT, WORLD_WIDTH, worldShapes } from '#views/charts/world-shapes.ts';
import { classNames } from '#views/kit/class-names.ts';
import { useNavigation } from '#views/navigation.tsx';
import { breakdownInput } from '#views/question/inputs.ts';
import type { Question } from '#views/question/question.ts';
import { filterOf } from '#views/question/use-row-lead.ts';
import { useTrpc } from '#views/trpc.ts';
import { type Format, missing } from '#views/words/format.ts';
import { mapWords } from '#views/words/map.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './WorldMap.module.css';

export type MappedDimension = 'country' | 'region';

export interface WorldMapProps {
  of: MappedDimension;
  reference: string;
  question: Question;
  path: string;
}

/** More than there are countries; regions beyond are those with the fewest visits. */
const ALL_PLACES = 300;

interface Drawing {
  width: number;
  height: number;
  /** Path data by code. */
  shapes: Readonly<Record<string, string>>;
  /** The code of a row, if it can be drawn. */
  codeOf(value: string): string;
  nameOf(code: string, format: Format): string;
}

const drawings: Record<MappedDimension, Drawing> = {
  country: {
    width: WORLD_WIDTH,
    height: WORLD_HEIGHT,
    shapes: worldShapes,
    codeOf: (value) => value,
    nameOf: (code, format) => format.country(code),
  },
  region: {
    width: TILES_WIDTH,
    height: TILES_HEIGHT,
    shapes: Object.fromEntries(Object.entries(stateTiles).map(([code, { shape }]) => [code, shape])),
    codeOf: (value) => value.slice(-5),
    nameOf: (code) => brazilianStates[code.slice(3)] ?? code,
  },
};

export function WorldMap({ of, reference, question, path }: WorldMapProps) {
  const { shapes, width, height, ...drawing } = drawings[of];
  const { format } = useWords();
  const own = usePart(mapWords)[of];
  const { navigate } = useNavigation();
  const trpc = useTrpc();
  const input = breakdownInput(reference, question, of, ALL_PLACES);
  const { data } = useQuery({
    ...trpc.insights.query.breakdown.queryOptions(input),
    placeholderData: (before) => before,
  });
  const [shown, setShown] = useState<string | null>(null);
  const hint = useId();

  const rows = (data?.rows ?? []).filter(([value]) => Object.hasOwn(shapes, drawing.codeOf(value)));
  const values = new Map(rows.map(([value]) => [drawing.codeOf(value), value]));
  const counts = new Map(rows.map(([value, , count]) => [drawing.codeOf(value), count]));
  const most = Math.max(1, ...counts.values());
  const open = (code: string | null) => {
    // Of a region that nobody came from no more than the code is known.
    const value = code === null ? undefined : (values.get(code) ?? (of === 'country' ? code : undefined));
    const filter = value === undefined ? undefined : filterOf({ dimension: of }, question, path, value);
    if (filter) navigate(filter.href);
  };
  const onPointer = (event: PointerEvent) => setShown(codeOf(event.target as Element));
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && shown !== null) open(shown);
    const next = step(event.key, shown, [...counts.keys()]);
    if (next === undefined) return;
    event.preventDefault();
    setShown(next);
  };
  const count = shown === null ? 0 : (counts.get(shown) ?? 0);
  const drawingClass = classNames(css['drawing'], of === 'region' && css['tiles']);
  const lands = (
    <>
      {of === 'country' && <path d={otherLand} className={stepClass(0)} />}
      {Object.entries(shapes).map(([code, shape]) => (
        <path key={code} data-code={code} d={shape} className={stepClass(stepOf(counts.get(code) ?? 0, most))} />
      ))}
      {of === 'region' && <StateNames stepOf={(code) => stepOf(counts.get(code) ?? 0, most)} />}
    </>
  );
  if (data !== undefined && counts.size === 0) {
    return (
      <div className={classNames(css['map'], css['none'], heatClass)}>
        <svg viewBox={`0 0 ${width} ${height}`} className={drawingClass} aria-hidden="true">
          {lands}
        </svg>
        <p>{data.rows.length === 0 ? own.none : own.noneDrawn}</p>
      </div>
    );
  }
  return (
    <div
      className={classNames(css['map'], heatClass)}
      role="application"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard reads the map from here
      tabIndex={0}
      aria-label={own.name}
      aria-describedby={hint}
      onPointerOver={onPointer}
      onPointerLeave={(event) => event.pointerType === 'mouse' && setShown(null)}
      onClick={(event) => open(codeOf(event.target as Element))}
      onKeyDown={onKey}
      onBlur={() => setShown(null)}
    >
      <span id={hint} className="visually-hidden">
        {own.explore}
      </span>
      <svg viewBox={`0 0 ${width} ${height}`} className={drawingClass} aria-hidden="true">
        {lands}
        {shown !== null && <path d={shapes[shown]} className={css['shown']} />}
      </svg>
      <p className={css['readout']} aria-live="polite">
        {shown === null || data === undefined
          ? '\u00a0'
          : count === 0
            ? own.nothing(drawing.nameOf(shown, format))
            : own.visits(
                drawing.nameOf(shown, format),
                count,
                format.number(count),
                format.percent(count / data.count),
              )}
      </p>
      <div className={css['foot']}>
        <HeatScale none="0" most={data === undefined ? missing : format.number(most)} />
        <p>{own.what}</p>
      </div>
    </div>
  );
}

/** Letters upon the tiles, which let what is pressed through. */
function StateNames({ stepOf }: { stepOf: (code: string) => number }) {
  return Object.entries(stateTiles).map(([code, { state, x, y }]) => (
    <text key={code} x={x} y={y} className={classNames(css['state'], stepOf(code) > DARK_STEP && css['onDark'])}>
      {state}
    </text>
  ));
}

/** Above it, steps have light ink in the light theme and dark ink in the dark one (Heat.module.css). */
const DARK_STEP = 4;

function codeOf(element: Element): string | null {
  return element instanceof SVGElement ? (element.dataset['code'] ?? null) : null;
}

/** Mostly one country has far more than the others: steps are those of the logarithm. */
function stepOf(count: number, most: number): number {
  if (count === 0) return 0;
  return most === 1 ? STEPS : 1 + Math.round((Math.log(count) / Math.log(most)) * (STEPS - 1));
}

/** Where a key leads among the countries, the largest first; undefined for keys that are not ours. */
function step(key: string, shown: string | null, codes: readonly string[]): string | null | undefined {
  const at = shown === null ? -1 : codes.indexOf(shown);
  if (key === 'ArrowRight' || key === 'ArrowDown') return codes[Math.min(codes.length - 1, at + 1)];
  if (key === 'ArrowLeft' || key === 'ArrowUp') return codes[Math.max(0, at - 1)];
  if (key === 'Home') return codes[0];
  if (key === 'End') return codes.at(-1);
  return key === 'Escape' && shown !== null ? null : undefined;
}
