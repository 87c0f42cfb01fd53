/** Countries or Brazilian states, colored by a number. Tables beside it have what is too small to be drawn. */
import { type KeyboardEvent, type PointerEvent, useId, useState } from 'react';
import { brazilianStates } from '#src/kit/brazil/values.ts';
import { classNames } from '#views/kit/class-names.ts';
import { type Format, missing } from '#views/words/format.ts';
import { useWords } from '#views/words/words.tsx';
import { HeatScale, heatClass, stepClass } from './HeatScale.tsx';
import { logStep } from './heat-steps.ts';
import css from './PlaceMap.module.css';
import { stateTiles, TILES_HEIGHT, TILES_WIDTH } from './state-tiles.ts';
import { otherLand, WORLD_HEIGHT, WORLD_WIDTH, worldShapes } from './world-shapes.ts';

export type PlaceKind = 'country' | 'region';

export interface PlaceMapProps {
  of: PlaceKind;
  /** Accessible name. */
  name: string;
  /** How it is gone through by keys. */
  hint: string;
  /** About its scale, and what is not on it. */
  note: string;
  /** By code of a country or state, largest first; null: not known yet. */
  values: ReadonlyMap<string, number> | null;
  /** Upon the map, where nothing is drawn. */
  empty: string;
  valueText(value: number): string;
  /** Sentence about a place, 0 where it has nothing. */
  readOf(place: string, value: number): string;
  onPress?: ((code: string) => void) | undefined;
}

interface Drawing {
  width: number;
  height: number;
  /** Path data by code. */
  shapes: Readonly<Record<string, string>>;
  nameOf(code: string, format: Format): string;
}

const drawings: Record<PlaceKind, Drawing> = {
  country: {
    width: WORLD_WIDTH,
    height: WORLD_HEIGHT,
    shapes: worldShapes,
    nameOf: (code, format) => format.country(code),
  },
  region: {
    width: TILES_WIDTH,
    height: TILES_HEIGHT,
    shapes: Object.fromEntries(Object.entries(stateTiles).map(([code, { shape }]) => [code, shape])),
    nameOf: (code) => brazilianStates[code.slice(3)] ?? code,
  },
};

export function PlaceMap(props: PlaceMapProps) {
  const { of, name, hint: hintText, note, values, empty, valueText, readOf, onPress } = props;
  const { shapes, width, height, nameOf } = drawings[of];
  const { format } = useWords();
  const [shown, setShown] = useState<string | null>(null);
  const hint = useId();
  const drawn = new Map([...(values ?? [])].filter(([code]) => Object.hasOwn(shapes, code)));
  const most = Math.max(1, ...drawn.values());
  const onPointer = (event: PointerEvent) => setShown(codeOf(event.target as Element));
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && shown !== null) onPress?.(shown);
    const next = step(event.key, shown, [...drawn.keys()]);
    if (next === undefined) return;
    event.preventDefault();
    setShown(next);
  };
  const drawingClass = classNames(css['drawing'], of === 'region' && css['tiles'], onPress && css['pressed']);
  const lands = (
    <>
      {of === 'country' && <path d={otherLand} className={stepClass(0)} />}
      {Object.entries(shapes).map(([code, shape]) => (
        <path key={code} data-code={code} d={shape} className={stepClass(logStep(drawn.get(code) ?? 0, most))} />
      ))}
      {of === 'region' && <StateNames stepOf={(code) => logStep(drawn.get(code) ?? 0, most)} />}
    </>
  );
  if (values !== null && drawn.size === 0) {
    return (
      <div className={classNames(css['map'], css['none'], heatClass)}>
        <svg viewBox={`0 0 ${width} ${height}`} className={drawingClass} aria-hidden="true">
          {lands}
        </svg>
        <p>{empty}</p>
      </div>
    );
  }
  return (
    <div
      className={classNames(css['map'], heatClass)}
      role="application"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard reads the map from here
      tabIndex={0}
      aria-label={name}
      aria-describedby={hint}
      onPointerOver={onPointer}
      onPointerLeave={(event) => event.pointerType === 'mouse' && setShown(null)}
      onClick={(event) => {
        const code = codeOf(event.target as Element);
        if (code !== null) onPress?.(code);
      }}
      onKeyDown={onKey}
      onBlur={() => setShown(null)}
    >
      <span id={hint} className="visually-hidden">
        {hintText}
      </span>
      <svg viewBox={`0 0 ${width} ${height}`} className={drawingClass} aria-hidden="true">
        {lands}
        {shown !== null && <path d={shapes[shown]} className={css['shown']} />}
      </svg>
      <p className={css['readout']} aria-live="polite">
        {shown === null || values === null ? '\u00a0' : readOf(nameOf(shown, format), drawn.get(shown) ?? 0)}
      </p>
      <div className={css['foot']}>
        <HeatScale none="0" most={values === null ? missing : valueText(most)} />
        <p>{note}</p>
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

/** Where a key leads among the places, the largest first; undefined for keys that are not ours. */
function step(key: string, shown: string | null, codes: readonly string[]): string | null | undefined {
  const at = shown === null ? -1 : codes.indexOf(shown);
  if (key === 'ArrowRight' || key === 'ArrowDown') return codes[Math.min(codes.length - 1, at + 1)];
  if (key === 'ArrowLeft' || key === 'ArrowUp') return codes[Math.max(0, at - 1)];
  if (key === 'Home') return codes[0];
  if (key === 'End') return codes.at(-1);
  return key === 'Escape' && shown !== null ? null : undefined;
}
