/** Several series over time, or over other points, as lines, areas or bars. Pure. */
import { HEIGHT, middle, WIDTH as UNITS } from '#views/charts/paths.ts';
import { labelRule, planOf } from '#views/charts/series-plan.ts';
import type { SeriesChartProps } from '#views/charts/series-props.ts';
import { areaPath, type Edges, groupedBars, placeOf, stackedBars } from '#views/charts/series-shapes.ts';
import type { Values } from '#views/charts/stacks.ts';
import { timeRule } from '#views/charts/time-rule.ts';
import { axisText } from '#views/charts/values.ts';
import type { Words } from '#views/words/en.ts';
import { formatOf } from '#views/words/format.ts';
import { MINUS } from '#views/words/signs.ts';
import { type Drawn, WIDTH } from './frame.ts';
import type { Palette } from './palette.ts';
import { tag, text } from './svg.ts';

const LEFT = 52;
const RIGHT = 8;
const TOP = 8;
const BOTTOM = 28;
const PLOT_HEIGHT = 300;
/** Up to this many points each gets a dot. */
const FEW_POINTS = 7;

export type SeriesDrawing = Omit<SeriesChartProps, 'name' | 'onPoint' | 'onNote' | 'notes' | 'sum' | 'until'>;

/** With a legend beside it: the color of a series is that of its place. */
export function drawSeries(props: SeriesDrawing, words: Words, palette: Palette): Drawn {
  const { look, series, starts } = props;
  const plan = planOf(props);
  const { edges, lines, kind } = plan;
  const format = formatOf(words);
  const box = { left: LEFT, top: TOP, width: WIDTH - LEFT - RIGHT, height: PLOT_HEIGHT };
  const yOf = (value: number): number => box.top + placeOf(value, edges) * box.height;
  const across = (value: number, stroke: string) =>
    tag('line', { x1: box.left, x2: box.left + box.width, y1: yOf(value), y2: yOf(value), stroke });
  const isDashed = props.openFrom ?? props.running;
  const shapes = series.map(({ values }, place) => {
    const color = colorOf(place, palette);
    if (look === 'line') return drawLine(values, { edges, count: starts.length, box, dashedFrom: isDashed, color });
    const own = plan.layers?.[place] ?? [];
    const d =
      plan.layers === null
        ? groupedBars(values, starts.length, edges, place, series.length)
        : look === 'area'
          ? areaPath(own, edges)
          : stackedBars(own, edges);
    const scale = `translate(${box.left} ${box.top}) scale(${box.width / UNITS} ${box.height / HEIGHT})`;
    const opacity = look === 'area' ? 0.7 : undefined;
    return d === '' ? '' : tag('path', { d, transform: scale, fill: color, 'fill-opacity': opacity });
  });
  const compared = props.comparison && look === 'line' && series.length === 1 ? props.comparison.values : null;
  return {
    width: WIDTH,
    height: box.top + box.height + BOTTOM,
    content: [
      ...lines.map((value) => across(value, palette.chartGrid)),
      ...lines.map((value) =>
        text(
          `${value < 0 ? MINUS : ''}${axisText(Math.abs(value), kind, edges.top, format)}`,
          box.left - 8,
          yOf(value) + 4,
          { 'text-anchor': 'end', fill: palette.ink3 },
        ),
      ),
      ...(compared === null
        ? []
        : [
            drawLine(compared.slice(0, starts.length), {
              edges,
              count: starts.length,
              box,
              dashedFrom: null,
              color: palette.chartCompare,
            }),
          ]),
      ...shapes,
      across(0, palette.chartAxis),
      ...rulesOf(props, words).map(({ at, text: label, anchor }) =>
        text(label, box.left + at * box.width, box.top + box.height + 20, {
          'text-anchor': anchor,
          fill: palette.ink3,
        }),
      ),
    ].join(''),
  };
}

export function colorOf(place: number, { series }: Palette): string {
  return series[place % series.length] as string;
}

function rulesOf(props: SeriesDrawing, words: Words) {
  const rule = props.labels === undefined ? timeRule({ ...props, words }) : labelRule(props.labels);
  return rule.labels;
}

interface LinePlan {
  edges: Edges;
  count: number;
  box: { left: number; top: number; width: number; height: number };
  /** Index of the first point that is not final; null: all are. */
  dashedFrom: number | null;
  color: string;
}

function drawLine(values: Values, { edges, count, box, dashedFrom, color }: LinePlan): string {
  const x = (index: number): string => (box.left + middle(index, count) * box.width).toFixed(1);
  const y = (value: number): string => (box.top + placeOf(value, edges) * box.height).toFixed(1);
  const paths = { whole: '', dashed: '' };
  const dots: string[] = [];
  for (const [index, value] of values.entries()) {
    if (value === null) continue;
    const before = values[index - 1] ?? null;
    const after = values[index + 1] ?? null;
    if ((before === null && after === null) || values.length <= FEW_POINTS)
      dots.push(tag('circle', { cx: x(index), cy: y(value), r: 2.5, fill: color }));
    if (before === null) continue;
    const part = dashedFrom !== null && index >= dashedFrom ? 'dashed' : 'whole';
    paths[part] += `M${x(index - 1)} ${y(before)}L${x(index)} ${y(value)}`;
  }
  const stroke = {
    fill: 'none',
    stroke: color,
    'stroke-width': 2,
    'stroke-linejoin': 'round',
    'stroke-linecap': 'round',
  };
  return [
    ...(paths.whole === '' ? [] : [tag('path', { d: paths.whole, ...stroke })]),
    ...(paths.dashed === '' ? [] : [tag('path', { d: paths.dashed, ...stroke, 'stroke-dasharray': '4 4' })]),
    ...dots,
  ].join('');
}
