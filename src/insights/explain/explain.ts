/** How a number of the overview is counted: the SQL that gives it, what it leaves out, and what other products' rules would say. */
import type { Columns, Question, Selection } from '#src/columns/columns.ts';
import type { FilterCondition, Filters } from '#src/columns/contract.ts';
import { type AskedProject, viewNames } from '../asked.ts';
import { dimensions } from '../breakdown.ts';
import { overviewMetrics } from '../contract.ts';
import type { Goal } from '../goals/contract.ts';
import { selectionOf } from '../goals/selection.ts';
import { divide } from '../intervals.ts';
import { countedUntil, resolveComparison, resolveRange } from '../ranges.ts';
import { zoneOf } from '../zone.ts';
import type { Elsewhere, Explained, ExplainInput, Explanation } from './contract.ts';
import { type AskedNumber, statementOf } from './statements.ts';
import { sqlText } from './text.ts';

type Asked = Pick<Columns, 'series' | 'conversions' | 'firstEvent'>;

export type ExplainQuestion = Omit<ExplainInput, 'project' | 'goal' | 'segment'> & {
  /** The goal that was asked for; null when it is there no more. */
  goal?: Goal | null;
  /** All of the project: of the table of goals. */
  goals?: readonly Goal[];
};

/** Explains a number. @throws AppError `invalid` for a range or filter that cannot be, `timeout` when the database takes too long */
export async function askExplanation(
  columns: Asked,
  project: AskedProject,
  { range: asked, compare = 'none', filters, include = [], ...number }: ExplainQuestion,
  now: number,
): Promise<Explanation> {
  const zone = zoneOf(project.timeZone);
  const context = { zone, weekStart: project.weekStart, now, firstEvent: await columns.firstEvent(project.id) };
  const found = resolveRange(asked, context);
  const { range } = found;
  const comparison = resolveComparison(found, compare, zone)?.range ?? null;
  const span = { from: range.from, until: countedUntil(range) };
  const before = comparison && { from: comparison.from, until: countedUntil(comparison) };
  const isComparable = before !== null && context.firstEvent !== null && context.firstEvent < before.until;
  const kept = { projectId: project.id, filters: filters ?? null, include };
  const question: Question = { ...kept, views: viewNames, spans: [{ ...span, starts: [] }] };

  const shown = shownOf(number, project.timeZone);
  const count = countOf(columns, question, shown);
  const days = divide(range, 'day', context).map(({ from }) => from);
  const [all, unfiltered, homeless, elsewhere] = await Promise.all([
    count(question.filters),
    filters === undefined ? null : count(null),
    countsVisits(shown.of) ? count(joined(filters, noVisit)) : null,
    elsewhereOf(columns, question, shown.of, days),
  ]);
  return {
    of: shown.of,
    sql: sqlText(statementOf(shown, { ...kept, ...span })),
    sqlBefore: isComparable ? sqlText(statementOf(shown, { ...kept, ...before })) : null,
    excluded: {
      of: namesOf(shown) === viewNames ? 'views' : 'events',
      bots: include.includes('bots') ? null : all.bots,
      internal: include.includes('internal') ? null : all.internal,
      filters: unfiltered === null ? null : unfiltered.counted - all.counted,
      withoutVisit: homeless === null ? null : homeless.counted,
    },
    elsewhere,
  };
}

/** Without its goal, a number of a goal is that of the visitors: so the chart draws it. */
function shownOf(
  { of, goal = null, goals = [], ...more }: Omit<ExplainQuestion, 'range'>,
  timeZone: string,
): AskedNumber {
  if (of === 'conversions' || of === 'conversionRate' || of === 'revenue') {
    return goal === null ? { of: 'visitors' } : { of, goal, currency: more.currency ?? '' };
  }
  if (of === 'goal') return { of, goals };
  if (of === 'hours') return { of, timeZone };
  if (of === 'vitals') return { of, vital: more.vital ?? 'LCP' };
  return { of, inFull: more.more === true };
}

