/** The values that an alert watches, by interval, as the queries of insights count them. */
import type { IngestMinute } from '#src/collect/contract.ts';
import { traffic } from '#src/columns/values.ts';
import type { Signals } from '#src/errors/errors.ts';
import type { Insights } from '#src/insights/insights.ts';
import { overview, trends } from '#src/insights/kinds/kinds.ts';
import type { QueryScope } from '#src/insights/query/scope.ts';
import { invalid, notFound } from '#src/kit/errors.ts';
import { dayMs, formatDate, zoneOf } from '#src/kit/zone.ts';
import type { Values } from './conditions.ts';
import type { AlertSubject } from './contract.ts';
import type { Calendar, Span } from './schedule.ts';
import type { AlertInterval, IngestionNumber } from './values.ts';

export type NumbersInsights = Pick<Insights, 'query'> & {
  goals: Pick<Insights['goals'], 'get'>;
  saved: Pick<Insights['saved'], 'get'>;
  segments: Pick<Insights['segments'], 'within'>;
  /** What happened to issues of errors. */
  signals: Pick<Signals, 'countIn'>;
  /** Minutes of ingestion since a time, the oldest first. */
  minutes(projectId: number, fromMs: number): Promise<IngestMinute[]>;
};

/** Dates of the project, both included. */
type Dates = { from: string; to: string };

/** Shared segments and insights of the team, in whose name nobody asks. */
const asTeam = { reader: { id: 0 as never }, role: 'admin' } as const;

export function calendarOf({ timeZone, weekStart }: Pick<QueryScope, 'timeZone' | 'weekStart'>): Calendar {
  return { zone: zoneOf(timeZone), weekStart };
}

/**
 * Values of whole intervals, by their start.
 * @throws AppError `not_found` when the goal or insight no longer exists, `invalid` for what cannot be watched, `timeout`
 */
export async function readValues(
  insights: NumbersInsights,
  scope: QueryScope,
  { subject, interval }: { subject: AlertSubject; interval: AlertInterval },
  spans: readonly Span[],
): Promise<Values> {
  if (subject.kind === 'issues') return readSignals(insights, scope, subject, spans);
  if (subject.kind === 'ingestion') return readIngestion(insights, scope, subject.of, spans);
  const { zone } = calendarOf(scope);
  const first = spans[0]?.from ?? 0;
  const last = spans.at(-1)?.to ?? 0;
  const range = { from: formatDate(zone.dayAt(first)), to: formatDate(zone.dayAt(last - 1)) };
  const { starts, points } = await readSeries(insights, scope, subject, { range, interval });
  const wanted = new Set(spans.map(({ from }) => from));
  return new Map(
    starts.flatMap((start, at): [number, number | null][] => (wanted.has(start) ? [[start, points[at] ?? null]] : [])),
  );
}

async function readSignals(
  { signals }: NumbersInsights,
  { id }: QueryScope,
  { on }: AlertSubject & { kind: 'issues' },
  spans: readonly Span[],
): Promise<Values> {
  const counts = await signals.countIn(id, on, spans);
  return new Map(spans.map(({ from }, at) => [from, counts[at] ?? 0]));
}

/** Minutes are kept so long, ms: of earlier intervals nothing is known. */
const MINUTES_KEPT_MS = 7 * dayMs;
/** What is neither dropped nor refused. */
const TAKEN: ReadonlySet<string> = new Set(['stored', 'duplicate']);

async function readIngestion(
  { minutes }: Pick<NumbersInsights, 'minutes'>,
  { id }: Pick<QueryScope, 'id'>,
  of: IngestionNumber,
  spans: readonly Span[],
): Promise<Values> {
  const oldest = (spans.at(-1)?.to ?? 0) - MINUTES_KEPT_MS;
  const known = await minutes(id, Math.max(spans[0]?.from ?? 0, oldest));
  return new Map(
    spans.map(({ from, to }): [number, number | null] => {
      if (from < oldest) return [from, null];
      const outcomes = known.filter(({ at }) => at >= from && at < to).flatMap((each) => Object.entries(each.outcomes));
      const sum = (some: typeof outcomes) => some.reduce((total, [, events]) => total + events, 0);
      const [all, dropped] = [sum(outcomes), sum(outcomes.filter(([outcome]) => !TAKEN.has(outcome)))];
      return [from, of === 'dropped' ? dropped : all === 0 ? null : dropped / all];
    }),
  );
}

interface Series {
  starts: number[];
  points: readonly (number | null)[];
}

async function readSeries(
  insights: NumbersInsights,
  scope: QueryScope,
  subject: Exclude<AlertSubject, { kind: 'issues' | 'ingestion' }>,
  when: { range: Dates; interval: AlertInterval },
): Promise<Series> {
  switch (subject.kind) {
    case 'metric': {
      const { metric, filters } = subject;
      const result = await insights.query(overview, scope, { ...when, compare: 'none', ...(filters && { filters }) });
      return { starts: result.starts, points: result.series[metric] };
    }
    case 'goal': {
      const { goal, of, filters } = subject;
      const input = { ...when, compare: 'none' as const, goal, ...(filters && { filters }) };
      const result = await insights.query(overview, scope, input);
      if (result.goal === null) throw notFound('goal');
      return { starts: result.starts, points: result.goal.series[of] };
    }
    case 'events': {
      const series = [{ event: { event: subject.event ?? null } }];
      const input = trends.input.parse({ ...when, series, include: [...traffic] });
      return firstRow(await insights.query(trends, scope, input));
    }
    case 'insight':
      return firstRow(await insights.query(trends, scope, await inputOf(insights, scope, subject.insight, when)));
  }
}

/** The query of a saved insight, in total and over other dates. @throws AppError `not_found`, `invalid` */
async function inputOf(
  insights: NumbersInsights,
  scope: QueryScope,
  id: number,
  when: { range: Dates; interval: AlertInterval },
) {
  const insight = await insights.saved.get({ project: scope, ...asTeam }, id);
  if (insight.kind !== 'trends') throw invalid('subject.insight', 'Only insights of the kind Trends can be watched.');
  const { breakdown: _, ...query } = trends.input.parse(insight.query);
  const { filters, people, ...rest } = query;
  const asker = { project: scope.id, ...asTeam };
  const within = await insights.segments.within(asker, insight.segment ?? undefined, { filters, people });
  return {
    ...rest,
    ...when,
    compare: 'none' as const,
    ...(within.filters && { filters: within.filters }),
    ...(within.people && { people: within.people }),
  };
}

/** The first formula, or else the first series. */
function firstRow({ starts, formulas, series }: Awaited<ReturnType<typeof trends.run>>): Series {
  const [row] = [...formulas, ...series].flatMap(({ rows }) => rows);
  return { starts, points: row?.points ?? [] };
}
