/** Visits by country, drawn. A row of the table can do whatever a country here can: what has no shape is there as well. */
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, type PointerEvent, useId, useState } from 'react';
import { HeatScale, heatClass, STEPS, stepClass } from '#views/charts/HeatScale.tsx';
import { otherLand, WORLD_HEIGHT, WORLD_WIDTH, worldShapes } from '#views/charts/world-shapes.ts';
import { classNames } from '#views/kit/class-names.ts';
import { useNavigation } from '#views/navigation.tsx';
import { breakdownInput } from '#views/question/inputs.ts';
import type { Question } from '#views/question/question.ts';
import { filterOf } from '#views/question/use-row-lead.ts';
import { useTrpc } from '#views/trpc.ts';
import { missing } from '#views/words/format.ts';
import { mapWords } from '#views/words/map.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './WorldMap.module.css';

export interface WorldMapProps {
  reference: string;
  question: Question;
  path: string;
}

/** More than there are countries. */
const ALL_COUNTRIES = 300;

export function WorldMap({ reference, question, path }: WorldMapProps) {
  const { format } = useWords();
  const own = usePart(mapWords);
  const { navigate } = useNavigation();
  const trpc = useTrpc();
  const input = breakdownInput(reference, question, 'country', ALL_COUNTRIES);
  const { data } = useQuery({
    ...trpc.insights.query.breakdown.queryOptions(input),
    placeholderData: (before) => before,
  });
  const [shown, setShown] = useState<string | null>(null);
  const hint = useId();

  const rows = (data?.rows ?? []).filter(([code]) => Object.hasOwn(worldShapes, code));
  const counts = new Map(rows.map(([code, , count]) => [code, count]));
  const most = Math.max(1, ...counts.values());
  const open = (code: string | null) => {
    const filter = code === null ? undefined : filterOf({ dimension: 'country' }, question, path, code);
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
  const lands = (
    <>
      <path d={otherLand} className={stepClass(0)} />
      {Object.entries(worldShapes).map(([code, shape]) => (
        <path key={code} data-code={code} d={shape} className={stepClass(stepOf(counts.get(code) ?? 0, most))} />
      ))}
    </>
  );
  if (data !== undefined && counts.size === 0) {
    return (
      <div className={classNames(css['map'], css['none'], heatClass)}>
        <svg viewBox={`0 0 ${WORLD_WIDTH} ${WORLD_HEIGHT}`} className={css['drawing']} aria-hidden="true">
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
      <svg viewBox={`0 0 ${WORLD_WIDTH} ${WORLD_HEIGHT}`} className={css['drawing']} aria-hidden="true">
        {lands}
        {shown !== null && <path d={worldShapes[shown]} className={css['shown']} />}
      </svg>
      <p className={css['readout']} aria-live="polite">
        {shown === null || data === undefined
          ? '\u00a0'
          : count === 0
            ? own.nothing(format.country(shown))
            : own.visits(format.country(shown), count, format.number(count), format.percent(count / data.count))}
      </p>
      <div className={css['foot']}>
        <HeatScale none="0" most={data === undefined ? missing : format.number(most)} />
        <p>{own.what}</p>
      </div>
    </div>
  );
}

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
