/** Schemas of experiments and early access features in the public API. */
import * as z from 'zod';
import type { Experiment, ExperimentDefinition, ExperimentResult } from '#src/experiments/contract.ts';
import {
  MAX_GUARDRAILS,
  MAX_NAME,
  MAX_PLANNED_LIFT,
  MAX_STEPS,
  MAX_TEXT,
  MAX_WINDOW_DAYS,
  MIN_PLANNED_LIFT,
  metricKinds,
  PLANNED_LIFT,
  type SegmentName,
  segmentNames,
} from '#src/experiments/values.ts';
import type { EarlyAccessRow } from '#src/flags/contract.ts';
import { earlyAccessStages } from '#src/flags/values.ts';
import { rowId } from '#src/insights/query/parameters.ts';
import { ms, number } from '#src/insights/query/results.ts';
import { projectPath } from './schemas.ts';

export const experimentPath = projectPath.extend({ experiment: rowId });

const eventName = z.string().trim().min(1).max(400);
const Measured = z
  .union([z.strictObject({ goal: rowId }), z.strictObject({ event: eventName })])
  .meta({ id: 'Measured', description: 'A goal of the project, by its ID, or an event.' });
const Amount = z
  .union([z.strictObject({ goal: rowId }), z.strictObject({ event: eventName, property: eventName })])
  .meta({ id: 'MeasuredAmount', description: 'The revenue of a goal, or a number among the properties of an event.' });
const Total = z
  .union([z.strictObject({ count: Measured }), z.strictObject({ sum: Amount })])
  .meta({ id: 'MeasuredTotal', description: 'How often something happens, or the sum of its amounts.' });

const Metric = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('conversion'), of: Measured }),
    z.strictObject({ kind: z.literal('funnel'), steps: z.array(Measured).min(2).max(MAX_STEPS) }),
    z.strictObject({ kind: z.literal('count'), of: Measured }),
    z.strictObject({ kind: z.literal('revenue'), of: Amount }),
    z.strictObject({ kind: z.literal('ratio'), of: Total, per: Total }),
  ])
  .meta({
    id: 'ExperimentMetric',
    description:
      '`conversion`: people who do it; `funnel`: people who do all steps in order; `count` and `revenue`: the mean of people; `ratio`: one total divided by another.',
  });

const Definition = z
  .strictObject({
    goal: Metric,
    windowDays: z
      .int()
      .min(1)
      .max(MAX_WINDOW_DAYS)
      .meta({ description: 'Counted within so many days after the first call.' }),
    plannedLift: z
      .number()
      .min(MIN_PLANNED_LIFT)
      .max(MAX_PLANNED_LIFT)
      .default(PLANNED_LIFT)
      .meta({ description: 'The smallest lift worth finding: 0.1 is 10%.' }),
    guardrails: z
      .array(z.strictObject({ metric: Metric, better: z.enum(['more', 'fewer']) }))
      .max(MAX_GUARDRAILS)
      .default([])
      .meta({ description: 'What must not get worse.' }),
  })
  .meta({ id: 'ExperimentDefinition' });
Definition satisfies z.ZodType<ExperimentDefinition>;

const name = z.string().trim().min(1).max(MAX_NAME);
const text = z.string().trim().max(MAX_TEXT);

export const NewExperiment = z
  .strictObject({
    flag: rowId.meta({ description: 'ID of a flag with two variants or more. The first is the control.' }),
    name,
    hypothesis: text.default(''),
    definition: Definition,
  })
  .meta({
    id: 'NewExperiment',
    examples: [
      {
        flag: 1,
        name: 'Shorter checkout',
        hypothesis: 'Fewer fields, more orders.',
        definition: { goal: { kind: 'conversion', of: { event: 'purchase' } }, windowDays: 7 },
      },
    ],
  });

export const ExperimentPatch = z
  .strictObject({ name: name.optional(), hypothesis: text.optional(), definition: Definition.optional() })
  .meta({ id: 'ExperimentPatch', examples: [{ hypothesis: 'Fewer fields, more orders.' }] });

export const ExperimentEnd = z
  .strictObject({
    ship: z.string().max(100).nullable().meta({
      description: 'The variant for everyone who gets the flag. Null: the flag stays as it is.',
    }),
    decision: text.default(''),
  })
  .meta({ id: 'ExperimentEnd', examples: [{ ship: null, decision: 'No difference found.' }] });

export const ExperimentAnswer = z
  .object({
    id: z.int(),
    flag: z.object({ id: z.int(), key: z.string() }).nullable().meta({ description: 'Null: the flag was deleted.' }),
    name: z.string(),
    hypothesis: z.string(),
    definition: Definition,
    startedAt: ms,
    endedAt: ms.nullable(),
    shipped: z.string().nullable().meta({ description: 'The variant that was shipped.' }),
    decision: z.string(),
    createdBy: z.string().nullable(),
  })
  .meta({ id: 'Experiment' });
