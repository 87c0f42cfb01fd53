/**
 * One series over time, with the period before behind it. Drawn by the server at every width: what must not stretch (text,
 * rings, ticks) is placed by percentages in the outer drawing, what may (the lines) lies in a stretched one inside it. The
 * browser adds only the readout.
 */
import type { MouseEvent } from 'react';
import { classNames } from '#views/kit/class-names.ts';
import { Late } from '#views/kit/Late.tsx';
import { useWords } from '#views/words/words.tsx';
import { ChartReader } from './ChartReader.tsx';
import css from './LineChart.module.css';
import type { ChartNote, LineChartProps } from './line-chart.ts';
import { HEIGHT, linePaths, middle, WIDTH } from './paths.ts';
import { axisFor } from './scale.ts';
import { type TimeRule, timeRule } from './time-rule.ts';
import { axisText } from './values.ts';

export function LineChart(props: LineChartProps) {
  const { name, kind, series, comparison, running } = props;
  const { words, format } = useWords();
  const count = series.starts.length;
  const axis = axisFor(comparison ? [...series.values, ...comparison.values] : series.values, kind);
  const main = linePaths(series.values, axis.top, running, count);
  const before = comparison && linePaths(comparison.values.slice(0, count), axis.top, null, count);
  const rule = timeRule({ ...props, starts: series.starts, words });
  const labels = axis.lines.map((value) => ({ value, text: axisText(value, kind, axis.top, format) }));
  return (
    <figure
      className={classNames(css['chart'], labels.some(({ text }) => text.length > 5) && css['roomy'])}
      aria-label={name}
    >
      <svg className={css['axis']} aria-hidden="true">
        {labels.map(({ value, text }) => (
          <text key={value} x="100%" y={percent(1 - value / axis.top)} dy="0.25rem">
            {text}
          </text>
        ))}
      </svg>
      <div className={css['plot']}>
        <svg className={css['drawing']} aria-hidden="true">
          {axis.lines.map((value) => (
            <line
              key={value}
              className={css['grid']}
              x2="100%"
              y1={percent(1 - value / axis.top)}
              y2={percent(1 - value / axis.top)}
            />
          ))}
          <svg
            viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
            preserveAspectRatio="none"
            className={css['lines']}
            aria-hidden="true"
          >
            {before && <path className={css['before']} d={before.line} />}
            {before?.dots && <path className={classNames(css['before'], css['dots'])} d={before.dots} />}
            {main.line && <path d={main.line} />}
            {main.running && <path className={css['running']} d={main.running} />}
            {main.dots && <path className={css['dots']} d={main.dots} />}
          </svg>
          <NoteMarks notes={props.notes} count={count} />
          <line className={css['base']} x2="100%" y1="100%" y2="100%" />
        </svg>
        <Late>
          <ChartReader {...props} top={axis.top} />
        </Late>
      </div>
      <Rule rule={rule} count={count} onNote={props.onNote} />
    </figure>
  );
}

/** Marks of annotations, one for each interval that has any. */
export function NoteMarks({ notes = [], count }: { notes?: readonly ChartNote[] | undefined; count: number }) {
  const places = [...new Set(notes.map(({ index }) => middle(index, count)))];
  return places.map((at) => (
    <g key={at} className={css['note']}>
      <line x1={percent(at)} x2={percent(at)} y2="100%" />
      <circle cx={percent(at)} r="3" />
    </g>
  ));
}

interface RuleProps {
  rule: TimeRule;
  /** Intervals above it. */
  count?: number;
  /** A press adds an annotation to the interval above. */
  onNote?: ((index: number) => void) | undefined;
}

/** The graduated rule under a chart. */
export function Rule({ rule, count = 1, onNote }: RuleProps) {
  const onClick = (event: MouseEvent<SVGSVGElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    onNote?.(Math.min(count - 1, Math.max(0, Math.floor(((event.clientX - left) / width) * count))));
  };
  return (
    <svg className={classNames(css['rule'], onNote && css['pressed'])} aria-hidden="true" onClick={onNote && onClick}>
      <svg viewBox={`0 0 ${WIDTH} 28`} preserveAspectRatio="none" className={css['ticks']} aria-hidden="true">
        <path d={rule.ticks.map(({ at, size }) => `M${Math.round(at * WIDTH)} 0v${TICKS[size]}`).join('')} />
      </svg>
      {rule.labels.map(({ at, text, anchor, onPhone }) => (
        <text key={at} x={percent(at)} y="1.375rem" textAnchor={anchor} className={onPhone ? undefined : 'wide-only'}>
          {text}
        </text>
      ))}
    </svg>
  );
}

const TICKS = { short: 4, medium: 6, long: 9 } as const;

/** Share of the width or height as an SVG length, to a hundredth of a percent. */
export function percent(share: number): string {
  return `${Math.round(share * 10_000) / 100}%`;
}
