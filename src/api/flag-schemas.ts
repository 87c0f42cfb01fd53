/** Schemas of feature flags in the public API. */
import * as z from 'zod';
import type { Flag, FlagDefinition } from '#src/flags/contract.ts';
import {
  earlyAccessStages,
  type FlagOperator,
  flagKeyPattern,
  flagOperators,
  MAX_CONDITIONS,
  MAX_GROUP_TYPES,
  MAX_PAYLOAD,
  MAX_PROPERTIES,
  MAX_TEXT,
  MAX_VALUES,
  MAX_VARIANTS,
  propertyTypes,
} from '#src/flags/values.ts';
import { rowId } from '#src/insights/query/parameters.ts';
import { ms } from '#src/insights/query/results.ts';
import { projectPath } from './schemas.ts';

export const flagPath = projectPath.extend({ flag: rowId });

const text = z.string().max(MAX_TEXT);
const key = z.string().regex(flagKeyPattern);
const share = z.number().min(0).max(100).meta({ description: 'Percent.' });
const groupType = z
  .int()
  .min(0)
  .max(MAX_GROUP_TYPES - 1)
  .nullish()
  .meta({ description: 'Number of a group type: 0 for `$group_0`. Groups are the unit then.' });
const single = z.union([text, z.number(), z.boolean()]);

const Condition = z
  .strictObject({
    properties: z
      .array(
        z.strictObject({
          key: text.min(1).meta({
            description: 'Name of the property, key of another flag, or `id` with the ID of a cohort as `value`.',
          }),
          type: z.enum(propertyTypes).default('person'),
          operator: z.enum(flagOperators as [FlagOperator, ...FlagOperator[]]).default('exact'),
          value: z.union([single, z.array(single).min(1).max(MAX_VALUES)]).optional(),
        }),
      )
      .max(MAX_PROPERTIES)
      .default([])
      .meta({ description: 'All of them must match.' }),
    rollout_percentage: share.nullable().default(null).meta({ description: 'Percent. Null: all.' }),
    variant: key.nullish().meta({ description: 'Gives this variant instead of the one by share.' }),
    aggregation_group_type_index: groupType,
  })
  .meta({ id: 'FlagCondition' });

const Definition = z
  .strictObject({
    active: z.boolean(),
    filters: z.strictObject({
      groups: z
        .array(Condition)
        .max(MAX_CONDITIONS)
        .meta({ description: 'Release conditions. The first that matches decides.' }),
      multivariate: z
        .strictObject({
          variants: z
            .array(z.strictObject({ key, name: text.nullish(), rollout_percentage: share }))
            .max(MAX_VARIANTS)
            .meta({ description: 'Shares add up to 100.' }),
        })
        .nullish(),
      payloads: z
        .record(key, z.string().max(MAX_PAYLOAD))
        .optional()
        .meta({ description: 'JSON as text, by variant or under `true`.' }),
      aggregation_group_type_index: groupType,
      holdout: z.strictObject({ id: rowId, exclusion_percentage: share }).nullish(),
      early_exit: z.boolean().optional().meta({
        description: 'The first condition whose properties match decides, even if its rollout excludes.',
      }),
    }),
    ensure_experience_continuity: z
      .boolean()
      .default(false)
      .meta({ description: 'Keeps the value of the time before sign-in.' }),
    bucketing_identifier: z.enum(['distinct_id', 'device_id']).default('distinct_id'),
    evaluation_runtime: z.enum(['all', 'client', 'server']).default('all'),
    evaluation_contexts: z.array(text.min(1)).max(20).default([]),
  })
  .meta({ id: 'FlagDefinition', description: 'As clients get it for local evaluation.' });
Definition satisfies z.ZodType<FlagDefinition>;

const description = z.string().trim().max(400);

export const NewFlag = z.strictObject({ key, description: description.default(''), definition: Definition }).meta({
  id: 'NewFlag',
  examples: [
    {
      key: 'new-checkout',
      description: 'One page instead of three',
      definition: { active: true, filters: { groups: [{ rollout_percentage: 20 }] } },
    },
  ],
});

export const FlagPatch = z
  .strictObject({
    description: description.optional(),
    definition: Definition.optional(),
    active: z.boolean().optional().meta({ description: 'Turns the flag on or off. Not together with other changes.' }),
    note: description.optional().meta({ description: 'Shown in the history.' }),
    version: z.int().optional().meta({ description: 'The version you read. 409 if there is a newer one.' }),
  })
  .meta({ id: 'FlagPatch', examples: [{ active: false, note: 'Checkout fails on Safari' }] });

export const FlagAnswer = z
  .object({
    id: z.int(),
    key: z.string(),
    description: z.string(),
    version: z.int(),
    definition: Definition,
    earlyAccess: z.enum(earlyAccessStages).nullable().meta({
      description: 'Stage of the early access feature: people can turn it on for themselves. Null: they cannot.',
    }),
    createdAt: ms,
    changedAt: ms,
  })
  .meta({ id: 'Flag' });
FlagAnswer satisfies z.ZodType<Flag>;

export const FlagList = z.object({ flags: z.array(FlagAnswer) }).meta({ id: 'Flags' });

export const bootstrapQuery = z.object({
  distinctId: text.min(1).meta({ description: 'Of the visitor, as the browser will use it.' }),
});

export const Bootstrap = z
  .object({
    distinctID: z.string(),
    featureFlags: z.record(z.string(), z.union([z.boolean(), z.string()])),
    featureFlagPayloads: z.record(z.string(), z.json()),
  })
  .meta({ id: 'FlagBootstrap', description: 'For the option `bootstrap` of posthog-js.' });
