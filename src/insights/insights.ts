/**
 * The door of this room: queries with single flight and a short cache that new
 * events invalidate; saved insights, goals, and annotations.
 */

import { noting } from '#src/accounts/note-change.ts';
import type { Columns, People, PointGroups, PointPeople, RankFound } from '#src/columns/columns.ts';
import type { Filters, Traffic } from '#src/columns/contract.ts';
import { traffic } from '#src/columns/values.ts';
import { notFound } from '#src/kit/errors.ts';
import { dayMs, parseDate, zoneOf } from '#src/kit/zone.ts';
import type { ReadingChange, Role } from '#src/projects/contract.ts';
import { type Project, readingWith } from '#src/projects/projects.ts';
import type { Deps } from '#src/store/deps.ts';
import { type Annotations, createAnnotations } from './annotations/annotations.ts';
import { announceCohorts, type Cohorts, createCohorts } from './cohorts/cohorts.ts';
import type { RangeInput, ResolvedRange } from './contract.ts';
import type { InsightKind, QueryColumns, QueryContext, QueryExplanation, QueryInput, RunnableKind } from './define.ts';
import type { DraftExplanation, ExplainInput, Explanation, ScreenExplanation } from './explain/contract.ts';
import { explainDraft, explainMetric } from './explain/explain.ts';
import { explainHome, type WeekOf, weekInput } from './explain/home.ts';
import { explainNow } from './explain/now.ts';
import type { Goal, GoalDraft, GoalPreview, LastConversions } from './goals/contract.ts';
import { createGoals, type Goals } from './goals/goals.ts';
import { runGoalPreview, runLastConversions } from './kinds/goals/run.ts';
import { overview } from './kinds/overview/kind.ts';
import type { Changes } from './query/cache.ts';
import { createQueryCache } from './query/cache.ts';
import { countsGroups } from './query/counts-groups.ts';
import { explainQuery } from './query/explain-query.ts';
import { beginningOf, beginRange } from './query/first-event.ts';
import type { PeopleQuery } from './query/people/contract.ts';
import { peopleOf, rulesOfPeople } from './query/people/people.ts';
import { runPointGroups } from './query/point-groups.ts';
import { runPointPeople } from './query/point-people.ts';
import { resolveRange } from './query/ranges.ts';
import { type RankPersonsQuery, rankPersons } from './query/rank-persons.ts';
import { runQuery } from './query/run-query.ts';
import { type EventScope, type QueryProject, type QueryScope, settingsKeyOf } from './query/scope.ts';
import type { ReadingPreview } from './reading/contract.ts';
import { previewReading } from './reading/preview.ts';
import { createSavedInsights, type SavedInsights } from './saved/saved.ts';
import { createSegments, type Segments, withinBoth } from './segments/segments.ts';
import type { FilterProperties, FilterValues, ValuesInput } from './suggestions/contract.ts';
import { fetchProperties, fetchValues, tryFilters } from './suggestions/suggestions.ts';
import type { NamingEvents, UnknownEvent } from './unknown-events/contract.ts';
import { findUnknownEvents } from './unknown-events/unknown-events.ts';

export type { Changes, RankPersonsQuery };
export { announceCohorts, createAnnotations, createGoals, createSavedInsights, createSegments, noting, withinBoth };

