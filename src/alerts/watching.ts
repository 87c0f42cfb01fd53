/** Judging finished intervals of an alert, with as much history as its condition needs. */
import type { QueryScope } from '#src/insights/query/scope.ts';
import { dayMs } from '#src/kit/zone.ts';
import { type Judged, judge } from './conditions.ts';
import type { AlertCondition, AlertPreview, AlertSubject } from './contract.ts';
import { calendarOf, type NumbersInsights, readValues } from './numbers.ts';
import { type Calendar, intervalAt, intervalsBefore, lastFinished, type Span } from './schedule.ts';
import { type AlertInterval, unitOf } from './values.ts';

/** What is watched, and for what. */
export interface Watched {
  subject: AlertSubject;
  interval: AlertInterval;
  condition: AlertCondition;
}

/** Weeks that a change is compared with. */
const WEEKS = 4;
/** Intervals of a preview. */
const SHOWN: Record<AlertInterval, number> = { hour: 168, day: 28, week: 12 };

/** @param spans without gaps, the oldest first. @throws AppError as queries */
export async function judgeSpans(
  insights: NumbersInsights,
  scope: QueryScope,
  watched: Watched,
  spans: readonly Span[],
): Promise<Judged[]> {
  const calendar = calendarOf(scope);
  const values = await readValues(insights, scope, watched, [...historyOf(watched, spans, calendar), ...spans]);
  const { condition, interval, subject } = watched;
  // A mean of counts is a rate too: its noise is not that of a count.
  const isCount = subject.kind !== 'insight' && unitOf(subject) === 'count' && !isMean(subject);
  return spans.map((span) => judge(span, values, { interval, condition, calendar, isCount }));
}

function isMean(subject: AlertSubject): boolean {
  return subject.kind === 'metric' && subject.metric === 'viewsPerVisit';
}

function historyOf({ condition, interval }: Watched, spans: readonly Span[], calendar: Calendar): Span[] {
  const first = spans[0]?.from;
  if (first === undefined) return [];
  if (condition.kind === 'silence') return intervalsBefore(interval, first, condition.intervals - 1, calendar);
  if (condition.kind !== 'change') return [];
  const from = intervalAt(interval, first - WEEKS * 7 * dayMs, calendar).from;
  const history: Span[] = [];
  for (let to = first; to > from; to = history.at(-1)?.from ?? from)
    history.push(intervalAt(interval, to - 1, calendar));
  // A week before would be cut off by clocks that were changed since.
  return [intervalAt(interval, from - 1, calendar), ...history.reverse()];
}

/** The last finished intervals as the condition judges them. @throws AppError as queries */
export async function previewOf(
  insights: NumbersInsights,
  scope: QueryScope,
  watched: Watched,
  now: number,
): Promise<AlertPreview> {
  const calendar = calendarOf(scope);
  const { to } = lastFinished({ id: 0, interval: watched.interval }, now, calendar);
  const spans = intervalsBefore(watched.interval, to, SHOWN[watched.interval], calendar);
  const judged = await judgeSpans(insights, scope, watched, spans);
  return {
    timeZone: scope.timeZone,
    points: spans.map((span, at) => ({ ...span, ...(judged[at] as Judged) })),
  };
}
