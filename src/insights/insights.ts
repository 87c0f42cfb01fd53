/**
 * The door of this room: questions about what happened, each computed once for all who ask at the same time, and kept
 * for a moment while no event of the project arrives. Owns no table.
 */
import type { Columns } from '#src/columns/columns.ts';
import type { Deps } from '#src/store/deps.ts';
import { createAnswers } from './answers.ts';
import type { AskedProject } from './asked.ts';
import { askBreakdown } from './breakdown.ts';
import type { Breakdown, BreakdownInput, Overview, OverviewInput, RangeInput, ResolvedRange } from './contract.ts';
import { askOverview } from './overview.ts';
import { resolveRange } from './ranges.ts';
import { zoneOf } from './zone.ts';

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
  /** The edges of a range in the project's zone. @throws AppError `invalid` */
  range(project: AskedProject, range: RangeInput): Promise<ResolvedRange>;
}

export interface InsightsParts {
  columns: Pick<Columns, 'series' | 'tables' | 'firstEvent'>;
  changes: Changes;
}

export function createInsights({ clock }: Pick<Deps, 'clock'>, { columns, changes }: InsightsParts): Insights {
  const answers = createAnswers(clock, changes);
  const keyOf = (kind: string, { id, timeZone, weekStart }: AskedProject, question: object): string =>
    JSON.stringify([kind, id, timeZone, weekStart, question]);
  return {
    overview(project, { range, compare, interval, filters }) {
      const question = { range, compare, ...(interval && { interval }), ...(filters && { filters }) };
      return answers.answer(project.id, keyOf('overview', project, question), () =>
        askOverview(columns, project, question, clock.now()),
      );
    },
    breakdown(project, { range, compare, dimension, limit, filters, more }) {
      const question = { range, compare, dimension, limit, ...(filters && { filters }), ...(more && { more }) };
      return answers.answer(project.id, keyOf('breakdown', project, question), () =>
        askBreakdown(columns, project, question, clock.now()),
      );
    },
    async range({ id, timeZone, weekStart }, range) {
      const firstEvent = await columns.firstEvent(id);
      return resolveRange(range, { zone: zoneOf(timeZone), weekStart, now: clock.now(), firstEvent }).range;
    },
  };
}
