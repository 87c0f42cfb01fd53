/** Layout of a chart of several series: its value axis, what lies upon what, and the labels of its points. Pure. */
import { middle } from './paths.ts';
import { axisFor, type ValueKind } from './scale.ts';
import type { SeriesChartProps } from './series-props.ts';
import type { Edges } from './series-shapes.ts';
import { type Layer, mirrored, stack, topOf, type Values } from './stacks.ts';
import type { TimeRule } from './time-rule.ts';

type PlannedSeries = Pick<SeriesChartProps, 'look' | 'kind' | 'series' | 'starts' | 'comparison'>;

export interface Plan {
  edges: Edges;
  /** Values of the lines; zero has the base. */
  lines: readonly number[];
  kind: ValueKind;
  /** Null where series do not lie upon each other. */
  layers: readonly (readonly (Layer | null)[])[] | null;
}

export function planOf({ look, kind, series, starts, comparison }: PlannedSeries): Plan {
  const values = series.map((each) => each.values);
  if (look === 'line' || look === 'bar') {
    const compared = look === 'line' && series.length === 1 ? (comparison?.values ?? []) : [];
    return { ...linesFor([...values.flat(), ...compared], kind), kind, layers: null };
  }
  const isShare = look === 'percent';
  const count = starts.length;
  const above = stack(
    series.map((each) => (each.isBelow ? [] : each.values)),
    count,
    isShare,
  );
  const below = stack(
    series.map((each) => (each.isBelow ? each.values : [])),
    count,
  );
  return {
    ...linesFor([isShare ? 1 : topOf(above), -topOf(below)], isShare ? 'share' : kind),
    kind: isShare ? 'share' : kind,
    layers: series.map((each, at) => (each.isBelow ? mirrored(below[at] ?? []) : (above[at] ?? []))),
  };
}

/** Edges and lines for these values, also below zero. */
function linesFor(values: Values, kind: ValueKind): Pick<Plan, 'edges' | 'lines'> {
  const least = values.reduce<number>((min, value) => Math.min(min, value ?? 0), 0);
  const { top, lines } = axisFor([...values, -least / 2], kind);
  const step = lines[0] ?? top;
  const beneath = Math.ceil(-least / step);
  return {
    edges: { top, bottom: beneath === 0 ? 0 : -beneath * step },
    lines: [...Array.from({ length: beneath }, (_, at) => -(at + 1) * step), ...lines],
  };
}

/** As many names below the chart as have room. */
const MAX_LABELS = 12;

/** Ticks and labels of points that are no times. */
export function labelRule(labels: readonly string[]): TimeRule {
  const each = Math.ceil(labels.length / MAX_LABELS);
  const ticks = labels.map((_, index) => ({ at: middle(index, labels.length), size: 'short' as const }));
  const named = labels.flatMap((text, index) =>
    index % each === 0
      ? [{ at: middle(index, labels.length), text, anchor: 'middle' as const, onPhone: index % (2 * each) === 0 }]
      : [],
  );
  return { ticks, labels: named };
}
