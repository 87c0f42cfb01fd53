/** Insights as drawings: what draws them is made above the rooms, from the words and the charts of the screens. */
import type { ProjectId } from '#src/projects/contract.ts';

export const drawingLanguages = ['en', 'pt-BR'] as const;
export const drawingThemes = ['light', 'dark'] as const;

/** Kinds with a drawing: those that can be saved. */
export const drawnKinds = ['trends', 'funnel', 'retention', 'paths', 'lifecycle', 'stickiness'] as const;

export interface DrawnAnswer {
  project: { id: ProjectId; seesPersons: boolean; timeZone: string; weekStart: 0 | 1 };
  /** Name of one of `drawnKinds`; others have no drawing. */
  kind: string;
  /** The query, as its kind reads it. */
  input: unknown;
  /** How it is drawn; what is not known is left out. */
  display: unknown;
  result: unknown;
  /** Its title; absent: the kind. */
  name?: string | undefined;
}

export interface DrawingLook {
  language: (typeof drawingLanguages)[number];
  theme: (typeof drawingThemes)[number];
}

/** Draws a result as an SVG document. Null: the kind has no drawing. */
export type DrawAnswer = (drawn: DrawnAnswer, look: DrawingLook) => Promise<string | null>;
