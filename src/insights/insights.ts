/**
 * The door of this room: questions about what happened, each computed once for all who ask at the same time, and kept
 * for a moment while no event of the project arrives; goals, and notes on charts.
 */
import type { Columns, People } from '#src/columns/columns.ts';
import type { Filters, Traffic } from '#src/columns/contract.ts';
import { traffic } from '#src/columns/values.ts';
import { notFound } from '#src/kit/errors.ts';
import { zoneOf } from '#src/kit/zone.ts';
import type { Role } from '#src/projects/contract.ts';
import type { Deps } from '#src/store/deps.ts';
import { type Annotations, createAnnotations } from './annotations/annotations.ts';
import {
  type Breakdown,
  type BreakdownInput,
  MOST_ROWS,
  type Overview,
  type OverviewInput,
  type RangeInput,
  type ResolvedRange,
} from './contract.ts';
import type { DraftExplanation, ExplainInput, Explanation, ScreenExplanation } from './explain/contract.ts';
import { askExplanation, explainDraft } from './explain/explain.ts';
import { explainHome, type WeekOf, weekInput } from './explain/home.ts';
import { explainNow } from './explain/now.ts';
import { createFollow, type Follow, type FollowColumns } from './follow/follow.ts';
import type { Goal, GoalDraft, GoalFigures, GoalFiguresInput, GoalPreview, LastReached } from './goals/contract.ts';
import { createGoals, type Goals } from './goals/goals.ts';
import { askBreakdown } from './kinds/breakdown/run.ts';
import { askGoalFigures, askGoalPreview, askLastReached } from './kinds/goals/run.ts';
import type { Hours, HoursInput } from './kinds/heatmap/contract.ts';
import { askHours } from './kinds/heatmap/run.ts';
import { askOverview } from './kinds/overview/run.ts';
import type { Vitals, VitalsInput } from './kinds/vitals/contract.ts';
import { askVitals } from './kinds/vitals/run.ts';
import { createAnswers } from './query/cache.ts';
import type { PeopleAsked } from './query/people/contract.ts';
import { peopleOf, rulesOfPeople } from './query/people/people.ts';
import { resolveRange } from './query/ranges.ts';
import type { AskedProject, SeenProject, Whose } from './query/scope.ts';
import { createSegments, type Segments, withinBoth } from './segments/segments.ts';
import type { FilterProperties, FilterValues, ValuesInput } from './suggestions/contract.ts';
import { askProperties, askValues, tryFilters } from './suggestions/suggestions.ts';

export { createAnnotations, createGoals, withinBoth };

/** Tells when a project's events changed. */
export interface Changes {
  /** Differs after every commit of the project's events; null while that cannot be known. */
  version(projectId: number): number | null;
}

export interface Insights {
  /** Numbers of a range with comparison and course. @throws AppError `invalid`, `timeout` */
  overview(project: SeenProject, input: OverviewInput): Promise<Overview>;
  /** A table by one dimension. @throws AppError `invalid`, `timeout` */
  breakdown(project: SeenProject, input: BreakdownInput): Promise<Breakdown>;
  /** Weekdays by hours. @throws AppError `invalid`, `timeout` */
  hours(project: SeenProject, input: HoursInput): Promise<Hours>;
  /** Web vitals, over all and by page. @throws AppError `invalid`, `timeout` */
  vitals(project: SeenProject, input: VitalsInput): Promise<Vitals>;
  /** How a number is counted. @throws AppError `invalid`, `timeout` */
  explain(project: SeenProject, input: ExplainInput): Promise<Explanation>;
  /** How the numbers of Live are counted. */
  explainNow(project: Pick<AskedProject, 'id'>): Promise<ScreenExplanation<'live'>>;
  /** How the numbers of Home are counted, of these projects. @throws AppError `timeout` */
  explainHome(projects: readonly AskedProject[]): Promise<ScreenExplanation<'home'>>;
  annotations: Annotations;
  goals: Goals;
  segments: Segments;
  follow: Follow;
  /** What was reached of each goal. @throws AppError `invalid`, `timeout` */
  goalFigures(project: SeenProject, input: GoalFiguresInput): Promise<GoalFigures>;
  /** When each goal was last reached. @throws AppError `timeout` */
  goalsReached(project: SeenProject): Promise<LastReached>;
  /** What a goal that is not saved yet counts in the last 28 days. @throws AppError `invalid`, `timeout` */
  goalPreview(project: AskedProject, draft: GoalDraft): Promise<GoalPreview>;
  /** How that is counted. @throws AppError `invalid`, `timeout` */
  explainPreview(project: AskedProject, draft: GoalDraft): Promise<DraftExplanation>;
  /** What filters can be about. @throws AppError `timeout` */
  properties(project: AskedProject, role: Role): Promise<FilterProperties>;
  /** What a property says. @throws AppError `forbidden` to viewers who ask for persons, `invalid`, `timeout` */
  values(project: AskedProject, role: Role, input: ValuesInput): Promise<FilterValues>;
  /** @throws AppError `invalid` for a pattern that is none */
  tryFilters(filters: Filters): Promise<void>;
  /** A set of persons as the columns engine takes it; null: everybody. @throws AppError `invalid` */
  people(project: SeenProject, asked: PeopleAsked | undefined): Promise<People | null>;
  /** The edges of a range in the project's zone. @throws AppError `invalid` */
  range(project: AskedProject, range: RangeInput): Promise<ResolvedRange>;
}

