/** Figures of all goals of a project. Read by the browser, so zod/mini only. */
import * as z from 'zod/mini';
import type { GoalFigure, GoalKind } from '../../goals/contract.ts';
import {
  comparison,
  eventScope,
  type GoalPer,
  goalPer,
  type MetricValue,
  type ResolvedRange,
  rangeInput,
} from '../../query/contract.ts';

export const goalFiguresInput = z.object({
  range: rangeInput,
  compare: comparison,
  ...eventScope,
  per: goalPer,
});
export type GoalFiguresInput = z.infer<typeof goalFiguresInput>;

export interface GoalFigures {
  range: ResolvedRange;
  comparison: ResolvedRange | null;
  per: GoalPer;
  /** Persons with a view, under the same filters. */
  visitors: MetricValue;
  /** Visits under the same filters; null when rates are of visitors. */
  visits: MetricValue | null;
  /** In the order of the list. */
  goals: ({ id: number; name: string; kind: GoalKind } & GoalFigure)[];
}