ExperimentAnswer satisfies z.ZodType<Experiment>;

export const ExperimentList = z.object({ experiments: z.array(ExperimentAnswer) }).meta({ id: 'Experiments' });

export const resultQuery = z.object({
  breakdown: z
    .enum(segmentNames as [SegmentName, ...SegmentName[]])
    .optional()
    .meta({ description: 'Divides people by a property of their first call.' }),
});

const interval = { from: z.number(), to: z.number() };
const Variant = z
  .object({
    key: z.string(),
    people: z.int(),
    active: z.int().meta({ description: 'People who converted, or whose own total is not 0.' }),
    total: z.number(),
    value: number.meta({ description: 'Share of people, mean of people, or ratio.' }),
    lift: z
      .object({
        value: z.number(),
        ...interval,
        once: z.object(interval).meta({ description: '95% interval of a single look: no reason to stop.' }),
      })
      .nullable()
      .meta({
        description: 'Relative to the control, with a 95% interval that holds at every look. Null for the control.',
      }),
    better: number.meta({ description: 'Chance of a higher value than the control’s.' }),
    isSignificant: z.boolean(),
  })
  .meta({ id: 'ExperimentVariant' });
const metricFields = {
  kind: z.enum(metricKinds),
  names: z
    .array(z.string().nullable())
    .meta({ description: 'Goals and events, as the definition lists them. Null: deleted.' }),
  currency: z.string().nullable(),
  otherCurrencies: z.int().meta({ description: 'Events with an amount in another currency. They are not counted.' }),
  reduction: number.meta({
    description: 'Share of the variance that values from before the first call removed (CUPED).',
  }),
  variants: z.array(Variant),
};

export const ResultAnswer = z
  .object({
    until: ms,
    days: z.int(),
    goal: z.object(metricFields),
    guardrails: z.array(z.object({ ...metricFields, better: z.enum(['more', 'fewer']) })),
    segments: z.array(z.object({ value: z.string(), variants: z.array(Variant) })),
    several: z.int().meta({ description: 'People who saw several variants. They are not counted.' }),
    sampleRatio: z.object({
      shares: z.array(z.number()),
      p: number.meta({
        description: 'How likely the people of the variants are by chance. Below 0.001 something is wrong.',
      }),
      changedAt: ms
        .nullable()
        .meta({ description: 'When the shares changed while the experiment ran. `p` is null then.' }),
    }),
    needed: z.object({ people: z.int(), at: ms.nullable() }).nullable().meta({
      description:
        'People of each variant for the planned lift, and when they, 100 conversions and 7 days are there at this pace.',
    }),
    verdict: z.object({
      state: z.enum(['broken', 'early', 'better', 'worse', 'open']),
      variant: z.string().nullable(),
    }),
  })
  .meta({ id: 'ExperimentResult' });
ResultAnswer satisfies z.ZodType<ExperimentResult>;

export const earlyAccessPath = projectPath.extend({ flag: rowId });

const url = z
  .url({ protocol: /^https?$/ })
  .max(500)
  .nullable();
const featureFields = {
  name: z.string().trim().min(1).max(120),
  description: z.string().trim().max(400),
  stage: z.enum(earlyAccessStages).meta({
    description: 'In `concept` people ask for it; in `alpha` and `beta` they turn it on.',
  }),
  documentationUrl: url,
};

export const NewFeature = z
  .strictObject({
    flag: rowId.meta({ description: 'ID of a flag whose unit are people.' }),
    ...featureFields,
    description: featureFields.description.default(''),
    documentationUrl: url.default(null),
  })
  .meta({ id: 'NewEarlyAccessFeature', examples: [{ flag: 1, name: 'New checkout', stage: 'beta' }] });

export const FeaturePatch = z
  .strictObject(featureFields)
  .partial()
  .meta({ id: 'EarlyAccessFeaturePatch', examples: [{ stage: 'general-availability' }] });

export const FeatureAnswer = z
  .object({
    flag: z.int(),
    flagKey: z.string(),
    active: z.boolean().meta({ description: 'False while the flag is off: clients do not list the feature.' }),
    ...featureFields,
    optedIn: z.int().meta({ description: 'People who turned it on; in `concept`, who asked for it.' }),
    optedOut: z.int(),
  })
  .meta({ id: 'EarlyAccessFeature' });
FeatureAnswer satisfies z.ZodType<EarlyAccessRow>;

export const FeatureList = z.object({ features: z.array(FeatureAnswer) }).meta({ id: 'EarlyAccessFeatures' });
