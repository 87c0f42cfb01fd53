/**
 * The door of this room: questions about what happened, each computed once for all who ask at the same time, and kept
 * for a moment while no event of the project arrives. Owns no table.
 */
import type { Deps } from '#src/store/deps.ts';
import { createAnswers } from './answers.ts';
import { askBreakdown } from './breakdown.ts';
import type { Breakdown, BreakdownInput, Overview, OverviewInput } from './contract.ts';
import { type AskedProject, askOverview } from './overview.ts';

/** Tells when a project's events changed. */
export interface Changes {
  /** Differs after every commit of the project's events; null while that cannot be known. */
  version(projectId: number): number | null;
}

export interface Insights {
  /** Numbers of a range with comparison and course. @throws AppError `invalid`, `timeout` */
  overview(project: AskedProject, input: OverviewInput): Promise<Overview>;
  /** A table by one dimension. @throws AppError `invalid`, `timeout` */
  breakdown(project: AskedProject, input: BreakdownInput): Promise<Breakdown>;
}

export function createInsights({ db, clock }: Pick<Deps, 'db' | 'clock'>, changes: Changes): Insights {
  const answers = createAnswers(clock, changes);
  const keyOf = (kind: string, { id, timeZone, weekStart }: AskedProject, question: object): string =>
    JSON.stringify([kind, id, timeZone, weekStart, question]);
  return {
    overview(project, { range, compare, interval }) {
      const question = interval === undefined ? { range, compare } : { range, compare, interval };
      return answers.answer(project.id, keyOf('overview', project, question), () =>
        askOverview(db, project, question, clock.now()),
      );
    },
    breakdown(project, { range, compare, dimension, limit }) {
      const question = { range, compare, dimension, limit };
      return answers.answer(project.id, keyOf('breakdown', project, question), () =>
        askBreakdown(db, project, question, clock.now()),
      );
    },
  };
}
