/** The people behind a number as a filter of people, where one says exactly who they are. Pure. */
import type { FilterCondition, Filters } from '#src/columns/contract.ts';
import { isGroupSubject, MAX_CONDITIONS } from '#src/columns/values.ts';
import { type BreakdownPart, breakdownParts, rowValues } from '#src/insights/kinds/trends/contract.ts';
import type { EventsQuery } from '#src/insights/query/people/contract.ts';
import { MAX_CRITERIA } from '#src/insights/query/values.ts';
import type { RangeInput } from '#src/kit/range.ts';
import type { PeopleChosen, PeopleCriterion } from '#views/question/filters/people-address.ts';
import { dateIn } from '#views/words/zone.ts';
import type { Insight, InsightOf } from './insight.ts';
import type { AnswerFrame } from './point-query.ts';
import type { Point } from './points.ts';

type PointOf<Kind extends Point['kind']> = Extract<Point, { kind: Kind }>;
type Did = Extract<PeopleCriterion, { did: unknown }>;

/** Null: no filter of people means them. */
export function pointFilter(insight: Insight, result: AnswerFrame, point: Point): PeopleChosen | null {
  const { include, segment } = insight.question;
  // Filters of people count without bots and internal traffic, and segments are not theirs.
  if (include.length > 0 || segment !== null || insight.people !== undefined) return null;
  const own = criteriaOf(insight, result, point);
  if (own === null) return null;
  const { people } = insight.question;
  if (people !== null && people.match === 'any' && people.of.length > 1) return null;
  const of = [...(people?.of ?? []), ...own];
  return of.length > MAX_CRITERIA ? null : { match: 'all', of };
}

function criteriaOf(insight: Insight, result: AnswerFrame, point: Point): PeopleCriterion[] | null {
  if (insight.kind === 'trends' && point.kind === 'trends') return ofTrend(insight, result, point);
  if (insight.kind === 'funnel' && point.kind === 'funnel') return ofFunnel(insight, result, point);
  if (insight.kind === 'retention' && point.kind === 'retention') return ofRetention(insight, result, point);
  if (insight.kind === 'lifecycle' && point.kind === 'lifecycle') return ofLifecycle(insight, result, point);
  return null;
}

function ofTrend(
  { question, own }: InsightOf<'trends'>,
  result: AnswerFrame,
  { series, value, interval }: PointOf<'trends'>,
): PeopleCriterion[] | null {
  const asked = own.series[series];
  if (asked === undefined || asked.measure === 'visits' || isGroupSubject(asked.measure)) return null;
  if (isGroupSubject(asked.per) || asked.measure === 'firstEver' || asked.measure === 'firstMatching') return null;
  const isOfDays = typeof asked.measure === 'string' && ['dau', 'wau', 'mau'].includes(asked.measure);
  if (isOfDays && !(asked.measure === 'dau' && interval !== null && result.interval === 'day')) return null;
  const parts = breakdownParts(own);
  const values = value === null ? null : rowValues(value, parts.length);
  if (values === null) return null;
  let { event } = asked;
  const conditions: FilterCondition[] = [];
  for (const [at, part] of parts.entries()) {
    const text = values[at] ?? '';
    if (part.about === 'name') {
      const [named, ...others] = 'any' in event ? event.any : [event];
      if (named === undefined || others.length > 0 || 'goal' in named || text === '') return null;
      event = { ...named, event: text };
    } else {
      const own = conditionsOf(part, text, result.edges?.[at] ?? null);
      if (own === null) return null;
      conditions.push(...own);
    }
  }
  const within = interval === null ? wholeRange(result) : datesOf(result, interval);
  const did = within && didOf(event, [question.filters], conditions, within);
  return did && [did];
}

/** What a value of a breakdown says of its events; null of those that are missing or empty. */
function conditionsOf(
  part: Exclude<BreakdownPart, { about: 'name' }>,
  text: string,
  edges: readonly number[] | null,
): FilterCondition[] | null {
  const { about, name } = part;
  const condition = (operator: FilterCondition['operator'], values: FilterCondition['values']): FilterCondition => {
    return { about, name, operator, values };
  };
  if ('values' in part) return [condition(text === '' ? 'notEquals' : 'equals', [...part.values])];
  if (edges !== null) {
    if (text === '') return [condition('isNotNumber', [])];
    const [, below] = /^<(.+)$/.exec(text) ?? [];
    if (below !== undefined) return [condition('lt', [Number(below)])];
    const [, from, to] = /^(?:>=)?(.+?)(?:\.\.(.+))?$/.exec(text) ?? [];
    return [condition('gte', [Number(from)]), ...(to === undefined ? [] : [condition('lt', [Number(to)])])];
  }
  return text === '' ? null : [condition('equals', [text])];
}

