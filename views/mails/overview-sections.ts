/** Numbers and tables of *Overview* as parts of a mail. Pure. */
import type { Breakdown, GoalFigures, Overview, OverviewMetric } from '#src/insights/contract.ts';
import type { ReportPart } from '#src/reports/values.ts';
import type { ValueKind } from '#views/charts/scale.ts';
import { valueText as chartText } from '#views/charts/values.ts';
import { largestCount, noneLast, shareText } from '#views/question/breakdown-counts.ts';
import { kinds } from '#views/question/metric-kinds.ts';
import { valueText } from '#views/words/value-text.ts';
import { wallTime } from '#views/words/zone.ts';
import { movedBy, type ReportTexts } from './report-words.ts';
import type { BarRow, ColumnText, Section } from './sections.ts';

type OverviewPart = Pick<Extract<ReportPart, { kind: 'overview' }>, 'metrics' | 'chart'>;

export function overviewSections({ metrics, chart }: OverviewPart, result: Overview, texts: ReportTexts): Section[] {
  const { format, words } = texts;
  const figures = metrics.map((metric) => {
    const { value, previous } = result.metrics[metric];
    const { kind, good } = kinds[metric];
    return {
      label: words.metrics[metric],
      value: chartText(value, kind, format),
      moved: movedBy(format, value, previous, kind, good),
    };
  });
  const sections: Section[] = [{ kind: 'figures', figures }];
  if (chart !== null && result.series[chart].some((point) => point !== null && point > 0)) {
    const { starts, timeZone, interval } = result;
    const drawn = { points: result.series[chart], starts, timeZone, interval, kind: kinds[chart].kind };
    sections.push(columnsOf(drawn, captionOf(chart, drawn, texts), texts));
  }
  return sections;
}

function captionOf(
  metric: OverviewMetric,
  { interval, starts, timeZone }: Pick<Drawn, 'interval' | 'starts' | 'timeZone'>,
  { own, words, format }: ReportTexts,
): string {
  const zone = format.zone(starts[0] ?? 0, timeZone);
  return own.by[interval === 'hour' ? 'hour' : 'day'](words.metrics[metric], zone);
}

export interface Drawn {
  points: readonly (number | null)[];
  starts: readonly number[];
  timeZone: string;
  interval: string;
  kind: ValueKind;
}

/** Up to this many columns have their values above them, and a label each. */
const MAX_LABELLED = 7;

export function columnsOf(
  { points, starts, timeZone, interval, kind }: Drawn,
  caption: string,
  texts: ReportTexts,
): Section {
  const { format, words } = texts;
  const largest = Math.max(0, ...points.map((point) => point ?? 0));
  const peak = points.indexOf(largest);
  const isShort = points.length <= MAX_LABELLED;
  const columns = points.map((point, at): ColumnText => {
    const wall = wallTime(starts[at] ?? 0, timeZone);
    const weekday = words.writing.weekdays[wall.weekday] ?? '';
    const long =
      interval === 'hour' ? (wall.hour % 6 === 0 ? String(wall.hour) : '') : at % 7 === 0 ? String(wall.day) : '';
    return {
      label: isShort && interval === 'day' ? weekday.toLocaleLowerCase(words.writing.locale) : long,
      value: isShort ? chartText(point, kind, format) : '',
      bar: largest === 0 ? 0 : (point ?? 0) / largest,
      isPeak: largest > 0 && at === peak,
    };
  });
  return { kind: 'columns', caption, columns };
}

export function breakdownTable(data: Breakdown, texts: ReportTexts): Section {
  const { format, reading, tables, words } = texts;
  const { dimension } = data;
  const largest = largestCount(data);
  const rows = noneLast(data).map(([value, , count, before]): BarRow => {
    return {
      name: valueText(dimension, value, reading),
      value: format.number(count),
      side: shareText(count, data, format),
      moved: movedBy(format, count, before, 'count', null),
      bar: count / largest,
    };
  });
  const { values, count } = data.other;
  const rest = { value: format.number(count), side: shareText(count, data, format), moved: null, bar: null };
  const others =
    values === 0 ? [] : [{ ...rest, name: tables.tables[dimension].others(values, format.number(values)) }];
  const note = rows.length === 0 ? tables.tables[dimension].empty : '';
  return { kind: 'table', title: words.tables[dimension], rows: [...rows, ...others], note };
}

export function goalsTable({ goals }: GoalFigures, { format, dashboards, own }: ReportTexts): Section {
  const listed = goals
    .toSorted((one, other) => (other.conversions.value ?? 0) - (one.conversions.value ?? 0))
    .slice(0, 8);
  const largest = Math.max(1, listed[0]?.conversions.value ?? 0);
  const rows = listed.map(({ name, conversions, conversionRate }): BarRow => {
    const { value, previous } = conversions;
    return {
      name,
      value: format.number(value ?? 0),
      side: conversionRate.value === null ? '' : own.conversionOf(format.percent(conversionRate.value)),
      moved: movedBy(format, value, previous, 'count', 'up'),
      bar: (value ?? 0) / largest,
    };
  });
  return { kind: 'table', title: dashboards.goals, rows, note: '' };
}
