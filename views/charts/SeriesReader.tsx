/**
 * Reads a chart of several series out, interval by interval: under the pointer, or by arrow keys. Up and down choose one of the series, and
 * a press or Enter asks who is behind its point, where the chart knows it.
 */
import { type KeyboardEvent, type MouseEvent, type PointerEvent, useCallback, useId, useState } from 'react';
import { classNames } from '#views/kit/class-names.ts';
import { useWords } from '#views/words/words.tsx';
import css from './ChartReader.module.css';
import { keyStep, noteKey } from './ChartReader.tsx';
import { percent } from './LineChart.tsx';
import { middle } from './paths.ts';
import own from './SeriesReader.module.css';
import { Swatch } from './Swatch.tsx';
import type { SeriesChartProps } from './series-props.ts';
import { type Edges, placeOf } from './series-shapes.ts';
import type { Layer } from './stacks.ts';
import { oddDayHours, periodName } from './time-rule.ts';
import { valueText } from './values.ts';

export type SeriesReaderProps = SeriesChartProps & {
  /** Values at both edges of the plot. */
  edges: Edges;
  /** Stacked positions by series; null: at their values. */
  layers: readonly (readonly (Layer | null)[])[] | null;
};

export function SeriesReader(props: SeriesReaderProps) {
  const { series, name, edges, starts, onPoint } = props;
  const { words } = useWords();
  const [index, setIndex] = useState<number | null>(null);
  const [chosen, setChosen] = useState(0);
  const hint = useId();
  const count = starts.length;
  const shown = index === null || index >= count ? null : index;
  const at = shown === null ? 0 : middle(shown, count);
  const height = shown === null ? null : heightOf(props, chosen, shown);

  function pointAt(event: MouseEvent<HTMLElement>): { at: number; nearest: number } {
    const box = event.currentTarget.getBoundingClientRect();
    const place = Math.min(count - 1, Math.max(0, Math.floor(((event.clientX - box.left) / box.width) * count)));
    const { top, bottom } = edges;
    const value = top - ((event.clientY - box.top) / box.height) * (top - bottom);
    return { at: place, nearest: nearestTo(value, props, place) };
  }

  function onPointer(event: PointerEvent<HTMLElement>): void {
    const place = pointAt(event);
    setIndex(place.at);
    setChosen(place.nearest);
  }

  function onKey(event: KeyboardEvent): void {
    if (noteKey(event) && shown !== null && props.onNote) props.onNote(shown);
    else if (event.key === 'Enter' && shown !== null && onPoint !== undefined) onPoint(chosen, shown);
    else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const step = event.key === 'ArrowDown' ? 1 : series.length - 1;
      setChosen((chosen + step) % Math.max(1, series.length));
    } else {
      const next = keyStep(event.key, shown, count);
      if (next === undefined) return;
      setIndex(next);
    }
    event.preventDefault();
  }

  return (
    <div
      className={classNames(css['reader'], onPoint !== undefined && own['pressed'])}
      role="application"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard reads the chart from here
      tabIndex={0}
      aria-label={name}
      aria-describedby={hint}
      onPointerMove={onPointer}
      onPointerDown={onPointer}
      onPointerLeave={(event) => event.pointerType === 'mouse' && setIndex(null)}
      onClick={(event) => {
        const place = pointAt(event);
        if (event.detail > 0) onPoint?.(place.nearest, place.at);
      }}
      onKeyDown={onKey}
      onBlur={() => setIndex(null)}
    >
      <span id={hint} className="visually-hidden">
        {words.chart.explore} {props.onNote && words.chart.note}
      </span>
      {shown !== null && (
        <svg className={css['marks']} aria-hidden="true">
          <line x1={percent(at)} x2={percent(at)} y2="100%" />
          {height !== null && <circle cx={percent(at)} cy={percent(placeOf(height, edges))} r="5" />}
        </svg>
      )}
      {shown !== null && <Readout {...props} index={shown} chosen={chosen} at={at} />}
      <Sentence {...props} index={shown} chosen={chosen} />
    </div>
  );
}

