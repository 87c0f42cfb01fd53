/** Questions that follow people over time, each computed once for all who ask the same at the same time. */
import type { Columns } from '#src/columns/columns.ts';
import type { Clock } from '#src/kit/clock.ts';
import type { Answers } from '../answers.ts';
import type { AskedProject } from '../asked.ts';
import type { Goals } from '../goals/goals.ts';
import type { EventsAsked, Trends, TrendsInput } from './contract.ts';
import { findRules } from './rules.ts';
import { askTrends } from './trends.ts';

export interface Follow {
  /** How often, by how many, by interval. @throws AppError `invalid`, `not_found` for a goal that is not there, `timeout` */
  trends(project: AskedProject, input: TrendsInput): Promise<Trends>;
}

export type FollowColumns = Pick<Columns, 'firstEvent' | 'trends'>;

export interface FollowParts {
  clock: Clock;
  columns: FollowColumns;
  goals: Pick<Goals, 'get'>;
  answers: Answers;
}

export function createFollow({ clock, columns, goals, answers }: FollowParts): Follow {
  const rulesOf = (project: AskedProject, asked: readonly EventsAsked[]) =>
    findRules(asked, (id) => goals.get(project.id, id));
  const keyOf = (kind: string, { id, timeZone, weekStart }: AskedProject, asked: unknown): string =>
    JSON.stringify([kind, id, timeZone, weekStart, asked]);
  return {
    async trends(project, input) {
      const asked = input.series.map(({ of }) => of);
      const rules = await rulesOf(project, asked);
      return answers.answer(project.id, keyOf('trends', project, [input, asked.map(rules)]), () =>
        askTrends(columns, project, input, rules, clock.now()),
      );
    },
  };
}
