/** The headline numbers, and the chart of the one that is chosen. */
import { useSuspenseQuery } from '@tanstack/react-query';
import type { MetricValue, Overview, OverviewMetric } from '#src/insights/contract.ts';
import { overviewMetrics } from '#src/insights/kinds/overview/values.ts';
import type { ProjectSummary } from '#src/projects/contract.ts';
import type { ValueKind } from '#views/charts/scale.ts';
import { valueText } from '#views/charts/values.ts';
import { Late } from '#views/kit/Late.tsx';
import { lazyPart } from '#views/kit/lazy-part.tsx';
import { Metric, Metrics } from '#views/kit/Metric.tsx';
import type { Today } from '#views/question/dates.ts';
import type { NothingFoundProps } from '#views/question/filters/NothingFound.tsx';
import { overviewInput } from '#views/question/inputs.ts';
import { kinds } from '#views/question/metric-kinds.ts';
import { addressOf, type Question } from '#views/question/question.ts';
import { useTrpc } from '#views/trpc.ts';
import type { Words } from '#views/words/en.ts';
import type { Format } from '#views/words/format.ts';
import type { Part } from '#views/words/format-duration.ts';
import { useWords } from '#views/words/words.tsx';
import { ChartPlace } from './ChartPlace.tsx';
import type { GoalMetricsProps } from './GoalMetrics.tsx';
import { OverviewChart } from './OverviewChart.tsx';

const GoalMetrics = lazyPart<GoalMetricsProps>(
  'overview-cards',
  async () => (await import('#views/areas/overview-cards.ts')).GoalMetrics,
);
const NothingFound = lazyPart<NothingFoundProps>(
  'filter-bar',
  async () => (await import('#views/areas/filter-bar.ts')).NothingFound,
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
    ...trpc.insights.query.overview.queryOptions(overviewInput(reference, question)),
    refetchInterval: (query) => (query.state.data?.range.until == null ? false : AGAIN_MS),
  });
  return (
    <>
      <Metrics label={words.metrics.label}>
        {overviewMetrics.map((metric) => (
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
        <Late>
          <GoalMetrics path={path} question={question} data={data} />
        </Late>
      )}
      {(question.filters ?? question.people ?? question.segment) !== null && data.metrics.views.value === 0 && (
        <Late>
          <NothingFound path={path} question={question} />
        </Late>
      )}
      <Late fallback={<ChartPlace view={question.view} rows={data.starts.length} />}>
        <OverviewChart reference={reference} path={path} question={question} project={project} now={now} data={data} />
      </Late>
    </>
  );
}

function headline(data: Overview, metric: OverviewMetric, words: Words, format: Format) {
  const { value, previous: before, parts, median } = data.metrics[metric];
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

/** Numerator and denominator of a ratio. */
function fraction(
  metric: OverviewMetric,
  { numerator, denominator }: NonNullable<MetricValue['parts']>,
  words: Words,
  format: Format,
): string {
  const visits = format.number(denominator);
  if (metric === 'bounceRate') return words.metrics.of(format.number(numerator), visits);
  if (metric === 'viewsPerVisit') return words.metrics.viewsIn(format.number(numerator), visits);
  return `${format.duration(numerator)} ÷ ${words.metrics.visits} ${visits}`;
}

function partsOf(value: number | null, kind: ValueKind, format: Format): Part[] | null {
  if (value === null) return null;
  if (kind === 'share') return [{ value: format.percentNumber(value), unit: '%' }];
  return kind === 'seconds' ? format.durationParts(value) : [{ value: valueText(value, kind, format), unit: '' }];
}

/** Without the interval that still runs and those that have not begun. */
function finished(data: Overview, metric: OverviewMetric): (number | null)[] {
  return data.series[metric].slice(0, data.running ?? undefined);
}
