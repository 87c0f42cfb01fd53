/** The headline numbers, and the chart of the one that is chosen. */
import { useSuspenseQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense } from 'react';
import type { Interval, MetricValue, Overview, OverviewMetric, ResolvedRange } from '#src/insights/contract.ts';
import type { ProjectSummary } from '#src/projects/contract.ts';
import { ChartSkeleton } from '#views/charts/ChartSkeleton.tsx';
import type { ValueKind } from '#views/charts/scale.ts';
import { valueText } from '#views/charts/values.ts';
import { classNames } from '#views/kit/class-names.ts';
import { Icon } from '#views/kit/Icon.tsx';
import { lazyPart } from '#views/kit/lazy-part.tsx';
import { Metric, Metrics } from '#views/kit/Metric.tsx';
import { type Segment, Segmented } from '#views/kit/Segmented.tsx';
import { useTrpc } from '#views/trpc.ts';
import type { Words } from '#views/words/en.ts';
import type { Format, Part } from '#views/words/format.ts';
import { ownTraffic } from '#views/words/own-traffic.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { dateIn } from '#views/words/zone.ts';
import type { AddNoteProps } from './AddNote.tsx';
import type { Today } from './dates.ts';
import css from './Figures.module.css';
import type { NothingFoundProps } from './filters/NothingFound.tsx';
import type { GoalChoiceProps } from './GoalChoice.tsx';
import type { GoalMetricsProps } from './GoalMetrics.tsx';
import { overviewInput } from './inputs.ts';
import { kinds } from './metric-kinds.ts';
import type { OverviewChartProps } from './OverviewChart.tsx';
import { addressOf, metricNames, type Question } from './question.ts';

const OverviewChart = lazyPart<OverviewChartProps>(
  'OverviewChart',
  async () => (await import('./OverviewChart.tsx')).OverviewChart,
);
const AddNote = lazyPart<AddNoteProps>('AddNote', async () => (await import('./AddNote.tsx')).AddNote);
const GoalMetrics = lazyPart<GoalMetricsProps>(
  'GoalMetrics',
  async () => (await import('./GoalMetrics.tsx')).GoalMetrics,
);
const GoalChoice = lazyPart<GoalChoiceProps>('GoalChoice', async () => (await import('./GoalChoice.tsx')).GoalChoice);

const NothingFound = lazyPart<NothingFoundProps>(
  'NothingFound',
  async () => (await import('./filters/NothingFound.tsx')).NothingFound,
);

/** A period that is not over is counted again so often. */
const AGAIN_MS = 60_000;

export interface FiguresProps {
  reference: string;
  path: string;
  question: Question;
  project: ProjectSummary;
  now: Today;
}

export function Figures({ reference, path, question, project, now }: FiguresProps) {
  const { words, format } = useWords();
  const trpc = useTrpc();
  const { data } = useSuspenseQuery({
    ...trpc.insights.overview.queryOptions(overviewInput(reference, question)),
    refetchInterval: (query) => (query.state.data?.range.until == null ? false : AGAIN_MS),
  });
  return (
    <>
      <Metrics label={words.metrics.label}>
        {metricNames.map((metric) => (
          <Metric
            key={metric}
            {...headline(data, metric, words, format)}
            label={words.metrics[metric]}
            href={addressOf(path, { ...question, metric })}
            chosen={metric === question.metric}
          />
        ))}
      </Metrics>
      {data.goal && (
        <Suspense>
          <GoalMetrics path={path} question={question} data={data} />
        </Suspense>
      )}
      {question.filters && data.metrics.views.value === 0 && (
        <Suspense>
          <NothingFound path={path} question={question} />
        </Suspense>
      )}
      <div className={css['tools']}>
        <Legend data={data} now={now}>
          <AddNote reference={reference} project={project} days={[data.range.toDate, now.today]} />
        </Legend>
        <div className={classNames(css['choices'], 'no-print')}>
          <Suspense>
            <GoalChoice reference={reference} path={path} question={question} project={project} />
          </Suspense>
          <Segmented label={words.interval.label} segments={intervalsOf(data, question, path, words)} />
          <Segmented label={words.chart.view} segments={viewsOf(question, path, words)} className={css['views']} />
        </div>
      </div>
      <Suspense fallback={<ChartSkeleton />}>
        <OverviewChart reference={reference} question={question} project={project} now={now} data={data} />
      </Suspense>
      <Footnotes data={data} chart={question.view === 'chart'} />
    </>
  );
}

