/** Rows of the answer to trends: what is drawn and listed, with the points as they are drawn. Pure. */
import type { TrendsInput, TrendsResult, TrendsResultRow } from '#src/insights/kinds/trends/contract.ts';
import type { ValueKind } from '#views/charts/scale.ts';
import type { Values } from '#views/charts/stacks.ts';
import type { Display } from '../display.ts';
import { addsUp, valueKindOf } from './measures.ts';
import { cumulated, smoothed } from './smoothing.ts';

export interface TrendsRow {
  /** Stable while the answer changes: of the series and the value. */
  key: string;
  /** Index of the series, or of the formula. */
  series: number;
  isFormula: boolean;
  /** Value of the breakdown; null: of all that have no row; '' without a breakdown. */
  value: string | null;
  kind: ValueKind;
  total: number | null;
  previous: number | null;
  /** As they are drawn. */
  points: Values;
  comparisonPoints: Values | null;
  /** By weekday and hour; null: not asked for. */
  cells: readonly Values[] | null;
  ignored: number;
}

/** Series that are drawn unless others are chosen, and at most. */
export const MAX_DRAWN = 8;

export function rowsOf(
  { series, formulas }: TrendsResult,
  input: Pick<TrendsInput, 'series' | 'formulas'>,
  display: Display,
): TrendsRow[] {
  const drawn = (values: Values): Values =>
    display.cumulative ? cumulated(values) : display.average ? smoothed(values, display.average) : values;
  const rowsWith = (rows: readonly TrendsResultRow[], at: number, isFormula: boolean, kind: ValueKind): TrendsRow[] =>
    rows.map((row) => ({
      key: `${isFormula ? 'f' : ''}${at}${row.value === null ? '' : `=${row.value}`}`.slice(0, 500),
      series: at,
      isFormula,
      value: row.value,
      kind,
      total: row.total,
      previous: row.previous,
      points: drawn(row.points),
      comparisonPoints: row.comparisonPoints && drawn(row.comparisonPoints),
      cells: row.cells,
      ignored: row.ignored,
    }));
  return [
    ...formulas.flatMap(({ rows }, at) =>
      rowsWith(rows, at, true, input.formulas?.[at]?.format === 'percent' ? 'share' : 'decimal'),
    ),
    ...series.flatMap(({ rows }, at) => rowsWith(rows, at, false, valueKindOf(input.series[at]?.measure ?? 'events'))),
  ];
}

/** Weekly heatmaps are tall. */
const MAX_HEATMAPS = 3;

/** Those that the chart shows: the chosen ones, or the first. */
export function drawnRows(rows: readonly TrendsRow[], { rows: chosen, chart }: Display): TrendsRow[] {
  const drawn = chosen === undefined ? rows : rows.filter(({ key }) => chosen.includes(key));
  return drawn.slice(0, chart === 'heatmap' && chosen === undefined ? 1 : mostDrawn({ chart }));
}

/** So many rows can be chosen. */
export function mostDrawn({ chart }: Pick<Display, 'chart'>): number {
  return chart === 'heatmap' ? MAX_HEATMAPS : MAX_DRAWN;
}

/** Value kind of the chart. Mixed kinds and means have decimals. */
export function chartKind(rows: readonly TrendsRow[], { average }: Display): ValueKind {
  const [kind = 'count', ...others] = new Set(rows.map((row) => row.kind));
  if (others.length > 0) return 'mean';
  return kind === 'count' && average !== undefined ? 'mean' : kind;
}

/** Whether the drawn points are transformed (cumulative, averaged), so that no people can be listed behind them. */
export function isAltered({ cumulative, average }: Display): boolean {
  return cumulative === true || average !== undefined;
}

/** Whether these rows are additive: of one series with an additive measure. */
export function isSum({ series }: Pick<TrendsInput, 'series'>, rows: readonly TrendsRow[]): boolean {
  const [first] = rows;
  return (
    first !== undefined &&
    !first.isFormula &&
    rows.every((row) => row.series === first.series && !row.isFormula) &&
    addsUp(series[first.series]?.measure ?? 'persons')
  );
}
