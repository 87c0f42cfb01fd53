/**
 * Several series over time, as lines, areas or bars. Drawn by the server at every width as `LineChart` is; the browser adds the readout.
 */
import { classNames } from '#views/kit/class-names.ts';
import { Late } from '#views/kit/Late.tsx';
import { MINUS } from '#views/words/signs.ts';
import { useWords } from '#views/words/words.tsx';
import { useChartNotes } from './chart-notes.tsx';
import css from './LineChart.module.css';
import { NoteMarks, percent, Rule } from './LineChart.tsx';
import { HEIGHT, linePaths, WIDTH } from './paths.ts';
import own from './SeriesChart.module.css';
import { SeriesReader } from './SeriesReader.tsx';
import { seriesClass } from './Swatch.tsx';
import { labelRule, type Plan, planOf } from './series-plan.ts';
import type { SeriesChartProps } from './series-props.ts';
import { areaPath, type Edges, groupedBars, placeOf, stackedBars } from './series-shapes.ts';
import type { Values } from './stacks.ts';
import { timeRule } from './time-rule.ts';
import { axisText } from './values.ts';

/** With the annotations of the screen, unless its points are no times. */
export function SeriesChart(props: SeriesChartProps) {
  const noted = useChartNotes(props.starts);
  return <Chart {...(props.labels === undefined ? noted : {})} {...props} />;
}

function Chart(props: SeriesChartProps) {
  const { name, look, series, running } = props;
  const { words, format } = useWords();
  const plan = planOf(props);
  const { lines, edges, kind } = plan;
  const rule = props.labels === undefined ? timeRule({ ...props, words }) : labelRule(props.labels);
  const labels = lines.map((value) => ({
    value,
    text: `${value < 0 ? MINUS : ''}${axisText(Math.abs(value), kind, edges.top, format)}`,
  }));
  return (
    <figure
      className={classNames(css['chart'], labels.some(({ text }) => text.length > 5) && css['roomy'])}
      aria-label={name}
    >
      <svg className={css['axis']} aria-hidden="true">
        {labels.map(({ value, text }) => (
          <text key={value} x="100%" y={percent(placeOf(value, edges))} dy="0.25rem">
            {text}
          </text>
        ))}
      </svg>
      <div className={classNames(css['plot'], own['plot'])}>
        <svg className={css['drawing']} aria-hidden="true">
          {lines.map((value) => (
            <line
              key={value}
              className={css['grid']}
              x2="100%"
              y1={percent(placeOf(value, edges))}
              y2={percent(placeOf(value, edges))}
            />
          ))}
          <svg
            viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
            preserveAspectRatio="none"
            className={own['shapes']}
            aria-hidden="true"
          >
            {props.comparison && look === 'line' && series.length === 1 && (
              <path className={own['before']} d={comparedLine(props, edges)} />
            )}
            {series.map(({ key, values }, place) => (
              <g key={key} className={classNames(seriesClass(place), own[look])}>
                {look === 'line' ? (
                  <Line values={values} edges={edges} running={props.openFrom ?? running} count={props.starts.length} />
                ) : (
                  <Shape plan={plan} place={place} {...props} />
                )}
              </g>
            ))}
          </svg>
          <NoteMarks notes={props.notes} count={props.starts.length} />
          <line className={css['base']} x2="100%" y1={percent(placeOf(0, edges))} y2={percent(placeOf(0, edges))} />
        </svg>
        <Late>
          <SeriesReader {...props} edges={edges} layers={plan.layers} />
        </Late>
      </div>
      <Rule rule={rule} count={props.starts.length} onNote={props.onNote} />
    </figure>
  );
}

function comparedLine({ comparison, starts }: SeriesChartProps, { top, bottom }: Edges): string {
  const count = starts.length;
  return linePaths(comparison?.values.slice(0, count) ?? [], top, null, count, bottom).line;
}

interface LineProps {
  values: Values;
  edges: Edges;
  running: number | null;
  count: number;
}

function Line({ values, edges, running, count }: LineProps) {
  const { line, running: last, dots } = linePaths(values, edges.top, running, count, edges.bottom);
  return (
    <>
      {line && <path d={line} />}
      {last && <path className={own['running']} d={last} />}
      {dots && <path className={own['dots']} d={dots} />}
    </>
  );
}

function Shape({ plan, place, look, series, starts }: SeriesChartProps & { plan: Plan; place: number }) {
  const { edges, layers } = plan;
  const values = series[place]?.values ?? [];
  if (layers === null) return <path d={groupedBars(values, starts.length, edges, place, series.length)} />;
  const own = layers[place] ?? [];
  return <path d={look === 'area' ? areaPath(own, edges) : stackedBars(own, edges)} />;
}