interface Which {
  filters?: Filters | undefined;
  people?: PeopleAsked | undefined;
  include?: readonly Traffic[] | undefined;
}

export interface InsightsParts {
  columns: Pick<
    Columns,
    | 'propertyRows'
    | 'propertyValues'
    | 'series'
    | 'tables'
    | 'conversions'
    | 'cells'
    | 'values'
    | 'visitsWithout'
    | 'firstEvent'
  > &
    FollowColumns;
  changes: Changes;
}

export function createInsights(deps: Pick<Deps, 'clock' | 'db'>, { columns, changes }: InsightsParts): Insights {
  const { clock, db } = deps;
  const answers = createAnswers(clock, changes);
  const goals = createGoals(deps);
  const keyOf = (kind: string, { id, timeZone, weekStart, settings }: AskedProject, question: object): string =>
    JSON.stringify([kind, id, timeZone, weekStart, settings.bounceSeconds, question]);
  const goalOf = (project: SeenProject) => (id: number) => goals.use(project, id);
  /** @throws AppError `not_found`: numbers without it would look like those that were asked for */
  async function namedGoal(project: SeenProject, id: number | undefined): Promise<Goal | null> {
    if (id === undefined) return null;
    const goal = await goals.get(project, id);
    if (goal === null) throw notFound('goal');
    return goal;
  }

  async function context({ id, timeZone, weekStart }: AskedProject) {
    const firstEvent = await columns.firstEvent(id);
    return { zone: zoneOf(timeZone), weekStart, now: clock.now(), firstEvent };
  }

  /** Answers a question about certain events, once for all who ask the same. @param ask gets the persons as they are now */
  async function answer<Question extends object, Answer>(
    kind: string,
    project: SeenProject,
    { filters, people, include = [] }: Which,
    question: Question,
    ask: (question: Question & Whose) => Promise<Answer>,
    isKept = true,
  ): Promise<Answer> {
    const taken = traffic.filter((each) => include.includes(each));
    const which = { ...(filters && { filters }), ...(taken.length > 0 && { include: taken }) };
    const { rulesOf, key } = await rulesOfPeople(people, goalOf(project));
    const compute = async () => {
      const whose = people && { people: peopleOf(people, rulesOf, await context(project)) };
      return ask({ ...question, ...which, ...whose });
    };
    if (!isKept) return compute();
    return answers.answer(project.id, keyOf(kind, project, { ...question, ...which, people, key }), compute);
  }

  async function overview(
    project: SeenProject,
    { range, compare, interval, firstDay, goal: asked, per, ...which }: Omit<OverviewInput, 'project'>,
  ): Promise<Overview> {
    const goal = await namedGoal(project, asked);
    const ofGoal = goal && { goal, ...(per && { per }) };
    const question = { range, compare, ...(interval && { interval }), ...(firstDay && { firstDay }), ...ofGoal };
    return answer('overview', project, which, question, (ready) => askOverview(columns, project, ready, clock.now()));
  }

  return {
    annotations: createAnnotations(deps),
    goals,
    segments: createSegments(deps, goals),
    follow: createFollow({ clock, columns, goals, answers }),
    overview,
    async breakdown(project, { range, compare, dimension, limit, more, goal: asked, order, ...which }) {
      const goal = await namedGoal(project, asked);
      const further = { ...(more && { more }), ...(goal && { goal }), ...(order && { order }) };
      const question = { range, compare, dimension, limit, ...further };
      const ask = (ready: typeof question & Whose) => askBreakdown(columns, project, ready, clock.now());
      // Whole tables are for files: too large to be kept.
      return answer('breakdown', project, which, question, ask, limit <= MOST_ROWS);
    },
    hours(project, { range, ...which }) {
      return answer('hours', project, which, { range }, (ready) => askHours(columns, project, ready, clock.now()));
    },
    vitals(project, { range, vital, percentile, limit, order, ...which }) {
      const question = { range, vital, percentile, limit, ...(order && { order }) };
      const ask = (ready: typeof question & Whose) => askVitals(columns, project, ready, clock.now());
      return answer('vitals', project, which, question, ask, limit <= MOST_ROWS);
    },
    async explain(project, { range, compare, of, goal: asked, currency, per, vital, percentile, more, ...which }) {
      const goal = await namedGoal(project, asked);
      const question = {
        ...{ range, of, ...(compare && { compare }), ...(goal && { goal }), ...(more && { more }) },
        ...((of === 'goal' || of === 'bounceRate') && { goals: await goals.list(project) }),
        ...(currency !== undefined && { currency }),
        ...(per && { per }),
        ...(vital && { vital, percentile }),
      };
      return answer('explain', project, which, question, (ready) =>
        askExplanation(columns, project, ready, clock.now()),
      );
    },
    explainNow: ({ id }) => explainNow(db, id, clock.now()),
    async explainHome(projects) {
      const weeks: WeekOf[] = [];
      // One after the other: whoever looks at many projects leaves room for others.
      for (const project of projects)
        weeks.push({ project, week: await overview({ ...project, seesPersons: false }, weekInput) });
      return explainHome(weeks, clock.now());
    },
    async goalFigures(project, { range, compare, per, ...which }) {
      const all = await goals.list(project);
      return answer('goals', project, which, { range, compare, ...(per && { per }), all }, ({ all: _, ...ready }) =>
        askGoalFigures(columns, project, all, ready, clock.now()),
      );
    },
    async goalsReached(project) {
      const all = await goals.list(project);
      return answers.answer(project.id, keyOf('reached', project, { all }), () =>
        askLastReached(columns, project, all, clock.now()),
      );
    },
    async goalPreview(project, draft) {
      await goals.check(draft);
      return answers.answer(project.id, keyOf('goal', project, draft), () =>
        askGoalPreview(columns, project, draft, clock.now()),
      );
    },
    async explainPreview(project, draft) {
      const { revenue } = await this.goalPreview(project, draft);
      return answers.answer(project.id, keyOf('draft', project, draft), () =>
        explainDraft(columns, project, { draft, currencies: revenue.map(({ currency }) => currency) }, clock.now()),
      );
    },
    properties(project, role) {
      return answers.answer(project.id, keyOf('properties', project, { role }), () =>
        askProperties({ db: deps.db, columns }, project, role, clock.now()),
      );
    },
    values(project, role, { range, about, name, search }) {
      const question = { range, about, name, search };
      return answers.answer(project.id, keyOf('values', project, { role, question }), () =>
        askValues({ db: deps.db, columns }, project, role, question, clock.now()),
      );
    },
    tryFilters: (filters) => tryFilters(deps.db, filters),
    async people(project, asked) {
      if (asked === undefined) return null;
      const { rulesOf } = await rulesOfPeople(asked, goalOf(project));
      return peopleOf(asked, rulesOf, await context(project));
    },
    range: async (project, range) => resolveRange(range, await context(project)).range,
  };
}
