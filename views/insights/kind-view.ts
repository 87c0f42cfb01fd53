/** View of a kind in the editor. */
import type { ComponentType } from 'react';
import type { ProjectSummary } from '#src/projects/contract.ts';
import type { Today } from '#views/question/dates.ts';
import type { Insight, InsightOf, KindName, Own } from './insight.ts';
import type { GoalName } from './names.ts';
import type { Point } from './points.ts';

/** The query as cards. */
export interface CardsProps<Kind extends KindName> {
  project: string;
  goals: readonly GoalName[];
  insight: InsightOf<Kind>;
  onChange(own: Own<Kind>): void;
}

/** The answer as chart and table. */
export interface AnswerProps<Kind extends KindName> {
  /** The project as the address names it. */
  reference: string;
  project: ProjectSummary;
  now: Today;
  goals: readonly GoalName[];
  insight: InsightOf<Kind>;
  /** The address of the editor with another insight. */
  hrefOf(insight: Insight): string;
  /** Shows another insight in the place of this one. */
  onChange(insight: Insight): void;
  /** A number was pressed; absent: nobody can be shown behind it. */
  onPoint?: ((point: Point) => void) | undefined;
}

export interface KindView<Kind extends KindName> {
  Cards: ComponentType<CardsProps<Kind>>;
  Answer: ComponentType<AnswerProps<Kind>>;
}