export interface Insights {
  /**
   * The result of a query of any kind.
   * @param gone fires when the caller does not wait any longer; absent: they stay. So below
   * @throws AppError `invalid`, `forbidden` for data about persons, `not_found` for a goal that does not exist, `timeout`
   */
  query<Input extends QueryInput, Result>(
    kind: RunnableKind<string, Input, Result>,
    scope: QueryScope,
    input: Input,
    gone?: AbortSignal,
  ): Promise<Result>;
  /**
   * Who is behind a number of a result, and what each of them did in the range of the query. Only for those who may see persons.
   * @param asOf the moment up to which the chart was counted, ms; absent: now
   * @throws AppError as `query`, `forbidden` for those who may not see persons, `invalid` for a point that the result does not have
   */
  pointPeople<Input extends QueryInput, Result>(
    kind: InsightKind<string, Input, Result>,
    scope: QueryScope,
    input: Input,
    point: unknown,
    asOf?: number,
  ): Promise<PointPeople>;
  /** The same, or the groups behind a number that counts groups. @throws AppError as `pointPeople` */
  behindPoint<Input extends QueryInput, Result>(
    kind: InsightKind<string, Input, Result>,
    scope: QueryScope,
    input: Input,
    point: unknown,
    asOf?: number,
    gone?: AbortSignal,
  ): Promise<PointPeople | PointGroups>;
  /** How the result of a query is calculated. @throws AppError as `query`, `not_found` for a kind that does not say so */
  explainQuery<Input extends QueryInput, Result>(
    kind: InsightKind<string, Input, Result>,
    scope: QueryScope,
    input: Input,
    gone?: AbortSignal,
  ): Promise<QueryExplanation>;
  /** Event names that the project has never received. @throws AppError `not_found` for a goal that does not exist, `forbidden` */
  unknownEvents(scope: QueryScope, named: NamingEvents): Promise<UnknownEvent[]>;
  /** How a number of the overview is counted. @throws AppError `invalid`, `timeout` */
  explain(project: QueryScope, input: ExplainInput): Promise<Explanation>;
  /** How the numbers of Live are counted. */
  explainNow(project: Pick<QueryProject, 'id' | 'settings'>): Promise<ScreenExplanation<'live'>>;
  /** How the numbers of Home are counted, of these projects. @throws AppError `timeout` */
  explainHome(projects: readonly QueryProject[]): Promise<ScreenExplanation<'home'>>;
  annotations: Annotations;
  goals: Goals;
  segments: Segments;
  saved: SavedInsights;
  cohorts: Cohorts;
  /** When each goal was last reached. @throws AppError `timeout` */
  goalsReached(project: QueryScope): Promise<LastConversions>;
  /** What a goal that is not saved yet counts in the last 28 days. @throws AppError `invalid`, `timeout` */
  goalPreview(project: QueryProject, draft: GoalDraft): Promise<GoalPreview>;
  /** How that is counted. @throws AppError `invalid`, `timeout` */
  explainPreview(project: QueryProject, draft: GoalDraft): Promise<DraftExplanation>;
  /** Properties that can be filtered by. @throws AppError `timeout` */
  properties(project: QueryProject, role: Role): Promise<FilterProperties>;
  /** Values of a property, most frequent first. @throws AppError `forbidden` to viewers who ask for persons, `invalid`, `timeout` */
  values(project: QueryProject, role: Role, input: ValuesInput): Promise<FilterValues>;
  /** @throws AppError `invalid` for a pattern that is none */
  tryFilters(filters: Filters): Promise<void>;
  /** A set of persons as the columns engine takes it; null: everybody. @throws AppError `invalid` */
  people(project: QueryScope, asked: PeopleQuery | undefined): Promise<People | null>;
  /** Persons by what they did in a range, the most first; for those who may see persons. @throws AppError `invalid`, `timeout` */
  rankPersons(project: QueryScope, asked: RankPersonsQuery): Promise<RankFound>;
  /** Changes that other channel and path rules would make. @throws AppError `invalid`, `timeout` */
  readingPreview(project: Pick<Project, 'id' | 'settings'>, change: ReadingChange): Promise<ReadingPreview[]>;
  /** The edges of a range in the project's zone. @throws AppError `invalid` */
  range(project: QueryProject, range: RangeInput): Promise<ResolvedRange>;
}

/** Events are listed from the first date that one can have: in zones west of Greenwich the year 1 begins on this one. */
const FIRST_DAY_OF_EVENTS = parseDate('0000-12-31') as number;
const FIRST_TIME_OF_EVENTS = (FIRST_DAY_OF_EVENTS + 1) * dayMs;

interface Which {
  filters?: Filters | undefined;
  people?: PeopleQuery | undefined;
  include?: readonly Traffic[] | undefined;
}

export interface InsightsParts {
  columns: QueryColumns &
    Pick<Columns, 'propertyRows' | 'propertyValues' | 'readChanges' | 'visitsWithout' | 'persons' | 'rankPersons'>;
  changes: Changes;
}

