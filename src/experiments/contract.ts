/** Experiments: what they measure and found. Read by the browser, so zod/mini only. */
import * as z from 'zod/mini';
import { lineOf } from '#src/kit/line.ts';
import { rowId } from '#src/kit/row.ts';
import { MAX_GUARDRAILS, MAX_NAME, MAX_TEXT, MAX_WINDOW_DAYS } from './values.ts';

const project = z.string().check(z.minLength(1), z.maxLength(64));
const text = z.string().check(
  z.trim(),
  z.maxLength(MAX_TEXT),
  z.refine((value) => !value.includes('\0') && value.isWellFormed(), 'Invalid text.'),
);

/** What people do: a goal of the project, or an event. */
const measured = z.union([z.strictObject({ goal: rowId }), z.strictObject({ event: lineOf(400) })]);
export type Measured = z.infer<typeof measured>;

export const experimentDefinition = z.strictObject({
  /** Counted within so many days after the first call of the flag. */
  goal: measured,
  windowDays: z.int().check(z.minimum(1), z.maximum(MAX_WINDOW_DAYS)),
  /** What must not get worse. `better`: whether more or fewer people are good. */
  guardrails: z._default(
    z.array(z.strictObject({ of: measured, better: z.enum(['more', 'fewer']) })).check(z.maxLength(MAX_GUARDRAILS)),
    [],
  ),
});
export type ExperimentDefinition = z.infer<typeof experimentDefinition>;

export const experimentInput = z.object({
  project,
  flag: rowId,
  name: lineOf(MAX_NAME),
  hypothesis: z._default(text, ''),
  definition: experimentDefinition,
});
export type ExperimentInput = Omit<z.infer<typeof experimentInput>, 'project'>;
export const experimentRef = z.object({ project, experiment: rowId });
export const experimentChange = z.object({
  project,
  experiment: rowId,
  name: lineOf(MAX_NAME),
  hypothesis: z._default(text, ''),
  definition: experimentDefinition,
});
export type ExperimentChange = Omit<z.infer<typeof experimentChange>, 'project' | 'experiment'>;
export const experimentEnd = z.object({
  project,
  experiment: rowId,
  /** The variant for everybody who gets the flag; null: the flag stays as it is. */
  ship: z.nullable(lineOf(100)),
  decision: z._default(text, ''),
});
export type ExperimentEnd = Omit<z.infer<typeof experimentEnd>, 'project' | 'experiment'>;

export interface Experiment {
  id: number;
  /** Null: the flag was deleted. */
  flag: { id: number; key: string } | null;
  name: string;
  hypothesis: string;
  definition: ExperimentDefinition;
  startedAt: number;
  endedAt: number | null;
  /** The variant that was shipped. */
  shipped: string | null;
  decision: string;
  createdBy: string | null;
}

export interface MetricResult {
  /** Name of the goal or event; null: a goal that was deleted. */
  name: string | null;
  /** By variant, in the order of the flag; the first is the control. */
  variants: {
    key: string;
    people: number;
    conversions: number;
    rate: number | null;
    /** Relative to the control; null for the control, and without conversions of it. */
    lift: { value: number; from: number; to: number } | null;
    /** Chance of a higher rate than the control's; null for the control, and without people. */
    better: number | null;
    isSignificant: boolean;
  }[];
}

export interface ExperimentResult {
  /** Up to when it was counted, ms. */
  until: number;
  /** Days since the start, begun ones count. */
  days: number;
  goal: MetricResult;
  guardrails: (MetricResult & { better: 'more' | 'fewer' })[];
  /** People who saw several variants. They are not counted. */
  several: number;
  /** Shares that the flag gives, in percent, and how likely the people are by chance; null: not computable. */
  sampleRatio: { shares: number[]; p: number | null };
  /** People needed of each variant for a lift of `PLANNED_LIFT`, and when they are there at the present pace; null: unknown. */
  needed: { people: number; at: number | null } | null;
  /** `broken`: the sample ratio; `early`: too soon to decide; `better`, `worse`: of the variant named; `open`: no difference is certain. */
  verdict: { state: 'broken' | 'early' | 'better' | 'worse' | 'open'; variant: string | null };
}
