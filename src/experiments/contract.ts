/** Experiments: what they measure and found. Read by the browser, so zod/mini only. */
import * as z from 'zod/mini';
import { lineOf } from '#src/kit/line.ts';
import { rowId } from '#src/kit/row.ts';
import {
  MAX_GUARDRAILS,
  MAX_NAME,
  MAX_PLANNED_LIFT,
  MAX_STEPS,
  MAX_TEXT,
  MAX_WINDOW_DAYS,
  type MetricKind,
  MIN_PLANNED_LIFT,
  PLANNED_LIFT,
  type SegmentName,
  segmentNames,
} from './values.ts';

const project = z.string().check(z.minLength(1), z.maxLength(64));
const text = z.string().check(
  z.trim(),
  z.maxLength(MAX_TEXT),
  z.refine((value) => !value.includes('\0') && value.isWellFormed(), 'Invalid text.'),
);

/** What people do: a goal of the project, or an event. */
const measured = z.union([z.strictObject({ goal: rowId }), z.strictObject({ event: lineOf(400) })]);
export type Measured = z.infer<typeof measured>;

/** What it is worth: the amount of a goal, or a number among the properties of an event. */
const amount = z.union([
  z.strictObject({ goal: rowId }),
  z.strictObject({ event: lineOf(400), property: lineOf(400) }),
]);
export type MeasuredAmount = z.infer<typeof amount>;

const total = z.union([z.strictObject({ count: measured }), z.strictObject({ sum: amount })]);
export type MeasuredTotal = z.infer<typeof total>;

/** Counted within `windowDays` after the first call of the flag. */
export const metric = z.discriminatedUnion('kind', [
  /** People who do it. */
  z.strictObject({ kind: z.literal('conversion'), of: measured }),
  /** People who do all steps, in this order. */
  z.strictObject({
    kind: z.literal('funnel'),
    steps: z.array(measured).check(z.minLength(2), z.maxLength(MAX_STEPS)),
  }),
  /** How often each person does it. */
  z.strictObject({ kind: z.literal('count'), of: measured }),
  /** How much each person pays. */
  z.strictObject({ kind: z.literal('revenue'), of: amount }),
  /** The total of one thing divided by that of another, such as revenue per order. */
  z.strictObject({ kind: z.literal('ratio'), of: total, per: total }),
]);
export type Metric = z.infer<typeof metric>;

export const experimentDefinition = z.strictObject({
  goal: metric,
  windowDays: z.int().check(z.minimum(1), z.maximum(MAX_WINDOW_DAYS)),
  /** The smallest lift that is worth finding: how long it takes depends on it. */
  plannedLift: z._default(z.number().check(z.minimum(MIN_PLANNED_LIFT), z.maximum(MAX_PLANNED_LIFT)), PLANNED_LIFT),
  /** What must not get worse. `better`: whether more or less is good. */
  guardrails: z._default(
    z.array(z.strictObject({ metric, better: z.enum(['more', 'fewer']) })).check(z.maxLength(MAX_GUARDRAILS)),
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
export const experimentResultRef = z.object({
  ...experimentRef.shape,
  /** Divides people by a property of their first exposure. */
  breakdown: z.optional(z.enum(segmentNames as [SegmentName, ...SegmentName[]])),
});
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

export interface VariantResult {
  key: string;
  people: number;
  /** People who converted; of other kinds, with a total that is not 0. */
  active: number;
  /** Sum over all people; of conversions the people who converted. */
  total: number;
  /** The share of people who converted, the mean of people, or the ratio; null without people, or with a divisor of 0. */
  value: number | null;
  /** Relative to the control; null for the control, and where the control has nothing. */
  lift: Lift | null;
  /** Chance of a higher value than the control's; null for the control, and without people. */
  better: number | null;
  isSignificant: boolean;
}

export interface Lift {
  value: number;
  /** Holds at every look. */
  from: number;
  to: number;
  /** Holds at one look only: narrower, and no reason to stop. */
  once: { from: number; to: number };
}

export interface MetricResult {
  kind: MetricKind;
  /** Names of the goals and events that are measured, as the definition lists them; null: a goal that was deleted. */
  names: (string | null)[];
  /** Of the amounts; '' when events name none. Null: there are no amounts. */
  currency: string | null;
  /** Events with an amount in another currency. They are not counted. */
  otherCurrencies: number;
  /** Share of the variance that was removed by values from before the exposure; null: not for this kind, or there are none. */
  reduction: number | null;
  /** By variant, in the order of the flag; the first is the control. */
  variants: VariantResult[];
}

export interface ExperimentResult {
  /** Up to when it was counted, ms. */
  until: number;
  /** Days since the start, begun ones count. */
  days: number;
  goal: MetricResult;
  guardrails: (MetricResult & { better: 'more' | 'fewer' })[];
  /** The goal by the values of most people, if they were divided. The error is shared among them. */
  segments: { value: string; variants: VariantResult[] }[];
  /** People who saw several variants. They are not counted. */
  several: number;
  /**
   * Shares that the flag gives, in percent, and how likely the people are by chance; null: not computable, as after the shares changed.
   * `changedAt`: when they did while the experiment ran, ms.
   */
  sampleRatio: { shares: number[]; p: number | null; changedAt: number | null };
  /**
   * People needed of each variant for the planned lift. `at`: when they, enough conversions and the minimum run are there at this pace;
   * null: unknown, or ended.
   */
  needed: { people: number; at: number | null } | null;
  /** `broken`: the sample ratio; `early`: too soon to decide; `better`, `worse`: of the variant named; `open`: no difference is certain. */
  verdict: { state: 'broken' | 'early' | 'better' | 'worse' | 'open'; variant: string | null };
}
