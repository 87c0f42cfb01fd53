/** Trends as a drawing: as lines, areas, bars, numbers, shares, a map, hours of the week or a table. Pure. */
import type { TrendsResult } from '#src/insights/kinds/trends/contract.ts';
import { linearStep } from '#views/charts/heat-steps.ts';
import type { SeriesLook } from '#views/charts/series-props.ts';
import { periodName } from '#views/charts/time-rule.ts';
import { axisText, valueText } from '#views/charts/values.ts';
import type { InsightOf } from '#views/insights/insight.ts';
import { breakdownTextBy } from '#views/insights/trends/breakdown-text.ts';
import { isByCountry } from '#views/insights/trends/charts.ts';
import { rowLabelBy } from '#views/insights/trends/row-label.ts';
import { chartKind, drawnRows, rowsOf, type TrendsRow } from '#views/insights/trends/rows.ts';
import { filterWords } from '#views/words/filters.ts';
import { insightWords } from '#views/words/insights.ts';
import { trendsWords } from '#views/words/trends.ts';
import { palettes } from './palette.ts';
import { type Body, emptyBody, type Reader, readingOf } from './reader.ts';
import { colorOf, drawSeries } from './series.ts';
import { drawMap, drawNumbers, drawPie } from './shares.ts';
import { drawGrids, drawTable, type Grid } from './tables.ts';

export function drawTrends(insight: InsightOf<'trends'>, result: TrendsResult, reader: Reader): Body {
  const { words, format } = reader;
  const palette = palettes[reader.theme];
  const shared = insightWords[words.language];
  const own = trendsWords[words.language];
  const rows = rowsOf(result, insight.own, insight.display);
  const drawn = drawnRows(rows, insight.display);
  if (rows.every(({ points }) => points.every((point) => !point))) return emptyBody(reader);
  const text = filterWords[words.language];
  const breakdownText = breakdownTextBy(insight.own.breakdown, { shared, own, text, reading: readingOf(reader) });
  const labelOf = rowLabelBy(insight.own, { goals: reader.goals, own: shared, valueText: breakdownText });
  const kind = chartKind(drawn, insight.display);
  const chart = insight.display.chart ?? 'line';
  const totals = drawn.map((row) => ({
    label: labelOf(row),
    value: row.total,
    text: valueText(row.total, row.kind, format),
  }));
  if (chart === 'number') return { drawn: drawNumbers(totals, palette) };
  if (chart === 'pie') return { drawn: drawPie(totals, format.percent, palette) };
  if (chart === 'map' && isByCountry(insight.own)) return mapOf(rows, drawn[0], reader);
  if (chart === 'heatmap' && result.weeklyHeatmap !== null) {
    return {
      drawn: drawGrids(
        drawn.map((row) => hoursOf(row, labelOf(row), result, reader)),
        palette,
      ),
    };
  }
  if (chart === 'table') {
    const { starts, range, interval, timeZone } = result;
    const head = [words.chart.period[interval], ...drawn.map((row) => labelOf(row))];
    const lines = starts.map((_, index) => [
      periodName(index, { starts, to: range.to, interval, timeZone, words }),
      ...drawn.map((row) => valueText(row.points[index] ?? null, row.kind, format)),
    ]);
    return { drawn: drawTable(head, lines.toReversed(), palette) };
  }
  const look = (chart === 'heatmap' || chart === 'map' ? 'line' : chart) as SeriesLook;
  const [only] = drawn;
  const comparison =
    result.comparison && drawn.length === 1 && only?.comparisonPoints && only.previous !== null
      ? { starts: result.comparisonStarts, to: result.comparison.to, values: only.comparisonPoints }
      : null;
  return {
    drawn: drawSeries(
      {
        look,
        kind,
        interval: result.interval,
        timeZone: result.timeZone,
        weekStart: reader.weekStart,
        starts: result.starts,
        to: result.range.to,
        series: drawn.map((row) => ({ key: row.key, label: labelOf(row), values: row.points })),
        comparison,
        running: result.running,
      },
      words,
      palette,
    ),
    legend: [
      ...drawn.map((row, at) => ({ label: labelOf(row), color: colorOf(at, palette) })),
      ...(comparison === null ? [] : [{ label: shared.previous, color: palette.chartCompare }]),
    ],
    notes: look === 'line' && result.running !== null ? [own.running[result.interval]] : [],
  };
}

function mapOf(rows: readonly TrendsRow[], first: TrendsRow | undefined, reader: Reader): Body {
  const { format, words } = reader;
  const shown = rows.filter(({ series, isFormula }) => series === first?.series && isFormula === first.isFormula);
  const places = shown.flatMap(({ value, total, kind }) =>
    value && total !== null
      ? [{ code: value, label: format.country(value), value: total, text: valueText(total, kind, format) }]
      : [],
  );
  return { drawn: drawMap(places, palettes[reader.theme]), notes: [trendsWords[words.language].mapNote] };
}

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

function hoursOf(
  { cells, kind }: TrendsRow,
  title: string,
  { weeklyHeatmap }: TrendsResult,
  { words, format }: Reader,
): Grid {
  const weekStart = weeklyHeatmap?.weekStart ?? 0;
  const most = Math.max(0, ...(cells ?? []).flatMap((day) => day.map((value) => value ?? 0)));
  return {
    title,
    columns: HOURS.map(String),
    rows: HOURS.slice(0, 7).map((at) => {
      const day = (at + weekStart) % 7;
      return {
        head: words.writing.weekdays[day] ?? '',
        cells: HOURS.map((hour) => {
          const value = cells?.[day]?.[hour] ?? null;
          if (value === null) return { step: null, text: '' };
          return { step: linearStep(value, most), text: axisText(value, kind, most, format) };
        }),
      };
    }),
  };
}
