/** The rows that statements of explanations give, held against the answers of the engine. */
import type { InsightKind, QueryContext, QueryInput } from '#src/insights/define.ts';
import type { FunnelResult, FunnelResultRow } from '#src/insights/kinds/funnel/contract.ts';
import type { PathsResult } from '#src/insights/kinds/paths/contract.ts';
import type { RetentionResult } from '#src/insights/kinds/retention/contract.ts';
import type { TrendsResult, TrendsResultRow } from '#src/insights/kinds/trends/contract.ts';
import { explainQuery } from '#src/insights/query/explain-query.ts';
import { letterOf } from '#src/kit/formula/values.ts';

export type ExplainedRow = Record<string, string | number | null>;

/** The kind with its explanation as its answer. */
export function explaining<Input extends QueryInput>(
  kind: InsightKind<string, Input, unknown>,
): InsightKind<string, Input, { sql: string | null }> {
  const run = (context: QueryContext, given: Input) => explainQuery(kind, context, given);
  return { ...kind, run } as unknown as InsightKind<string, Input, { sql: string | null }>;
}

function numberIn(row: ExplainedRow | undefined, column: string): number | null {
  const value = row?.[column] ?? null;
  return value === null ? null : Number(value);
}

function expectNumber(found: number | null, wanted: number | null, about: unknown): void {
  if (found === null || wanted === null) expect([about, found]).toEqual([about, wanted]);
  else expect([about, Math.abs(found - wanted) <= 1e-6 * Math.max(1, Math.abs(wanted))]).toEqual([about, true]);
}

/** @param names of the series that are shown, then of formulas */
export function expectTrendsRows(rows: readonly ExplainedRow[], found: TrendsResult, names: readonly string[]): void {
  const places = new Map(
    rows.map((row) => [
      JSON.stringify([
        row['series'],
        row['value'] ?? null,
        row['span'],
        row['interval'],
        row['weekday'] ?? null,
        row['hour'] ?? null,
      ]),
      row,
    ]),
  );
  const isDivided = rows.some((row) => 'value' in row);
  const all = [...found.series, ...found.formulas].map((each, at) => ({
    rows: each.rows,
    name: names[at] ?? letterOf(at),
  }));
  for (const { rows: own, name } of all) {
    for (const row of own) expectTrendsRow(row);

    function expectTrendsRow({
      value,
      total,
      points,
      previous,
      comparisonPoints,
      cells,
      ignored,
    }: TrendsResultRow): void {
      const rowAt = (
        span: string,
        interval: number | null,
        weekday: number | null = null,
        hour: number | null = null,
      ) => places.get(JSON.stringify([name, isDivided ? value : null, span, interval, weekday, hour]));
      const expectFigure = (row: ExplainedRow | undefined, figure: number | null, about: unknown) =>
        expectNumber(numberIn(row, 'figure'), figure, [name, value, about]);
      expectFigure(rowAt('range', null), total, 'total');
      expect(numberIn(rowAt('range', null), 'ignored') ?? 0).toBe(ignored);
      for (const [at, figure] of points.entries())
        if (figure !== null) expectFigure(rowAt('range', at + 1), figure, at);
      if (previous !== null) expectFigure(rowAt('comparison', null), previous, 'previous');
      for (const [at, figure] of (comparisonPoints ?? []).entries())
        if (figure !== null) expectFigure(rowAt('comparison', at + 1), figure, ['previous', at]);
      for (const [weekday, hours] of (cells ?? []).entries())
        for (const [hour, figure] of hours.entries())
          if (figure !== null) expectFigure(rowAt('range', null, weekday, hour), figure, [weekday, hour]);
    }
  }
}

