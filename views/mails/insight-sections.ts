/** Results of saved insights as tables of a mail. Pure. */
import type { FunnelInput, FunnelResult } from '#src/insights/kinds/funnel/contract.ts';
import type { LifecycleResult } from '#src/insights/kinds/lifecycle/contract.ts';
import type { PathsResult } from '#src/insights/kinds/paths/contract.ts';
import type { RetentionResult } from '#src/insights/kinds/retention/contract.ts';
import type { StickinessInput, StickinessResult } from '#src/insights/kinds/stickiness/contract.ts';
import type { TrendsInput, TrendsResult } from '#src/insights/kinds/trends/contract.ts';
import type { ReportPart } from '#src/reports/values.ts';
import { valueText } from '#views/charts/values.ts';
import { eventName, eventsName, type GoalName } from '#views/insights/names.ts';
import { breakdownTextBy } from '#views/insights/trends/breakdown-text.ts';
import { rowLabelBy } from '#views/insights/trends/row-label.ts';
import { rowsOf } from '#views/insights/trends/rows.ts';
import { missing } from '#views/words/format.ts';
import { columnsOf } from './overview-sections.ts';
import { movedBy, type ReportTexts } from './report-words.ts';
import type { BarRow, Section } from './sections.ts';

/** Rows of one table. */
const ROWS = 8;

type InsightPart = Extract<ReportPart, { kind: 'insight' }>;

export function insightSections(part: InsightPart, goals: readonly GoalName[], texts: ReportTexts): Section[] {
  const { name, query, result } = part;
  switch (part.insight) {
    case 'trends':
      return trendsSections(name, query as TrendsInput, result as TrendsResult, goals, texts);
    case 'funnel':
      return [funnelTable(name, query as FunnelInput, result as FunnelResult, goals, texts)];
    case 'retention':
      return [retentionTable(name, result as RetentionResult, texts)];
    case 'lifecycle':
      return [lifecycleTable(name, result as LifecycleResult, texts)];
    case 'stickiness':
      return [stickinessTable(name, query as StickinessInput, result as StickinessResult, texts)];
    default:
      return [pathsTable(name, result as PathsResult, texts)];
  }
}

function table(title: string, rows: BarRow[], texts: ReportTexts, note = ''): Section {
  return { kind: 'table', title, rows, note: rows.length === 0 ? texts.own.nothing : note };
}

/** Totals of series and values; a series alone by interval, too. */
function trendsSections(
  name: string,
  query: TrendsInput,
  result: TrendsResult,
  goals: readonly GoalName[],
  texts: ReportTexts,
): Section[] {
  const { format, insights, trends, filters, reading } = texts;
  const nameOf = breakdownTextBy(query.breakdown, { shared: insights, own: trends, text: filters, reading });
  const labelOf = rowLabelBy(query, { goals, own: insights, valueText: nameOf });
  const all = rowsOf(result, query, {} as Parameters<typeof rowsOf>[2]);
  const rows = all.slice(0, ROWS);
  const largest = Math.max(0, ...rows.map(({ total }) => total ?? 0));
  const listed = rows.map((row): BarRow => {
    return {
      name: labelOf(row),
      value: valueText(row.total, row.kind, format),
      side: '',
      moved: movedBy(format, row.total, row.previous, row.kind, null),
      bar: rows.length > 1 && largest > 0 ? (row.total ?? 0) / largest : null,
    };
  });
  const note = all.length > ROWS ? trends.moreValues(format.number(all.length - ROWS)) : '';
  const sections = [table(name, listed, texts, note)];
  const [only] = rows;
  if (only !== undefined && all.length === 1) {
    const { starts, timeZone, interval } = result;
    sections.push(columnsOf({ points: only.points, starts, timeZone, interval, kind: only.kind }, '', texts));
  }
  return sections;
}

function funnelTable(
  name: string,
  query: FunnelInput,
  { total }: FunnelResult,
  goals: readonly GoalName[],
  texts: ReportTexts,
): Section {
  const { format, insights } = texts;
  const entered = total.steps[0]?.count ?? 0;
  const rows = total.steps.map(({ count, previous, conversionFromStart }, at): BarRow => {
    return {
      name: `${format.number(at + 1)} ${eventsName(query.steps[at] ?? { event: null }, goals, insights)}`,
      value: format.number(count),
      side: conversionFromStart === null ? missing : format.percent(conversionFromStart),
      moved: movedBy(format, count, previous, 'count', null),
      bar: entered === 0 ? null : count / entered,
    };
  });
  return table(name, rows, texts);
}

/** The mean of the cohorts by period after the start. */
function retentionTable(name: string, { rows, columns, period }: RetentionResult, texts: ReportTexts): Section {
  const { format, retention } = texts;
  const mean = rows[0]?.mean ?? [];
  const listed = columns.slice(0, ROWS).flatMap(({ from, to }, at): BarRow[] => {
    const share = mean[at] ?? null;
    if (share === null) return [];
    const label =
      from === to
        ? retention.later[period](format.number(from))
        : retention.laterRange[period](format.number(from), format.number(to));
    return [{ name: label, value: format.percent(share), side: '', moved: null, bar: share }];
  });
  return table(name, listed, texts);
}

/** People of the last interval that is over. */
function lifecycleTable(name: string, result: LifecycleResult, texts: ReportTexts): Section {
  const { format, retention } = texts;
  const last = (result.running ?? result.starts.length) - 1;
  const states = ['new', 'returning', 'resurrecting', 'dormant'] as const;
  const counts = states.map((state) => ({
    state,
    count: result[state][last] ?? 0,
    before: result[state][last - 1] ?? null,
  }));
  const largest = Math.max(1, ...counts.map(({ count }) => count));
  const rows = counts.map(({ state, count, before }): BarRow => {
    return {
      name: retention.statuses[state],
      value: format.number(count),
      side: '',
      moved: movedBy(format, count, before, 'count', state === 'dormant' ? 'down' : 'up'),
      bar: count / largest,
    };
  });
  return table(name, last < 0 ? [] : rows, texts, retention.last);
}

function stickinessTable(
  name: string,
  { interval, cumulative }: StickinessInput,
  { people, total }: StickinessResult,
  texts: ReportTexts,
): Section {
  const { format, retention } = texts;
  const largest = Math.max(1, ...people);
  const rows = people.slice(0, ROWS).map((count, at): BarRow => {
    const text = `${format.number(at + 1)}${cumulative ? '+' : ''}`;
    return {
      name: retention.intervals[interval](at + 1, text),
      value: format.number(count),
      side: total === 0 ? missing : format.percent(count / total),
      moved: null,
      bar: count / largest,
    };
  });
  return table(name, total === 0 ? [] : rows, texts);
}

function pathsTable(name: string, { edges, other }: PathsResult, texts: ReportTexts): Section {
  const { format, insights, paths } = texts;
  const stepOf = (step: string | null): string => (step === null ? paths.more : eventName(step, insights));
  const listed = edges.toSorted((one, another) => another.count - one.count).slice(0, ROWS);
  const largest = Math.max(1, listed[0]?.count ?? 0);
  const rows = listed.map(({ from, to, count }): BarRow => {
    return {
      name: `${stepOf(from)} → ${stepOf(to)}`,
      value: format.number(count),
      side: '',
      moved: null,
      bar: count / largest,
    };
  });
  const hidden = edges.length - listed.length + other.edges;
  const rest =
    edges.reduce((sum, { count }) => sum + count, other.count) - listed.reduce((sum, { count }) => sum + count, 0);
  return table(name, rows, texts, hidden === 0 ? '' : paths.other(format.number(hidden), format.number(rest)));
}