/** Vertical position of a series' point. */
function heightOf({ series, layers }: SeriesReaderProps, place: number, index: number): number | null {
  return layers === null ? (series[place]?.values[index] ?? null) : (layers[place]?.[index]?.to ?? null);
}

/** The series with the nearest point; when stacked, the one under the pointer. */
function nearestTo(value: number, props: SeriesReaderProps, index: number): number {
  const within = props.layers?.findIndex((layers) => isWithin(value, layers[index] ?? null)) ?? -1;
  if (within !== -1) return within;
  let nearest = 0;
  let least = Number.POSITIVE_INFINITY;
  for (const place of props.series.keys()) {
    const distance = Math.abs((heightOf(props, place, index) ?? Number.POSITIVE_INFINITY) - value);
    if (distance < least) [nearest, least] = [place, distance];
  }
  return nearest;
}

function isWithin(value: number, layer: Layer | null): boolean {
  if (layer === null) return false;
  return value >= Math.min(layer.from, layer.to) && value <= Math.max(layer.from, layer.to);
}

type ReadProps = SeriesChartProps & { index: number; chosen: number };

function usePeriod(props: Omit<ReadProps, 'chosen'>): string {
  const { starts, to, labels, interval, timeZone, running, until, index } = props;
  const { words, format } = useWords();
  if (labels !== undefined) return labels[index] ?? '';
  const period = { starts, to, interval, timeZone, words };
  const hours = oddDayHours(index, period);
  const parts = [periodName(index, period)];
  if (hours !== null) parts.push(words.chart.longDay(format.number(hours)));
  if (index === running && until !== null) parts.push(words.chart.until(format.time(until, timeZone)));
  return parts.join(', ');
}

/** Rows beyond these are in the table. */
const MAX_READ = 12;

function Readout(props: ReadProps & { at: number }) {
  const { series, kind, index, chosen, at, comparison, sum, interval, timeZone } = props;
  const { words, format } = useWords();
  const period = usePeriod(props);
  // Placed through the object model: a style attribute in the page is not allowed.
  const place = useCallback((box: HTMLElement | null) => box?.style.setProperty('--at', percent(at)), [at]);
  const total = series.reduce((all, { values }) => all + (values[index] ?? 0), 0);
  return (
    <div ref={place} className={classNames(css['readout'], 'num', at > 0.6 && css['flipped'])} aria-hidden="true">
      <span className={classNames(css['head'], css['low'])}>{period}</span>
      {series.slice(0, MAX_READ).map(({ key, label, values }, row) => (
        <span key={key} className={classNames(own['row'], row === chosen && own['chosen'])}>
          <span className={own['label']}>
            <Swatch index={row} round />
            <span className="clip">{label}</span>
          </span>
          <span className={css['value']}>{valueText(values[index] ?? null, kind, format)}</span>
        </span>
      ))}
      {comparison && series.length === 1 && comparison.starts[index] !== undefined && (
        <span className={classNames(own['row'], css['low'])}>
          <span>{periodName(index, { ...comparison, interval, timeZone, words })}</span>
          <span>{valueText(comparison.values[index] ?? null, kind, format)}</span>
        </span>
      )}
      {sum !== undefined && series.length > 1 && (
        <span className={classNames(own['row'], css['low'])}>
          <span>{sum}</span>
          <span>{valueText(total, kind, format)}</span>
        </span>
      )}
      {notesAt(props, index).map((note) => (
        <span key={note} className={css['note']}>
          {note}
        </span>
      ))}
    </div>
  );
}

/** Each text once. */
function notesAt({ notes = [] }: SeriesChartProps, index: number): string[] {
  return [...new Set(notes.filter((note) => note.index === index).map(({ text }) => text))];
}

/** Screen reader announcement of the point. */
function Sentence(props: SeriesChartProps & { index: number | null; chosen: number }) {
  const { series, kind, index, chosen } = props;
  const { format } = useWords();
  const period = usePeriod({ ...props, index: index ?? 0 });
  const read = series[chosen];
  return (
    <span className="visually-hidden" aria-live="polite">
      {index === null || read === undefined
        ? ''
        : [
            `${period}: ${read.label} ${valueText(read.values[index] ?? null, kind, format)}`,
            ...notesAt(props, index),
          ].join('. ')}
    </span>
  );
}