/** Only who came in: later steps have an order that filters do not know. */
function ofFunnel(
  { question, own }: InsightOf<'funnel'>,
  result: AnswerFrame,
  { step, dropped, value, interval, time }: PointOf<'funnel'>,
): PeopleCriterion[] | null {
  const isWhole = value === undefined && interval === undefined && time === undefined;
  if (step !== 1 || dropped || !isWhole || own.per !== 'persons' || own.exclusions.length > 0) return null;
  const [first] = own.steps;
  const within = wholeRange(result);
  const did = first && within && didOf(first, [question.filters], [], within);
  return did ? [did] : null;
}

function ofRetention(
  { question, own }: InsightOf<'retention'>,
  result: AnswerFrame,
  { cohort, period }: PointOf<'retention'>,
): PeopleCriterion[] | null {
  if (own.kind !== 'recurring' || isGroupSubject(own.per) || own.breakdown !== undefined) return null;
  const began = datesOf(result, cohort);
  const started = began && didOf(own.startEvent, [question.filters], [], began);
  if (started === null) return null;
  if (period === null) return [started];
  const { from: first, to: last } = result.columns?.[period] ?? { from: period, to: period };
  // In the period of the start itself, what comes before the start is no return.
  if (own.rolling || first === 0 || first !== last) return null;
  const later = datesOf(result, cohort + first);
  const returned = later && didOf(own.returningEvent, [question.filters], [], later);
  return returned && [started, { ...returned, times: own.minCount }];
}

function ofLifecycle(
  { question, own }: InsightOf<'lifecycle'>,
  result: AnswerFrame,
  { interval, state }: PointOf<'lifecycle'>,
): PeopleCriterion[] | null {
  if (isGroupSubject(own.per)) return null;
  const within = datesOf(result, interval);
  const now = within && didOf(own.event, [question.filters], [], within);
  if (within === null || now === null) return null;
  const isNew = { firstSeen: within };
  if (state === 'new') return [now, isNew];
  const earlier = interval === 0 ? null : datesOf(result, interval - 1);
  const before = earlier && didOf(own.event, [question.filters], [], earlier);
  if (before === null) return null;
  if (state === 'dormant') return [before, { ...now, not: true }];
  if (state === 'returning') return [now, before];
  return [now, { ...before, not: true }, { ...isNew, not: true }];
}

/** Null where a filter of people cannot say which events these are. */
function didOf(
  events: EventsQuery,
  filters: readonly (Filters | null)[],
  more: readonly FilterCondition[],
  within: RangeInput,
): Did | null {
  const [rule, ...others] = 'any' in events ? events.any : [events];
  if (rule === undefined || others.length > 0) return null;
  const all = [...('goal' in rule ? [] : [rule.filters ?? null]), ...filters].filter((each) => each !== null);
  const [given, ...rest] = all.filter(({ of }) => of.length > 0);
  const isAny = given?.match === 'any' && given.of.length > 1;
  if (isAny && (rest.length > 0 || more.length > 0)) return null;
  if (rest.some(({ match, of }) => match === 'any' && of.length > 1)) return null;
  const conditions: FilterCondition[] = [];
  for (const item of [...(given?.of ?? []), ...rest.flatMap(({ of }) => of), ...more]) {
    if ('of' in item) return null;
    conditions.push(item);
  }
  if ('goal' in rule) return conditions.length > 0 ? null : { did: rule, times: 1, within };
  if (rule.event === null || conditions.length > MAX_CONDITIONS) return null;
  const match = isAny ? ('any' as const) : ('all' as const);
  const kept = conditions.length > 0 && { filters: { match, of: conditions } };
  return { did: { event: rule.event, ...kept }, times: 1, within };
}

function wholeRange({ range }: AnswerFrame): RangeInput | null {
  return range.earlyEvents === undefined ? { from: range.fromDate, to: range.toDate } : null;
}

/** The dates of an interval; null of one that is shorter than a day. */
function datesOf({ starts = [], range, timeZone, interval, period }: AnswerFrame, at: number): RangeInput | null {
  const start = starts[at];
  const length = interval ?? period;
  if (start === undefined || length === undefined || !['day', 'week', 'month'].includes(length)) return null;
  const end = starts[at + 1] ?? range.to;
  return { from: dateIn(start, timeZone), to: dateIn(end - 1, timeZone) };
}