interface Counted {
  counted: number;
  bots: number;
  internal: number;
}

/** Counts what the number is made of, under filters. */
function countOf(
  columns: Asked,
  question: Question,
  shown: AskedNumber,
): (filters: Filters | null) => Promise<Counted> {
  const names = namesOf(shown);
  if (names !== null) {
    return async (filters) => {
      const [found] = await columns.series({ ...question, views: names, filters });
      const { views = 0, botViews = 0, internalViews = 0 } = found?.total ?? {};
      return { counted: views, bots: botViews, internal: internalViews };
    };
  }
  const selection = selectedBy(shown);
  return async (filters) => {
    const [[found] = []] = await columns.conversions({ ...question, filters }, [selection]);
    const { total, botEvents = 0, internalEvents = 0 } = found ?? {};
    return { counted: total?.count ?? 0, bots: botEvents, internal: internalEvents };
  };
}

/** Names of the events that a number is made of; null: it is what goals are about. */
function namesOf(shown: AskedNumber): readonly string[] | null {
  if ('goal' in shown || 'goals' in shown) return null;
  if (shown.of === 'vitals') return ['$web_vitals'];
  return shown.of === 'outbound' ? ['$autocapture'] : viewNames;
}

/** What reaches the goal, or any of them. */
function selectedBy(shown: AskedNumber): Selection {
  const goals = 'goals' in shown ? shown.goals : 'goal' in shown ? [shown.goal] : [];
  return { rules: goals.flatMap((goal) => selectionOf(goal).rules), amount: null };
}

function countsVisits(of: Explained): boolean {
  if (of in dimensions) return dimensions[of as keyof typeof dimensions].of === 'sessions';
  return overviewMetrics.some((metric) => metric === of) && of !== 'visitors' && of !== 'views';
}

const noVisit: Filters = { match: 'all', of: [ofVisit('views', 'isNotSet')] };
/** At most one view, and at most ten seconds. */
const short: Filters['of'] = [
  ofVisit('views', 'below', 2),
  { match: 'any', of: [ofVisit('seconds', 'below', 10), ofVisit('seconds', 'is', 10)] },
];

function ofVisit(name: string, operator: FilterCondition['operator'], ...values: number[]): FilterCondition {
  return { about: 'session', name, operator, values };
}

/** What both keep. The engine takes lists within lists, however deep; only those who ask are held to one level. */
function joined(one: Filters | null | undefined, other: Filters): Filters {
  const of = one ? [one, ...other.of] : other.of;
  return { match: 'all', of: of as Filters['of'] };
}

async function elsewhereOf(
  columns: Pick<Columns, 'series'>,
  question: Question,
  of: Explained,
  days: readonly number[],
): Promise<Elsewhere[]> {
  if (of === 'visitors') return visitorDays(columns, question, days);
  return of === 'bounceRate' ? notEngaged(columns, question) : [];
}

/** Ids that last a day make someone new of everybody each day. */
async function visitorDays(
  columns: Pick<Columns, 'series'>,
  question: Question,
  days: readonly number[],
): Promise<Elsewhere[]> {
  const [span] = question.spans;
  if (span === undefined) return [];
  const starts = days.filter((start) => start < span.until);
  const [found] = await columns.series({ ...question, spans: [{ ...span, starts }] });
  return [{ product: 'plausible', value: found?.stretches.reduce((sum, { visitors }) => sum + visitors, 0) ?? null }];
}

async function notEngaged(columns: Pick<Columns, 'series'>, question: Question): Promise<Elsewhere[]> {
  const visits = async (filters: Filters | null) =>
    (await columns.series({ ...question, filters }))[0]?.total.visits ?? 0;
  const [all, left] = await Promise.all([
    visits(question.filters),
    visits(joined(question.filters, { match: 'all', of: short })),
  ]);
  return [{ product: 'ga4', value: all === 0 ? null : left / all }];
}
