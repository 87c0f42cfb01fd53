/** Questions that follow people over time, each computed once for all who ask the same at the same time. */
import type { Columns } from '#src/columns/columns.ts';
import type { Clock } from '#src/kit/clock.ts';
import type { Goals } from '../goals/goals.ts';
import { askFunnel } from '../kinds/funnel/run.ts';
import { askPaths } from '../kinds/paths/run.ts';
import { askRetention } from '../kinds/retention/run.ts';
import { askTrends } from '../kinds/trends/run.ts';
import type { Answers } from '../query/cache.ts';
import {
  eventsIn,
  type FunnelAnswer,
  type FunnelInput,
  type PathsAnswer,
  type PathsInput,
  type RetentionAnswer,
  type RetentionInput,
  type Telling,
  type Trends,
  type TrendsInput,
} from '../query/follow/contract.ts';
import { findRules, type RulesOf } from '../query/people/rules.ts';
import type { AskedProject, SeenProject } from '../query/scope.ts';

/** @throws AppError `invalid`, `not_found` for a goal that is not there, `forbidden` for one that tells of persons, `timeout` */
type Ask<Input, Answer> = (project: SeenProject, input: Input) => Promise<Answer>;

export interface Follow {
  /** How often, by how many, by interval. */
  trends: Ask<TrendsInput, Trends>;
  /** How many came how far. */
  funnel: Ask<FunnelInput, FunnelAnswer>;
  /** How many came back. */
  retention: Ask<RetentionInput, RetentionAnswer>;
  /** What led to what. */
  paths: Ask<PathsInput, PathsAnswer>;
}

export type FollowColumns = Pick<Columns, 'firstEvent' | 'trends' | 'funnel' | 'retention' | 'paths'>;

export interface FollowParts {
  clock: Pick<Clock, 'now'>;
  columns: FollowColumns;
  goals: Pick<Goals, 'use'>;
  answers: Answers;
}

export function createFollow({ clock, columns, goals, answers }: FollowParts): Follow {
  function asking<Input extends Telling, Answer>(
    kind: string,
    ask: (
      columns: FollowColumns,
      project: AskedProject,
      input: Input,
      rulesOf: RulesOf,
      now: number,
    ) => Promise<Answer>,
  ): Ask<Input, Answer> {
    return async (project, input) => {
      const { id, timeZone, weekStart } = project;
      const asked = eventsIn(input);
      const rulesOf = await findRules(asked, (goal) => goals.use(project, goal));
      // A goal may have become another one.
      const key = JSON.stringify([kind, id, timeZone, weekStart, input, asked.map(rulesOf)]);
      return answers.answer(id, key, () => ask(columns, project, input, rulesOf, clock.now()));
    };
  }
  return {
    trends: asking('trends', askTrends),
    funnel: asking('funnel', askFunnel),
    retention: asking('retention', askRetention),
    paths: asking('paths', askPaths),
  };
}
