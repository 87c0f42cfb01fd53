/** All queries of the columns, with the dates and numbers of their conditions as the project reads them. */
import type { DecimalSeparator } from '#src/kit/numbers/values.ts';
import type { ReadingRules } from '#src/kit/reading/reader.ts';
import { zoneOf } from '#src/kit/zone.ts';
import type { Selection } from '../conditions/selections.ts';
import { dependsOnLocale, placeConditions } from '../filters/date-times.ts';
import { readLocale } from '../storage/chunk-sql.ts';
import { type Activity, type ActivityQuery, queryActivity } from './activities.ts';
import { type Question, querySeries, type SpanCounts } from './answer.ts';
import type { AnswerParts } from './answer-parts.ts';
import { type Arms, type ArmsQuery, queryArms } from './arms.ts';
import { type Cell, type CellDivision, queryCells } from './cells.ts';
import { queryConversions, type SpanConversions } from './conversions.ts';
import type { FiguresQuery } from './figures.ts';
import type { Funnel, FunnelQuery } from './funnels.ts';
import { type GroupFigure, type GroupFiguresQuery, queryGroupFigures } from './group-figures.ts';
import { type LastSeenPage, type LastSeenQuery, type LastSeenSteps, queryLastSeen } from './last-seen.ts';
import { type Paths, type PathsQuery, queryPaths } from './paths.ts';
import { type PersonNumbers, type PersonsQuery, queryPersons } from './persons.ts';
import {
  type PointGroups,
  type PointPeople,
  type PointQuestion,
  queryPointGroups,
  queryPointPeople,
} from './point-people.ts';
import { queryPropertyValues, queryReadChanges, type ReadChange } from './property-values.ts';
import { queryFunnel } from './query-funnel.ts';
import { queryRankedPersons, type RankFound, type RankQuery } from './rank-persons.ts';
import { queryRetention, type Retention, type RetentionQuery } from './retentions.ts';
import { type Dimension, queryTables, type TableRow } from './tables.ts';
import { queryTrends, readsNumbersOf, type Trend, type TrendsQuery } from './trends.ts';
import { queryValueSummaries, type ValueSummaries, type ValuesQuery } from './value-summaries.ts';
import { queryVisitsWithout } from './visits-without.ts';
import { queryPropertyRows } from './volumes.ts';

export interface ColumnQueries {
  /** Views, visitors and visits, for each span and its stretches. @throws AppError `invalid` for filters that cannot be, `timeout` */
  series(question: Question): Promise<SpanCounts[]>;
  /** For each dimension and span: events or visits by value; for the first dimension also conversions. @throws as `series` */
  tables(question: Question, dimensions: readonly Dimension[], selection?: Selection | null): Promise<TableRow[][][]>;
  /** For each selection and span: conversions, persons, revenue, and (`byVisit`) visits. @throws as `series` */
  conversions(
    question: Question,
    selections: readonly Selection[],
    wanted?: { byVisit?: boolean | undefined },
  ): Promise<SpanConversions[][]>;
  /** For each selection and span: visits without its events. @throws as `series` */
  visitsWithout(question: Question, selections: readonly Selection[]): Promise<number[][]>;
  /** Of a query with one span: views and visitors by cell. @throws as `series` */
  cells(question: Question, division: CellDivision): Promise<Cell[]>;
  /** For each figure and span: summary of a property's numbers. @throws as `series` */
  values(question: Question, asked: ValuesQuery): Promise<ValueSummaries[][]>;
  /** For each series and span: its points, by breakdown value if requested. @throws as `series` */
  trends(asked: TrendsQuery): Promise<Trend[][]>;
  /** @throws as `series` */
  funnel(asked: FunnelQuery): Promise<Funnel>;
  /** Arms of an experiment. @throws as `series` */
  arms(asked: ArmsQuery): Promise<Arms>;
  /** @throws as `series` */
  retention(asked: RetentionQuery): Promise<Retention>;
  /** Persons by period of their activity. @throws as `series` */
  activity(asked: ActivityQuery): Promise<Activity>;
  /** @throws as `series` */
  paths(asked: PathsQuery): Promise<Paths>;
  /** The people behind a number, with their figures. @throws as `series` */
  pointPeople(question: PointQuestion, figures: FiguresQuery): Promise<PointPeople>;
  /** Groups with an event in a span, with what they did. @throws as `series` */
  groupFigures(asked: GroupFiguresQuery): Promise<GroupFigure[]>;
  /** The groups behind a number that counts groups. @throws as `series` */
  pointGroups(question: PointQuestion): Promise<PointGroups>;
  /** The members of a set of persons. @throws as `series` */
  persons(asked: PersonsQuery): Promise<PersonNumbers>;
  /** The chosen ones in the order in which they were seen last, the latest first; null: now it would take long. @throws AppError `timeout` */
  lastSeen(asked: LastSeenQuery): Promise<LastSeenPage | null>;
  /** Persons by what they did in a span, the most first. @throws AppError `timeout` */
  rankPersons(asked: RankQuery): Promise<RankFound>;
  /** How many events of these days (UTC, since 1970) have which of these properties; null when counting takes too long. */
  propertyRows(
    projectId: number,
    days: { first: number; last: number },
    names: readonly string[],
  ): Promise<Map<string, number> | null>;
  /** Events by value of a property in a time span, without bots and internal traffic. @throws AppError `timeout` */
  propertyValues(projectId: number, span: { from: number; until: number }, name: string): Promise<Map<string, number>>;
  /** Effect of other reading rules on a property's values, with event counts. @throws AppError `timeout` */
  readChanges(
    projectId: number,
    span: { from: number; until: number },
    name: string,
    rules: ReadingRules,
  ): Promise<ReadChange[]>;
}

