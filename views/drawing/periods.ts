/** Retention, lifecycle and stickiness as drawings. Pure. */
import type { LifecycleResult } from '#src/insights/kinds/lifecycle/contract.ts';
import type { RetentionResult } from '#src/insights/kinds/retention/contract.ts';
import type { StickinessResult } from '#src/insights/kinds/stickiness/contract.ts';
import { linearStep } from '#views/charts/heat-steps.ts';
import { periodName } from '#views/charts/time-rule.ts';
import type { InsightOf } from '#views/insights/insight.ts';
import { cellsOf } from '#views/insights/retention/cells.ts';
import { columnNameBy } from '#views/insights/retention/column-name.ts';
import { valueTextBy } from '#views/insights/use-value-text.ts';
import { filterWords } from '#views/words/filters.ts';
import { missing } from '#views/words/format.ts';
import { insightWords } from '#views/words/insights.ts';
import { retentionWords } from '#views/words/retention.ts';
import { palettes } from './palette.ts';
import { type Body, countedName, emptyBody, type Reader, readingOf } from './reader.ts';
import { colorOf, drawSeries } from './series.ts';
import { drawGrids, drawTable, type Grid } from './tables.ts';

/** Tables of a breakdown that are drawn below each other. */
const MAX_TABLES = 3;
const MAX_CURVES = 8;

export function drawRetention(insight: InsightOf<'retention'>, result: RetentionResult, reader: Reader): Body {
  const { words, format } = reader;
  const own = retentionWords[words.language];
  const shared = insightWords[words.language];
  const { rows, columns, period, range, timeZone } = result;
  if (rows.every(({ cohorts }) => cohorts.every(({ size }) => size === 0))) return emptyBody(reader);
  const palette = palettes[reader.theme];
  const text = filterWords[words.language];
  const valueText = valueTextBy(insight.own.breakdown, { own: shared, text, reading: readingOf(reader) });
  const labelOf = (value: string) => (insight.own.breakdown === undefined ? shared.all : valueText(value));
  const columnName = columnNameBy(period, own, format);
  if (insight.display.chart === 'line') {
    const drawn = rows.slice(0, MAX_CURVES);
    const known = Math.max(1, ...drawn.map(({ mean }) => mean.findLastIndex((share) => share !== null) + 1));
    const names = columns.slice(0, known).map(columnName);
    return {
      drawn: drawSeries(
        {
          look: 'line',
          kind: 'share',
          interval: period,
          timeZone,
          weekStart: reader.weekStart,
          starts: columns.slice(0, known).map(({ from }) => from),
          to: range.to,
          labels: names,
          series: drawn.map(({ value, mean }) => ({ key: value, label: labelOf(value), values: mean.slice(0, known) })),
          running: null,
        },
        words,
        palette,
      ),
      legend: drawn.map(({ value }, at) => ({ label: labelOf(value), color: colorOf(at, palette) })),
      notes: [own.weighted],
    };
  }
  const grids = rows.slice(0, MAX_TABLES).map((row) => gridOf(row, insight, result, reader, columnName));
  const titled = grids.map((grid, at) => ({
    ...grid,
    title: insight.own.breakdown === undefined ? null : labelOf(rows[at]?.value ?? ''),
  }));
  return { drawn: drawGrids(titled, palette), notes: [own.running] };
}

function gridOf(
  row: RetentionResult['rows'][number],
  insight: InsightOf<'retention'>,
  result: RetentionResult,
  reader: Reader,
  columnName: (column: RetentionResult['columns'][number]) => string,
): Grid {
  const { words, format } = reader;
  const own = retentionWords[words.language];
  const { starts, columns, range, period, timeZone } = result;
  const sort = insight.display.cells ?? 'cohort';
  const cohorts = row.cohorts.map((cohort, index) => ({ ...cohort, cells: cellsOf(cohort, index, result, sort) }));
  const largest = Math.max(0, ...cohorts.flatMap(({ cells }) => cells.slice(1).map(({ share }) => share ?? 0)));
  const named = { starts, to: range.to, interval: period, timeZone, words };
  const mean = {
    head: own.weighted,
    cells: [
      { step: null, text: '' },
      ...columns.map((_, at) => ({
        step: null,
        text: row.mean[at] == null ? missing : format.percent(row.mean[at] ?? 0),
      })),
    ],
  };
  return {
    title: null,
    columns: [countedName(insight.own.per, reader), ...columns.map(columnName)],
    rows: [
      ...(sort === 'cohort' ? [mean] : []),
      ...cohorts.map(({ size, cells }, index) => ({
        head: periodName(index, named),
        cells: [
          { step: null, text: format.number(size) },
          ...cells.map(({ people, share, isRunning }, at) => ({
            step: at === 0 || size === 0 ? null : linearStep(share ?? 0, largest),
            text: sort === 'people' ? format.number(people) : share === null ? missing : format.percent(share),
            isRunning,
          })),
        ],
      })),
    ],
  };
}

const states = ['new', 'returning', 'resurrecting', 'dormant'] as const;

export function drawLifecycle(insight: InsightOf<'lifecycle'>, result: LifecycleResult, reader: Reader): Body {
  const { words, format } = reader;
  const own = retentionWords[words.language];
  const palette = palettes[reader.theme];
  const { starts, range, interval, timeZone, running } = result;
  const chart = insight.display.chart ?? 'stacked';
  if (states.every((state) => result[state].every((people) => !people))) return emptyBody(reader);
  if (chart === 'table') {
    const head = [words.chart.period[interval], ...states.map((state) => own.statuses[state])];
    const lines = starts.map((_, index) => [
      periodName(index, { starts, to: range.to, interval, timeZone, words }),
      ...states.map((state) => (result[state][index] == null ? missing : format.number(result[state][index] ?? 0))),
    ]);
    return { drawn: drawTable(head, lines.toReversed(), palette) };
  }
  return {
    drawn: drawSeries(
      {
        look: chart === 'line' ? 'line' : 'stacked',
        kind: 'count',
        interval,
        timeZone,
        weekStart: reader.weekStart,
        starts,
        to: range.to,
        series: states.map((state) => ({
          key: state,
          label: own.statuses[state],
          values: result[state],
          isBelow: state === 'dormant' && chart !== 'line',
        })),
        running,
      },
      words,
      palette,
    ),
    legend: states.map((state, at) => ({ label: own.statuses[state], color: colorOf(at, palette) })),
  };
}

export function drawStickiness(insight: InsightOf<'stickiness'>, result: StickinessResult, reader: Reader): Body {
  const { words, format } = reader;
  const own = retentionWords[words.language];
  const palette = palettes[reader.theme];
  const { people, total, interval, timeZone, starts, range } = result;
  if (total === 0) return emptyBody(reader);
  const counted = countedName(insight.own.per, reader);
  return {
    drawn: drawSeries(
      {
        look: insight.display.chart === 'line' ? 'line' : 'bar',
        kind: 'count',
        interval,
        timeZone,
        weekStart: reader.weekStart,
        starts: people.map((_, at) => starts[at] ?? at),
        to: range.to,
        labels: people.map((_, at) => own.intervals[interval](at + 1, format.number(at + 1))),
        series: [{ key: 'people', label: counted, values: people }],
        running: null,
      },
      words,
      palette,
    ),
    legend: [{ label: counted, color: colorOf(0, palette) }],
    notes: [`${own.total}: ${format.number(total)}`],
  };
}