export function expectFunnelRows(rows: readonly ExplainedRow[], found: FunnelResult): void {
  const inRange = rows.filter((row) => (row['span'] ?? 'range') === 'range');
  const before = rows.filter((row) => row['span'] === 'comparison');
  expectFunnelRow(inRange, before, 'total', found.total);
  for (const row of found.rows) expectFunnelRow(inRange, before, row.value === null ? 'other' : 'value', row);
  const values = inRange.filter((row) => row['row'] === 'value' && row['step'] === 1 && row['interval'] === null);
  expect(values).toHaveLength(found.rows.filter(({ value }) => value !== null).length);
  const figure = (name: string) =>
    numberIn(
      rows.find((row) => row['row'] === name),
      'people',
    );
  expect([figure('open'), figure('excluded')]).toEqual([found.open, found.excluded]);
  const times = rows.filter((row) => row['row'] === 'seconds to convert');
  const { widthSeconds, counts, longer } = found.times ?? { widthSeconds: 1, counts: [], longer: 0 };
  const wanted = [...counts.map((people, at) => [at * widthSeconds, people]), [null, longer]];
  expect(times.map((row) => [numberIn(row, 'interval'), numberIn(row, 'people')]).toSorted()).toEqual(
    wanted.filter(([, people]) => people !== 0).toSorted(),
  );
}

function expectFunnelRow(
  rows: readonly ExplainedRow[],
  before: readonly ExplainedRow[],
  name: 'total' | 'value' | 'other',
  { value, steps, ...row }: FunnelResultRow,
): void {
  const own = (some: readonly ExplainedRow[], step: number, interval: number | null) =>
    some.find(
      (each) =>
        each['row'] === name &&
        each['value'] === value &&
        each['step'] === step &&
        numberIn(each, 'interval') === interval,
    );
  for (const [at, step] of steps.entries()) {
    const found = own(rows, at + 1, null);
    expect([name, value, at, numberIn(found, 'people') ?? 0]).toEqual([name, value, at, step.count]);
    for (const [interval, people] of step.points.entries())
      expect([interval, numberIn(own(rows, at + 1, interval + 1), 'people') ?? 0]).toEqual([interval, people]);
    if (step.previous !== null) expect(numberIn(own(before, at + 1, null), 'people') ?? 0).toBe(step.previous);
    for (const figure of [
      'conversionFromPrevious',
      'conversionFromStart',
      'meanSecondsToConvert',
      'medianSecondsToConvert',
    ] as const)
      expectNumber(numberIn(found, figure), step[figure], [name, value, at, figure]);
  }
  const last = own(rows, steps.length, null);
  expectNumber(numberIn(last, 'meanSecondsFromStart'), row.meanSecondsToConvert, 'mean');
  expectNumber(numberIn(last, 'medianSecondsFromStart'), row.medianSecondsToConvert, 'median');
}

export function expectRetentionRows(rows: readonly ExplainedRow[], found: RetentionResult): void {
  const cells = found.rows.flatMap(({ value, cohorts, mean, simpleMean }) =>
    cohorts.flatMap(({ size, returned }, period) =>
      size === 0
        ? []
        : returned.map((count, column) => ({
            key: [value, period + 1, column + 1, size, count].join(' '),
            mean: mean[column] ?? null,
            simpleMean: simpleMean[column] ?? null,
          })),
    ),
  );
  const told = new Map(
    rows.map((row) => [
      [row['value'] ?? '', row['period'], row['column'], row['size'], row['returned']].join(' '),
      row,
    ]),
  );
  expect([...told.keys()].toSorted()).toEqual(cells.map(({ key }) => key).toSorted());
  for (const { key, mean, simpleMean } of cells) {
    expectNumber(numberIn(told.get(key), 'mean'), mean, ['mean', key]);
    expectNumber(numberIn(told.get(key), 'simpleMean'), simpleMean, ['simple mean', key]);
  }
}

export function expectPathsRows(rows: readonly ExplainedRow[], found: PathsResult): void {
  const told = rows.map((row) => [row['step'], row['from'], row['to'], row['count'], row['people']].map(String));
  expect(told).toEqual(
    found.edges.map(({ step, from, to, count, people }) => [step, from, to, count, people].map(String)),
  );
  for (const [at, row] of rows.entries()) {
    expectNumber(numberIn(row, 'meanSeconds'), found.edges[at]?.meanSeconds ?? null, 'seconds');
    expect(numberIn(row, 'paths')).toBe(found.paths);
    expect(numberIn(row, 'edges')).toBe(found.edges.length + found.other.edges);
  }
}
