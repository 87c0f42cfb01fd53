/** The overview's numbers by other products' definitions, where the engine can compute them exactly. */
import type { Question, Selection } from '#src/columns/columns.ts';
import type { Filters } from '#src/columns/contract.ts';
import type { Elsewhere } from '../../explain/contract.ts';
import type { Goal } from '../../goals/contract.ts';
import { selectedBy, selectionOf } from '../../goals/selection.ts';
import type { ElsewhereParts } from '../../query/explained-numbers.ts';
import { joined, ofVisit } from '../../query/visit-filters.ts';

export async function uniqueVisitors(parts: ElsewhereParts): Promise<Elsewhere[]> {
  return [
    { product: 'plausible', value: await visitorsOf(parts, parts.days) },
    { product: 'umami', value: await visitorsOf(parts, parts.months) },
  ];
}

/** Visitors with ids that are reset at each of these times. */
async function visitorsOf(parts: ElsewhereParts, starts: readonly number[] | null): Promise<number | null> {
  if (starts === null) return null;
  const [found] = await seriesOf(parts, parts.question.filters, starts);
  return found?.stretches.reduce((sum, { visitors }) => sum + visitors, 0) ?? null;
}

export async function bounceRates(parts: ElsewhereParts): Promise<Elsewhere[]> {
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

export async function visitDurations(parts: ElsewhereParts): Promise<Elsewhere[]> {
  const [some] = await seriesOf(parts, joined(parts.question.filters, [ofVisit('seconds', 'gt', 0)]));
  return [{ product: 'openpanel', value: some ? share(some.total.ms / 1000, some.total.visits) : null }];
}

export async function convertedVisits(parts: ElsewhereParts, goal: Goal): Promise<Elsewhere[]> {
  return [{ product: 'ga4', value: (await visitsWith(parts, [goal])).converted }];
}

export async function conversionRates(parts: ElsewhereParts, goal: Goal): Promise<Elsewhere[]> {
  const { visits, converted } = await visitsWith(parts, [goal]);
  return [
    { product: 'plausible', value: await rateByDays(parts, goal) },
    { product: 'ga4', value: share(converted, visits) },
  ];
}

/** Converted daily visitors divided by all daily visitors. */
async function rateByDays(parts: ElsewhereParts, goal: Goal): Promise<number | null> {
  if (parts.days === null) return null;
  const [[found] = []] = await parts.columns.conversions(withStarts(parts.question, parts.days), [selectionOf(goal)]);
  const sum = (of: 'converted' | 'visitors') => found?.stretches.reduce((all, each) => all + each[of], 0) ?? 0;
  return share(sum('converted'), sum('visitors'));
}

/** Visits with a conversion of one of the goals, and all. */
async function visitsWith(
  parts: ElsewhereParts,
  goals: readonly Goal[],
): Promise<{ visits: number; converted: number }> {
  const [[all], [[without = 0] = []]] = await Promise.all([
    seriesOf(parts, parts.question.filters),
    parts.columns.visitsWithout(parts.question, [selectedBy(goals)]),
  ]);
  const visits = all?.total.visits ?? 0;
  return { visits, converted: visits - without };
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

function share(some: number, all: number): number | null {
  return all === 0 ? null : some / all;
}