function headline(data: Overview, metric: OverviewMetric, words: Words, format: Format) {
  const { value, before, parts, median } = data.metrics[metric];
  const { kind, good } = kinds[metric];
  const notes = [
    parts && parts.denominator > 0 ? fraction(metric, parts, words, format) : null,
    median == null ? null : words.metrics.median(valueText(median, kind, format)),
    before === null ? null : words.change.from(valueText(before, kind, format)),
  ];
  return {
    value,
    before,
    kind,
    good,
    parts: partsOf(value, kind, format),
    hint: notes.filter((note) => note !== null).join('; ') || undefined,
    course: finished(data, metric),
  };
}

/** What a ratio was divided from. */
function fraction(
  metric: OverviewMetric,
  { numerator, denominator }: NonNullable<MetricValue['parts']>,
  words: Words,
  format: Format,
): string {
  const visits = format.number(denominator);
  if (metric === 'bounceRate') return words.metrics.of(format.number(numerator), visits);
  const sum =
    metric === 'viewsPerVisit' ? `${words.metrics.views} ${format.number(numerator)}` : format.duration(numerator);
  return `${sum} ÷ ${words.metrics.visits} ${visits}`;
}

function partsOf(value: number | null, kind: ValueKind, format: Format): Part[] | null {
  if (value === null) return null;
  if (kind === 'share') return [{ value: format.percentNumber(value), unit: '%' }];
  return kind === 'seconds' ? format.durationParts(value) : [{ value: valueText(value, kind, format), unit: '' }];
}

/** Whether there is anything of the period before: it may lie before the first event. */
function isCompared({ comparisonSeries }: Overview): boolean {
  return comparisonSeries?.views.some((value) => value !== null) ?? false;
}

/** Without the interval that still runs and those that have not begun. */
function finished(data: Overview, metric: OverviewMetric): (number | null)[] {
  return data.series[metric].slice(0, data.running ?? undefined);
}

function datesText({ fromDate, toDate }: ResolvedRange, { today }: Today, format: Format): string {
  return format.range(fromDate, toDate, Number(today.slice(0, 4)));
}

function Legend({ data, now, children }: { data: Overview; now: Today; children: ReactNode }) {
  const { words, format } = useWords();
  return (
    <ul className={css['legend']}>
      <li className="num">
        <Line kind="main" />
        {datesText(data.range, now, format)}
      </li>
      {data.comparison && isCompared(data) && (
        <li className="num">
          <Line kind="before" />
          {datesText(data.comparison, now, format)}
        </li>
      )}
      {data.running !== null && (
        <li className="wide-only">
          <Line kind="running" />
          {words.chart.running[data.interval]}
        </li>
      )}
      <li>
        <Suspense>{children}</Suspense>
      </li>
    </ul>
  );
}

function Line({ kind }: { kind: 'main' | 'before' | 'running' }) {
  return (
    <svg className={css[kind]} width="20" height="8" aria-hidden="true">
      <path d="M0 4h20" />
    </svg>
  );
}

function intervalsOf(data: Overview, question: Question, path: string, words: Words): Segment[] {
  return data.allowedIntervals.map((interval: Interval) => ({
    key: interval,
    label: words.interval[interval],
    href: addressOf(path, { ...question, interval }),
    current: interval === data.interval,
  }));
}

function viewsOf(question: Question, path: string, words: Words): Segment[] {
  return (['chart', 'table'] as const).map((view) => ({
    key: view,
    label: view === 'chart' ? words.chart.asChart : words.chart.asTable,
    icon: <Icon name={view} />,
    href: addressOf(path, { ...question, view }),
    current: view === question.view,
  }));
}

/** What it counts, in which zone, and what was left out. */
function Footnotes({ data, chart }: { data: Overview; chart: boolean }) {
  const { words, format } = useWords();
  const own = usePart(ownTraffic);
  const { range, comparison, timeZone, interval, excluded } = data;
  const at = range.until ?? range.to;
  const moment = (ms: number): string =>
    dateIn(ms, timeZone) === dateIn(at, timeZone) ? format.time(ms, timeZone) : format.dayMoment(ms, timeZone);
  return (
    <div className={chart ? css['foot'] : css['tableFoot']}>
      <p>
        {words.chart.bots(excluded.bots, format.number(excluded.bots))}
        {excluded.internal > 0 && ` ${own(excluded.internal, format.number(excluded.internal))}`}
      </p>
      <p>
        {words.chart.zone[interval](format.zone(at, timeZone))}{' '}
        {range.until !== null &&
          words.chart.counted(
            moment(range.until),
            comparison?.until == null || !isCompared(data) ? null : moment(comparison.until),
          )}
      </p>
    </div>
  );
}
