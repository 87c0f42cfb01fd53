/**
 * Reads a chart out, point by point: under the pointer, or by arrow keys, Home and End. A brass line and a ring mark the
 * point; a box shows its values, and a live region announces them to screen readers.
 */
import { type KeyboardEvent, type PointerEvent, useCallback, useId, useState } from 'react';
import { classNames } from '#views/kit/class-names.ts';
import type { Words } from '#views/words/en.ts';
import type { Format } from '#views/words/format.ts';
import { useWords } from '#views/words/words.tsx';
import css from './ChartReader.module.css';
import type { LineChartProps } from './line-chart.ts';
import { middle } from './paths.ts';
import { oddDayHours, periodName } from './time-rule.ts';
import { valueText } from './values.ts';

export type ReaderProps = LineChartProps & {
  /** Value at the top edge of the plot. */
  top: number;
};

export function ChartReader(props: ReaderProps) {
  const { series, name, top } = props;
  const { words, format } = useWords();
  const [index, setIndex] = useState<number | null>(null);
  const hint = useId();
  const count = series.starts.length;
  const shown = index === null || index >= count ? null : index;

  const onPointer = (event: PointerEvent<HTMLDivElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const at = Math.floor(((event.clientX - left) / width) * count);
    setIndex(Math.min(count - 1, Math.max(0, at)));
  };
  const onKey = (event: KeyboardEvent) => {
    if (noteKey(event) && shown !== null && props.onNote) {
      event.preventDefault();
      props.onNote(shown);
      return;
    }
    const next = keyStep(event.key, shown, count);
    if (next === undefined) return;
    event.preventDefault();
    setIndex(next);
  };

  const value = shown === null ? null : (series.values[shown] ?? null);
  const at = shown === null ? 0 : middle(shown, count);
  return (
    <div
      className={css['reader']}
      role="application"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard reads the chart from here
      tabIndex={0}
      aria-label={name}
      aria-describedby={hint}
      onPointerMove={onPointer}
      onPointerDown={onPointer}
      onPointerLeave={(event) => event.pointerType === 'mouse' && setIndex(null)}
      onKeyDown={onKey}
      onBlur={() => setIndex(null)}
    >
      <span id={hint} className="visually-hidden">
        {words.chart.explore} {props.onNote && words.chart.note}
      </span>
      {shown !== null && (
        <svg className={css['marks']} aria-hidden="true">
          <line x1={percent(at)} x2={percent(at)} y2="100%" />
          {value !== null && <circle cx={percent(at)} cy={percent(1 - value / top)} r="5" />}
        </svg>
      )}
      {shown !== null && <Readout {...readout(props, shown, words, format)} at={at} />}
      <span className="visually-hidden" aria-live="polite">
        {shown === null ? '' : sentence(readout(props, shown, words, format))}
      </span>
    </div>
  );
}

/** True for the key that adds an annotation to the point. */
export function noteKey({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return key.toLowerCase() === 'n' && !ctrlKey && !metaKey && !altKey;
}

/** The point that a key leads to, null for none; undefined for keys that charts do not use. */
export function keyStep(key: string, index: number | null, count: number): number | null | undefined {
  switch (key) {
    case 'ArrowRight':
      return index === null ? 0 : Math.min(count - 1, index + 1);
    case 'ArrowLeft':
      return index === null ? count - 1 : Math.max(0, index - 1);
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    case 'Escape':
      return index === null ? undefined : null;
    default:
      return undefined;
  }
}

interface ReadoutText {
  period: string;
  label: string;
  value: string;
  before: { period: string; value: string } | null;
  changeLabel: string;
  change: string | null;
  notes: string[];
}

function readout(props: ReaderProps, index: number, words: Words, format: Format): ReadoutText {
  const { kind, label, series, comparison, interval, timeZone, running, until, notes: given = [] } = props;
  const period = { interval, timeZone, words };
  const value = series.values[index] ?? null;
  const before = comparison?.values[index] ?? null;
  const notes = [periodName(index, { ...period, ...series })];
  const hours = oddDayHours(index, { ...period, ...series });
  if (hours !== null) notes.push(words.chart.longDay(format.number(hours)));
  if (index === running && until !== null) notes.push(words.chart.until(format.time(until, timeZone)));
  const change = format.change(value, before, kind, props.events?.[index]);
  return {
    period: notes.join(', '),
    label,
    value: value === null ? words.chart.nothing : valueText(value, kind, format),
    before:
      comparison === null || comparison.starts[index] === undefined
        ? null
        : { period: periodName(index, { ...period, ...comparison }), value: valueText(before, kind, format) },
    changeLabel: words.change.label,
    notes: given.filter((note) => note.index === index).map(({ text }) => text),
    change: change && `${change.direction === null ? '' : change.direction === 'up' ? '▲ ' : '▼ '}${change.text}`,
  };
}

/** "Thu 12 Nov: Visitors 2,095; Thu 15 Oct 1,170, +79.1%". */
function sentence({ period, label, value, before, change, notes }: ReadoutText): string {
  const past = before === null ? '' : `; ${before.period} ${before.value}`;
  const moved = change === null ? '' : `, ${change.replace(/^[▲▼] /u, '')}`;
  return [`${period}: ${label} ${value}${past}${moved}`, ...notes].join('. ');
}

function Readout({ period, label, value, before, changeLabel, change, notes, at }: ReadoutText & { at: number }) {
  // Placed through the object model: a style attribute in the page is not allowed.
  const place = useCallback((box: HTMLElement | null) => box?.style.setProperty('--at', percent(at)), [at]);
  return (
    <div ref={place} className={classNames(css['readout'], 'num', at > 0.6 && css['flipped'])} aria-hidden="true">
      <span className={classNames(css['head'], css['low'])}>{period}</span>
      <span>{label}</span>
      <span className={css['value']}>{value}</span>
      {before && (
        <>
          <span className={css['low']}>{before.period}</span>
          <span className={classNames(css['value'], css['low'])}>{before.value}</span>
        </>
      )}
      {change && (
        <>
          <span className={css['low']}>{changeLabel}</span>
          <span className={css['value']}>{change}</span>
        </>
      )}
      {[...new Set(notes)].map((note) => (
        <span key={note} className={css['note']}>
          {note}
        </span>
      ))}
    </div>
  );
}

function percent(share: number): string {
  return `${Math.round(share * 10_000) / 100}%`;
}
