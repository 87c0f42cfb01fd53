/** How a number of the overview is counted: the SQL that gives it, what it leaves out, and what other products' rules would say. */
import type { Columns, Presence, Question } from '#src/columns/columns.ts';
import type { Filters } from '#src/columns/contract.ts';
import { localeOf, placeConditions } from '#src/columns/filters/date-times.ts';
import { sqlText } from '#src/store/sql-text.ts';
import { overviewMetrics } from '../contract.ts';
import type { Goal, GoalDraft } from '../goals/contract.ts';
import { dimensions } from '../kinds/breakdown/run.ts';
import { PREVIEWED, unsaved } from '../kinds/goals/run.ts';
import { vitalProperty } from '../kinds/vitals/values.ts';
import { caveatsOf, tracedNames } from '../query/caveats.ts';
import type { FirstEventColumns } from '../query/first-event.ts';
import { areOfSeveralHosts, isOfPages, pageWithHost } from '../query/hosts.ts';
import { bucketStarts, firstOf, MAX_BUCKETS } from '../query/intervals.ts';
import { periodsOf } from '../query/periods.ts';
import { type QueryProject, type Resolved, viewNames, viewsOf } from '../query/scope.ts';
import type { DraftExplanation, ExplainInput, Explanation } from './contract.ts';
import { computeElsewhere, type ElsewhereColumns, joined, ofVisit, selectedBy } from './elsewhere.ts';
import { type ExplainedMetric, statementOf } from './statements.ts';

type Asked = ElsewhereColumns & Pick<Columns, 'tables'> & FirstEventColumns;

export type ExplainQuery = Resolved<ExplainInput> & {
  /** The goal that was asked for; null when it is there no more. */
  goal?: Goal | null;
  /** All of the project: of the table of goals, and where others' rules ask for them. */
  goals?: readonly Goal[];
};

/** Explains a number. @throws AppError `invalid` for a range or filter that cannot be, `timeout` when the database takes too long */
export async function explainMetric(
  columns: Asked,
  project: QueryProject,
  given: ExplainQuery,
  now: number,
): Promise<Explanation> {
  const placed = placeConditions(given, localeOf(project));
  const { range: asked, compare = 'none', filters, people, include = [], ...number } = placed;
  const { context, range, span, before, ...periods } = await periodsOf(
    columns,
    project,
    { range: asked, compare },
    now,
  );
  const kept = { projectId: project.id, filters: filters ?? null, people, include };
  const { bounceSeconds } = project.settings;
  const question: Question = { ...kept, ...viewsOf(project), spans: [span] };

  const shown = shownOf(number, project);
  const count = countOf(columns, { ...question, presence: tracedNames }, shown);
  const startsOf = (interval: 'day' | 'month') => {
    const starts = firstOf(bucketStarts(range, interval, context), MAX_BUCKETS + 1);
    return starts.length > MAX_BUCKETS ? null : starts;
  };
  const parts = { columns, question, goals: number.goals ?? [], days: startsOf('day'), months: startsOf('month') };
  const [isComparable, byHost, all, unfiltered, homeless, elsewhere] = await Promise.all([
    periods.isComparable,
    tellsOfHosts(columns, question, shown),
    count({}),
    filters === undefined && !people ? null : count({ filters: null, people: null }),
    countsVisits(shown) ? count({ filters: joined(filters, noVisit) }) : null,
    computeElsewhere(parts, shown),
  ]);
  const sqlOf = (within: { from: number; until: number }) =>
    sqlText(statementOf({ ...shown, byHost }, { ...kept, bounceSeconds, ...within }));
  return {
    of: shown.of,
    per: 'per' in shown && countsVisits(shown) ? 'visit' : 'visitor',
    bounceSeconds,
    sql: sqlOf(span),
    events: eventsOf(shown),
    sqlBefore: before && isComparable ? sqlOf(before) : null,
    excluded: {
      of: namesOf(shown) === viewNames ? 'views' : 'events',
      bots: include.includes('bots') ? null : all.bots,
      internal: include.includes('internal') ? null : all.internal,
      filters: unfiltered === null ? null : unfiltered.counted - all.counted,
      withoutVisit: homeless === null ? null : homeless.counted,
    },
    elsewhere,
    caveats: caveatsOf(all.presence ?? null, range, { [shown.of]: true }),
  };
}

