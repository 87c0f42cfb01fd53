/** What the rules of other products give on the same events, asked of the engine: only where it can say exactly what the rule means. */
import type { Columns, Question, Selection } from '#src/columns/columns.ts';
import type { FilterCondition, Filters } from '#src/columns/contract.ts';
import type { Goal } from '../goals/contract.ts';
import { selectionOf } from '../goals/selection.ts';
import { vitalProperty } from '../kinds/vitals/values.ts';
import type { Elsewhere } from './contract.ts';
import type { ExplainedMetric } from './statements.ts';

export type ElsewhereColumns = Pick<Columns, 'series' | 'conversions' | 'values' | 'visitsWithout'>;

export interface ElsewhereParts {
  columns: ElsewhereColumns;
  /** With one span, and nothing in it. */
  question: Question;
  /** When the days and months of the range begin; null for more of them than an answer has. */
  days: readonly number[] | null;
  months: readonly number[] | null;
  /** The project's goals: what others call key events. */
  goals: readonly Goal[];
}

/** @throws AppError as the columns do */
export async function computeElsewhere(parts: ElsewhereParts, shown: ExplainedMetric): Promise<Elsewhere[]> {
  switch (shown.of) {
    case 'visitors':
      return [
        { product: 'plausible', value: await visitorsOf(parts, parts.days) },
        { product: 'umami', value: await visitorsOf(parts, parts.months) },
      ];
    case 'bounceRate':
      return bouncesOf(parts);
    case 'visitDuration': {
      const [some] = await seriesOf(parts, joined(parts.question.filters, [ofVisit('seconds', 'gt', 0)]));
      return [{ product: 'openpanel', value: some ? share(some.total.ms / 1000, some.total.visits) : null }];
    }
    case 'conversions':
      return [{ product: 'ga4', value: (await visitsWith(parts, [shown.goal])).reached }];
    case 'conversionRate': {
      const { visits, reached } = await visitsWith(parts, [shown.goal]);
      return [
        { product: 'plausible', value: await rateByDays(parts, shown.goal) },
        { product: 'ga4', value: share(reached, visits) },
      ];
    }
    case 'vitals': {
      const figures = [{ property: vitalProperty(shown.vital), quantile: 0.9, limits: [], rows: false }];
      const asked = { names: ['$web_vitals'], by: { property: '$pathname' }, figures };
      const [[found] = []] = await parts.columns.values({ ...parts.question, views: [] }, asked);
      return [{ product: 'posthog', value: found?.total.quantile ?? null }];
    }
    default:
      return [];
  }
}

/** Ids that last from one of these moments to the next make someone new of everybody each time. */
async function visitorsOf(parts: ElsewhereParts, starts: readonly number[] | null): Promise<number | null> {
  if (starts === null) return null;
  const [found] = await seriesOf(parts, parts.question.filters, starts);
  return found?.stretches.reduce((sum, { visitors }) => sum + visitors, 0) ?? null;
}

/** Those of each day who reached the goal on it, of all of each day. */
async function rateByDays(parts: ElsewhereParts, goal: Goal): Promise<number | null> {
  if (parts.days === null) return null;
  const [[found] = []] = await parts.columns.conversions(withStarts(parts.question, parts.days), [selectionOf(goal)]);
  const sum = (of: 'converted' | 'visitors') => found?.stretches.reduce((all, each) => all + each[of], 0) ?? 0;
  return share(sum('converted'), sum('visitors'));
}

async function bouncesOf(parts: ElsewhereParts): Promise<Elsewhere[]> {
  const { columns, question } = parts;
  const ownEvents: Selection = { rules: [], ofOwnNames: true, amount: null };
  const without = async (filters: Filters['of'], events: Selection) => {
    const [[visits] = []] = await columns.visitsWithout({ ...question, filters: joined(question.filters, filters) }, [
      events,
    ]);
    return visits ?? 0;
  };
  const [[all], [single], silent, idle] = await Promise.all([
    seriesOf(parts, question.filters),
    seriesOf(parts, joined(question.filters, oneView)),
    without(oneView, ownEvents),
    without(short, selectedBy(parts.goals)),
  ]);
  const visits = all?.total.visits ?? 0;
  return [
    { product: 'plausible', value: share(silent, visits) },
    { product: 'ga4', value: share(idle, visits) },
    { product: 'openpanel', value: share(single?.total.visits ?? 0, visits) },
  ];
}

/** Visits that hold what reaches one of the goals, and all. */
async function visitsWith(parts: ElsewhereParts, goals: readonly Goal[]): Promise<{ visits: number; reached: number }> {
  const [[all], [[without = 0] = []]] = await Promise.all([
    seriesOf(parts, parts.question.filters),
    parts.columns.visitsWithout(parts.question, [selectedBy(goals)]),
  ]);
  const visits = all?.total.visits ?? 0;
  return { visits, reached: visits - without };
}

/** What reaches any of the goals. */
export function selectedBy(goals: readonly Goal[]): Selection {
  return { rules: goals.flatMap((goal) => selectionOf(goal).rules), amount: null };
}

function seriesOf({ columns, question }: ElsewhereParts, filters: Filters | null, starts: readonly number[] = []) {
  return columns.series({ ...withStarts(question, starts), filters });
}

function withStarts(question: Question, starts: readonly number[]): Question {
  const spans = question.spans.map((span) => ({ ...span, starts: starts.filter((start) => start < span.until) }));
  return { ...question, spans };
}

const oneView: Filters['of'] = [ofVisit('views', 'lt', 2)];
/** At most one view, and at most ten seconds. */
const short: Filters['of'] = [
  ...oneView,
  { match: 'any', of: [ofVisit('seconds', 'lt', 10), ofVisit('seconds', 'equals', 10)] },
];

export function ofVisit(name: string, operator: FilterCondition['operator'], ...values: number[]): FilterCondition {
  return { about: 'session', name, operator, values };
}

/** What both keep. The engine takes lists within lists, however deep; only those who ask are held to one level. */
export function joined(one: Filters | null | undefined, other: Filters['of']): Filters {
  return { match: 'all', of: (one ? [one, ...other] : other) as Filters['of'] };
}

function share(some: number, all: number): number | null {
  return all === 0 ? null : some / all;
}