export function createInsights(
  deps: Pick<Deps, 'clock' | 'db' | 'log'>,
  { columns, changes }: InsightsParts,
): Insights {
  const { clock, db } = deps;
  const cache = createQueryCache(clock, changes);
  const goals = createGoals(deps);
  const segments = createSegments(deps, goals);
  const keyOf = (kind: string, project: QueryProject, question: object): string => {
    const { id, timeZone, weekStart } = project;
    return JSON.stringify([kind, id, timeZone, weekStart, settingsKeyOf(project), question]);
  };
  const goalOf = (project: QueryScope) => (id: number) => goals.use(project, id);
  /** @throws AppError `not_found`: numbers without it would look like those that were asked for */
  async function namedGoal(project: QueryScope, id: number | undefined): Promise<Goal | null> {
    if (id === undefined) return null;
    const goal = await goals.get(project, id);
    if (goal === null) throw notFound('goal');
    return goal;
  }

  async function context({ id, timeZone, weekStart }: QueryProject, now: number) {
    const events = await columns.firstEvents(id);
    const { first } = events;
    return { zone: zoneOf(timeZone), weekStart, now, first, ...beginningOf(events) };
  }

  /** Answers a question about certain events, once for all who ask the same. @param ask gets the persons as they are now */
  async function answer<Question extends object, Answer>(
    kind: string,
    project: QueryScope,
    { filters, people, include = [] }: Which,
    question: Question,
    ask: (question: Question & EventScope, now: number) => Promise<Answer>,
    isKept = true,
  ): Promise<Answer> {
    const taken = traffic.filter((each) => include.includes(each));
    const which = { ...(filters && { filters }), ...(taken.length > 0 && { include: taken }) };
    const { rulesOf, key } = await rulesOfPeople(people, goalOf(project));
    const compute = async (now: number) => {
      const whose = people && { people: peopleOf(people, rulesOf, await context(project, now)) };
      return ask({ ...question, ...which, ...whose }, now);
    };
    if (!isKept) return compute(clock.now());
    return cache.get(project.id, keyOf(kind, project, { ...question, ...which, people, key }), compute);
  }

  async function resolvePeople(project: QueryScope, asked: PeopleQuery): Promise<People | null> {
    const { rulesOf } = await rulesOfPeople(asked, goalOf(project));
    return peopleOf(asked, rulesOf, await context(project, clock.now()));
  }

  const query: Insights['query'] = (kind, scope, input, gone) =>
    runQuery({ clock, columns, goals, cache }, kind, scope, input, gone);

  const partsAt = (asOf: number | undefined) => {
    const now = Math.min(asOf ?? clock.now(), clock.now());
    return { clock: { now: () => now }, columns, goals, cache };
  };

  return {
    annotations: createAnnotations(deps),
    goals,
    segments,
    saved: createSavedInsights(deps, { goals, segments, query }),
    cohorts: createCohorts(deps, { columns, goals, resolve: resolvePeople }),
    query,
    pointPeople: (kind, scope, input, point, asOf) => runPointPeople(partsAt(asOf), kind, scope, input, point),
    behindPoint: (kind, scope, input, point, asOf, gone) =>
      countsGroups(input, point)
        ? runPointGroups(partsAt(asOf), kind, scope, input, point, gone)
        : runPointPeople(partsAt(asOf), kind, scope, input, point, gone),
    explainQuery(kind, scope, input, gone) {
      const explained = {
        ...kind,
        name: `explain ${kind.name}`,
        run: (context: QueryContext, given: typeof input) => explainQuery(kind, context, given),
      };
      return runQuery({ clock, columns, goals, cache }, explained, scope, input, gone);
    },
    readingPreview: ({ id, settings }, change) =>
      previewReading(columns, id, readingWith(settings, change), clock.now()),
    unknownEvents: (scope, named) => findUnknownEvents({ db, goals }, scope, named),
    async explain(project, { range, compare, of, goal: asked, currency, per, vital, percentile, more, ...which }) {
      const goal = await namedGoal(project, asked);
      const question = {
        range,
        of,
        ...(compare && { compare }),
        ...(goal && { goal }),
        ...(more && { more }),
        ...((of === 'goal' || of === 'bounceRate') && { goals: await goals.list(project) }),
        ...(currency !== undefined && { currency }),
        ...(per && { per }),
        ...(vital && { vital, percentile }),
      };
      return answer('explain', project, which, question, (ready, now) => explainMetric(columns, project, ready, now));
    },
    explainNow: (project) => explainNow(db, project, clock.now()),
    async explainHome(projects) {
      const weeks: WeekOf[] = [];
      // One after the other, so that a reader with many projects does not use all capacity.
      for (const project of projects)
        weeks.push({ project, week: await query(overview, { ...project, seesPersons: false }, weekInput) });
      return explainHome(weeks, clock.now());
    },
    async goalsReached(project) {
      const all = await goals.list(project);
      return cache.get(project.id, keyOf('reached', project, { all }), (now) =>
        runLastConversions(columns, project, all, now),
      );
    },
    async goalPreview(project, draft) {
      await goals.check(draft);
      return cache.get(project.id, keyOf('goal', project, draft), (now) =>
        runGoalPreview(columns, project, draft, now),
      );
    },
    async explainPreview(project, draft) {
      const { revenue } = await this.goalPreview(project, draft);
      return cache.get(project.id, keyOf('draft', project, draft), (now) =>
        explainDraft(columns, project, { draft, currencies: revenue.map(({ currency }) => currency) }, now),
      );
    },
    properties(project, role) {
      return cache.get(project.id, keyOf('properties', project, { role }), (now) =>
        fetchProperties({ db: deps.db, columns }, project, role, now),
      );
    },
    values(project, role, { range, about, name, search }) {
      const question = { range, about, name, search };
      return cache.get(project.id, keyOf('values', project, { role, question }), (now) =>
        fetchValues({ db: deps.db, columns }, project, role, question, now),
      );
    },
    tryFilters: (filters) => tryFilters(deps.db, filters),
    rankPersons: (project, asked) => rankPersons({ columns, goals, clock }, project, asked),
    async people(project, asked) {
      return asked === undefined ? null : resolvePeople(project, asked);
    },
    async range(project, asked) {
      const { context } = await beginRange(columns, project, asked, clock.now());
      const { range } = resolveRange(asked, { ...context, firstDay: FIRST_DAY_OF_EVENTS });
      return { ...range, from: Math.max(range.from, FIRST_TIME_OF_EVENTS) };
    },
  };
}
