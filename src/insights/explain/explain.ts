/** How a number of a result is calculated: the SQL that gives it, what it excludes, and what other products' rules give. */
import type { Columns, Presence, Question } from '#src/columns/columns.ts';
import type { Filters } from '#src/columns/contract.ts';
import { localeOf, placeConditions } from '#src/columns/filters/date-times.ts';
import { rulesIn } from '#src/kit/reading/reader.ts';
import { sqlText } from '#src/store/sql-text.ts';
import type { Goal, GoalDraft } from '../goals/contract.ts';
import { selectedBy } from '../goals/selection.ts';
import { PREVIEWED, unsaved } from '../kinds/goals/run.ts';
import * as kinds from '../kinds/kinds.ts';
import { caveatsOf, tracedNames } from '../query/caveats.ts';
import type { ElsewhereColumns, ExplainedNumber, ExplainedNumbers } from '../query/explained-numbers.ts';
import type { FirstEventColumns } from '../query/first-event.ts';
import { areOfSeveralHosts } from '../query/hosts.ts';
import { bucketStarts, firstOf, MAX_BUCKETS } from '../query/intervals.ts';
import { periodsOf } from '../query/periods.ts';
import { type QueryProject, type Resolved, viewNames, viewsOf } from '../query/scope.ts';
import { joined, ofVisit } from '../query/visit-filters.ts';
import type { DraftExplanation, Explained, ExplainInput, Explanation } from './contract.ts';

type ExplainColumns = ElsewhereColumns & Pick<Columns, 'tables'> & FirstEventColumns;

export type ExplainQuery = Resolved<ExplainInput> & {
  /** The requested goal; null when it was deleted. */
  goal?: Goal | null;
  /** All of the project: of the table of goals, and where others' rules ask for them. */
  goals?: readonly Goal[];
};

/** Explains a number. @throws AppError `invalid` for a range or filter that cannot be, `timeout` when the database takes too long */
export async function explainMetric(
  columns: ExplainColumns,
  project: QueryProject,
  given: ExplainQuery,
  now: number,
): Promise<Explanation> {
  const placed = placeConditions(given, localeOf(project));
  const { range: asked, compare = 'none', filters, people, include = [], ...asking } = placed;
  const { context, range, span, before, ...periods } = await periodsOf(
    columns,
    project,
    { range: asked, compare },
    now,
  );
  const kept = { projectId: project.id, filters: filters ?? null, people, include };
  const { bounceSeconds } = project.settings;
  const question: Question = { ...kept, ...viewsOf(project), spans: [span] };

  const number = explainedNumber(asking, project);
  const count = countOf(columns, { ...question, presence: tracedNames }, number);
  const startsOf = (interval: 'day' | 'month') => {
    const starts = firstOf(bucketStarts(range, interval, context), MAX_BUCKETS + 1);
    return starts.length > MAX_BUCKETS ? null : starts;
  };
  const parts = { columns, question, goals: asking.goals ?? [], days: startsOf('day'), months: startsOf('month') };
  const [isComparable, byHost, all, unfiltered, homeless, elsewhere] = await Promise.all([
    periods.isComparable,
    hasSeveralHosts(columns, question, number),
    count({}),
    filters === undefined && !people ? null : count({ filters: null, people: null }),
    number.ofVisits ? count({ filters: joined(filters, noVisit) }) : null,
    number.elsewhere?.(parts) ?? [],
  ]);
  const sqlOf = (within: { from: number; until: number }) =>
    sqlText(number.sql({ ...kept, bounceSeconds, reading: rulesIn(project.settings), ...within }, byHost));
  return {
    of: number.of,
    per: number.per ?? 'visitor',
    bounceSeconds,
    sql: sqlOf(span),
    events: number.events,
    sqlBefore: before && isComparable ? sqlOf(before) : null,
    excluded: {
      of: 'names' in number.counts && number.counts.names === viewNames ? 'views' : 'events',
      bots: include.includes('bots') ? null : all.bots,
      internal: include.includes('internal') ? null : all.internal,
      filters: unfiltered === null ? null : unfiltered.counted - all.counted,
      withoutVisit: homeless === null ? null : homeless.counted,
    },
    elsewhere,
    caveats: caveatsOf(all.presence ?? null, range, { [number.of]: true }),
  };
}

/** Explains the numbers of a goal before it is saved. @throws AppError as `explainMetric` */
export async function explainDraft(
  columns: ExplainColumns,
  project: QueryProject,
  { draft, currencies }: { draft: GoalDraft; currencies: readonly string[] },
  now: number,
): Promise<DraftExplanation> {
  const goal = unsaved(draft, now);
  const explained = (asking: Pick<ExplainQuery, 'of' | 'goal' | 'goals' | 'currency'>) =>
    explainMetric(columns, project, { range: PREVIEWED, ...asking }, now);
  const counted = await explained({ of: 'goal', goals: [goal] });
  const revenue: DraftExplanation['revenue'] = [];
  for (const currency of currencies)
    revenue.push({ currency, sql: (await explained({ of: 'revenue', goal, currency })).sql });
  return { counted, revenue };
}

/** The number as its kind explains it. */
function explainedNumber(
  { of, goal = null, goals = [], per = 'visitor', ...more }: Omit<ExplainQuery, 'range'>,
  { timeZone, settings }: QueryProject,
): ExplainedNumber {
  return numbersWith(of).explain(of, {
    goal,
    goals,
    currency: more.currency ?? '',
    decimal: settings.decimalSeparator ?? 'point',
    per,
    vital: more.vital ?? 'LCP',
    percentile: more.percentile ?? 75,
    inFull: more.more === true,
    timeZone,
  });
}

/** The numbers of the kind that explains this one: a name belongs to one kind. */
function numbersWith(of: Explained): ExplainedNumbers {
  const all: { numbers?: ExplainedNumbers }[] = Object.values(kinds);
  for (const { numbers } of all) if (numbers?.names.includes(of)) return numbers;
  throw new Error(`no kind explains ${of}`);
}

async function hasSeveralHosts(columns: ExplainColumns, question: Question, number: ExplainedNumber): Promise<boolean> {
  return number.pages !== undefined && areOfSeveralHosts(await number.pages(columns, question));
}

interface Counted {
  counted: number;
  bots: number;
  internal: number;
  presence?: Presence | null;
}

/** Counts what the number is made of, under filters other than those of the question. */
function countOf(
  columns: ExplainColumns,
  question: Question,
  { counts }: ExplainedNumber,
): (other: Pick<Partial<Question>, 'filters' | 'people'>) => Promise<Counted> {
  if ('names' in counts) {
    return async (other) => {
      const [found] = await columns.series({ ...question, ...other, views: counts.names });
      const { views = 0, botViews = 0, internalViews = 0 } = found?.total ?? {};
      return { counted: views, bots: botViews, internal: internalViews, presence: found?.presence ?? null };
    };
  }
  const selection = selectedBy(counts.goals);
  return async (other) => {
    const [[found] = []] = await columns.conversions({ ...question, ...other }, [selection]);
    const { total, botEvents = 0, internalEvents = 0 } = found ?? {};
    return { counted: total?.count ?? 0, bots: botEvents, internal: internalEvents };
  };
}

const noVisit: Filters['of'] = [ofVisit('views', 'isNotSet')];
