/** How a number of the overview is counted: the SQL that gives it, what it leaves out, and what other products' rules would say. */
import type { Columns, Counts, Question } from '#src/columns/columns.ts';
import type { FilterCondition, Filters } from '#src/columns/contract.ts';
import { type AskedProject, viewNames } from '../asked.ts';
import { dimensions } from '../breakdown.ts';
import { divide } from '../intervals.ts';
import { countedUntil, resolveRange } from '../ranges.ts';
import { zoneOf } from '../zone.ts';
import type { Elsewhere, Explained, ExplainInput, Explanation } from './contract.ts';
import { statementOf } from './statements.ts';
import { sqlText } from './text.ts';

/** Explains a number. @throws AppError `invalid` for a range or filter that cannot be, `timeout` when the database takes too long */
export async function askExplanation(
  columns: Pick<Columns, 'series' | 'firstEvent'>,
  project: AskedProject,
  { range: asked, filters, of }: Omit<ExplainInput, 'project'>,
  now: number,
): Promise<Explanation> {
  const zone = zoneOf(project.timeZone);
  const context = { zone, weekStart: project.weekStart, now, firstEvent: await columns.firstEvent(project.id) };
  const { range } = resolveRange(asked, context);
  const span = { from: range.from, until: countedUntil(range) };
  const question: Question = {
    ...{ projectId: project.id, views: viewNames, filters: filters ?? null },
    spans: [{ ...span, starts: [] }],
  };
  const count = async (changes: Partial<Question>): Promise<Counts> =>
    ((await columns.series({ ...question, ...changes }))[0] as { total: Counts }).total;
  const withFilter = (condition: Filters): Promise<Counts> => count({ filters: joined(filters, condition) });

  const days = divide(range, 'day', context).map(({ from }) => from);
  const [all, unfiltered, homeless, elsewhere] = await Promise.all([
    count({}),
    filters === undefined ? null : count({ filters: null }),
    countsVisits(of) ? withFilter(noVisit) : null,
    of === 'visitors'
      ? visitorDays(columns, question, days)
      : of === 'bounceRate'
        ? notEngaged(count({}), withFilter)
        : [],
  ]);
  return {
    of,
    sql: sqlText(statementOf(of, { projectId: project.id, ...span, filters: filters ?? null })),
    excluded: {
      bots: all.botViews,
      internal: all.internalViews,
      filters: unfiltered === null ? null : unfiltered.views - all.views,
      withoutVisit: homeless === null ? null : homeless.views,
    },
    elsewhere,
  };
}

function countsVisits(of: Explained): boolean {
  if (of === 'visitors' || of === 'views') return false;
  return !(of in dimensions) || dimensions[of as keyof typeof dimensions].of === 'sessions';
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
function joined(one: Filters | undefined, other: Filters): Filters {
  const of = one === undefined ? other.of : [one, ...other.of];
  return { match: 'all', of: of as Filters['of'] };
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

async function notEngaged(
  all: Promise<Counts>,
  withFilter: (filters: Filters) => Promise<Counts>,
): Promise<Elsewhere[]> {
  const [{ visits }, { visits: left }] = await Promise.all([all, withFilter({ match: 'all', of: short })]);
  return [{ product: 'ga4', value: visits === 0 ? null : left / visits }];
}