/** Explains what is told of a goal before it is saved. @throws AppError as `explainMetric` */
export async function explainDraft(
  columns: Asked,
  project: QueryProject,
  { draft, currencies }: { draft: GoalDraft; currencies: readonly string[] },
  now: number,
): Promise<DraftExplanation> {
  const goal = unsaved(draft, now);
  const explained = (number: Pick<ExplainQuery, 'of' | 'goal' | 'goals' | 'currency'>) =>
    explainMetric(columns, project, { range: PREVIEWED, ...number }, now);
  const counted = await explained({ of: 'goal', goals: [goal] });
  const revenue: DraftExplanation['revenue'] = [];
  for (const currency of currencies)
    revenue.push({ currency, sql: (await explained({ of: 'revenue', goal, currency })).sql });
  return { counted, revenue };
}

/** Without its goal, a number of a goal is that of the visitors: so the chart draws it. */
function shownOf(
  { of, goal = null, goals = [], per = 'visitor', ...more }: Omit<ExplainQuery, 'range'>,
  { timeZone, settings }: QueryProject,
): ExplainedMetric {
  if (of === 'conversions' || of === 'conversionRate' || of === 'revenue') {
    const { decimalSeparator: decimal = 'point' } = settings;
    return goal === null ? { of: 'visitors' } : { of, goal, currency: more.currency ?? '', decimal, per };
  }
  if (of === 'goal') return { of, goals, per };
  if (of === 'hours') return { of, timeZone };
  if (of === 'vitals') return { of, vital: more.vital ?? 'LCP', percentile: more.percentile ?? 75 };
  return { of, inFull: more.more === true, reaching: goal };
}

/** Whether a table of pages tells them apart by host. */
async function tellsOfHosts(columns: Asked, question: Question, shown: ExplainedMetric): Promise<boolean> {
  if (shown.of === 'vitals') {
    const figures = [{ property: vitalProperty(shown.vital), quantile: null, limits: [] }];
    const asked = { names: ['$web_vitals'], by: pageWithHost, figures };
    const [[found] = []] = await columns.values({ ...question, views: [] }, asked);
    return areOfSeveralHosts(found?.rows ?? []);
  }
  if (!isOfPages(shown.of)) return false;
  const [[rows = []] = []] = await columns.tables({ ...question, visitorsOf: 0, withLengths: false }, [
    dimensions[shown.of],
  ]);
  return areOfSeveralHosts(rows);
}

interface Counted {
  counted: number;
  bots: number;
  internal: number;
  presence?: Presence | null;
}

/** Counts what the number is made of, under filters other than those of the question. */
function countOf(
  columns: Asked,
  question: Question,
  shown: ExplainedMetric,
): (other: Pick<Partial<Question>, 'filters' | 'people'>) => Promise<Counted> {
  const names = namesOf(shown);
  if (names !== null) {
    return async (other) => {
      const [found] = await columns.series({ ...question, ...other, views: names });
      const { views = 0, botViews = 0, internalViews = 0 } = found?.total ?? {};
      return { counted: views, bots: botViews, internal: internalViews, presence: found?.presence ?? null };
    };
  }
  const selection = selectedBy('goals' in shown ? shown.goals : 'goal' in shown ? [shown.goal] : []);
  return async (other) => {
    const [[found] = []] = await columns.conversions({ ...question, ...other }, [selection]);
    const { total, botEvents = 0, internalEvents = 0 } = found ?? {};
    return { counted: total?.count ?? 0, bots: botEvents, internal: internalEvents };
  };
}

/** Names of the events that a number is made of; null: it is what goals are about. */
function namesOf(shown: ExplainedMetric): readonly string[] | null {
  if ('goal' in shown || 'goals' in shown) return null;
  if (shown.of === 'vitals') return ['$web_vitals'];
  return shown.of === 'outbound' ? ['$autocapture'] : viewNames;
}

/** Which events are counted one by one; null: that cannot be said by their names alone. */
function eventsOf(shown: ExplainedMetric): string[] | null {
  if ('goals' in shown || countsVisits(shown)) return null;
  if (shown.of === 'event') return [];
  if (!('goal' in shown)) return [...(namesOf(shown) ?? [])];
  const { rule } = shown.goal;
  return rule.kind === 'event' && rule.filters.of.length === 0 ? [rule.event] : null;
}

function countsVisits(shown: ExplainedMetric): boolean {
  const { of } = shown;
  if ('per' in shown) return shown.per === 'visit' && (of === 'goal' || of === 'conversionRate');
  if (of in dimensions) return dimensions[of as keyof typeof dimensions].of === 'sessions';
  return overviewMetrics.some((metric) => metric === of) && of !== 'visitors' && of !== 'views';
}

const noVisit: Filters['of'] = [ofVisit('views', 'isNotSet')];