interface PointRequest {
  projectId: number;
  asked: PointQuestion['asked'];
  figures: FiguresQuery;
  decimal?: DecimalSeparator;
}

type InLocale = <Query extends { projectId: number; decimal?: DecimalSeparator }, Answer>(
  asked: Query,
  ask: (ready: Query) => Promise<Answer>,
  options?: { readsNumbers?: boolean },
) => Promise<Answer>;

/** Queries by these threads. */
export function columnQueries(parts: AnswerParts, steps: LastSeenSteps | undefined): ColumnQueries {
  /** Asks with the dates of conditions as the project's clocks show them, and numbers as its texts write them. */
  async function inLocale<Query extends { projectId: number; decimal?: DecimalSeparator }, Answer>(
    asked: Query,
    ask: (ready: Query) => Promise<Answer>,
    { readsNumbers = false }: { readsNumbers?: boolean } = {},
  ): Promise<Answer> {
    if (!readsNumbers && !dependsOnLocale(asked)) return ask(asked);
    const { timeZone, decimal } = await readLocale(parts.db, asked.projectId);
    return ask({ ...placeConditions(asked, { zone: zoneOf(timeZone), decimal }), decimal });
  }

  return {
    series: (question) => inLocale(question, (ready) => querySeries(parts, ready)),
    tables: (question, dimensions, selection = null) =>
      inLocale({ ...question, selection }, (ready) => queryTables(parts, ready, dimensions, ready.selection)),
    conversions: (question, selections, wanted) =>
      inLocale({ ...question, selections }, (ready) => queryConversions(parts, ready, ready.selections, wanted), {
        readsNumbers: selections.some(({ amount }) => amount !== null),
      }),
    visitsWithout: (question, selections) =>
      inLocale({ ...question, selections }, (ready) => queryVisitsWithout(parts, ready, ready.selections)),
    cells: (question, division) => inLocale(question, (ready) => queryCells(parts, ready, division)),
    values: (question, asked) => inLocale(question, (ready) => queryValueSummaries(parts, ready, asked)),
    trends: (asked) => inLocale(asked, (ready) => queryTrends(parts, ready), { readsNumbers: readsNumbersOf(asked) }),
    funnel: (asked) => inLocale(asked, (ready) => queryFunnel(parts, ready)),
    arms: (asked) =>
      inLocale(asked, (ready) => queryArms(parts, ready), {
        readsNumbers: asked.metrics.some(
          ({ kind, of }) => kind === 'sums' && of.some((each) => 'amount' in each && each.amount !== null),
        ),
      }),
    retention: (asked) => inLocale(asked, (ready) => queryRetention(parts, ready)),
    activity: (asked) => inLocale(asked, (ready) => queryActivity(parts, ready)),
    paths: (asked) => inLocale(asked, (ready) => queryPaths(parts, ready)),
    ...pointQueries(parts, inLocale),
    groupFigures: (asked) => inLocale(asked, (ready) => queryGroupFigures(parts, ready)),
    persons: (asked) => inLocale(asked, (ready) => queryPersons(parts, ready)),
    lastSeen: (asked) => queryLastSeen(parts, asked, steps),
    rankPersons: (asked) =>
      inLocale(asked, (ready) => queryRankedPersons(parts, ready, steps?.people), {
        readsNumbers: asked.amounts.length > 0,
      }),
    propertyRows: (projectId, days, names) => queryPropertyRows(parts, projectId, days, names),
    propertyValues: (projectId, span, name) => queryPropertyValues(parts, projectId, span, name),
    readChanges: (projectId, span, name, rules) => queryReadChanges(parts, projectId, span, name, rules),
  };
}

/** Who is behind a number. */
function pointQueries(parts: AnswerParts, inLocale: InLocale): Pick<ColumnQueries, 'pointPeople' | 'pointGroups'> {
  return {
    pointPeople: ({ kind, asked, point }, figures) =>
      inLocale(
        { projectId: figures.projectId, asked, figures } as PointRequest,
        (ready) => {
          const { decimal = 'point' } = ready;
          const question = { kind, point, asked: { ...ready.asked, decimal } } as PointQuestion;
          return queryPointPeople(parts, question, { ...ready.figures, decimal });
        },
        { readsNumbers: true },
      ),
    pointGroups: ({ kind, asked, point }) =>
      inLocale(
        { projectId: asked.projectId, asked } as Omit<PointRequest, 'figures'>,
        (ready) => {
          const { decimal = 'point' } = ready;
          return queryPointGroups(parts, { kind, point, asked: { ...ready.asked, decimal } } as PointQuestion);
        },
        { readsNumbers: true },
      ),
  };
}
