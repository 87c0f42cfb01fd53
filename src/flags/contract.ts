/** Feature flags: how they are written, and as screens see them. Read by the browser, so zod/mini only. */
import * as z from 'zod/mini';
import type { JsonObject, JsonValue } from '#src/kit/json.ts';
import { rowId } from '#src/kit/row.ts';
import {
  type EarlyAccessStage,
  earlyAccessStages,
  type FlagOperator,
  type FlagReasonCode,
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
} from './values.ts';

const project = z.string().check(z.minLength(1), z.maxLength(64));
/** PostgreSQL takes neither NUL nor half of a surrogate pair. */
const text = z.string().check(
  z.maxLength(MAX_TEXT),
  z.refine((value) => !value.includes('\0') && value.isWellFormed(), 'Invalid text.'),
);
const flagKey = z.string().check(z.regex(flagKeyPattern, 'Use letters, digits, hyphens and underscores, at most 100.'));
const percentage = z.number().check(z.minimum(0), z.maximum(100));
const groupType = z.int().check(z.minimum(0), z.maximum(MAX_GROUP_TYPES - 1));

const single = z.union([text, z.number(), z.boolean()]);

/** One comparison; all of a condition have to hold. */
const flagProperty = z.object({
  key: text.check(z.minLength(1)),
  /** `flag`: `key` is another flag, `value` what it has to be. `cohort`: `value` is its id, and `key` is `id`. */
  type: z._default(z.enum(propertyTypes), 'person'),
  operator: z._default(z.enum(flagOperators as [FlagOperator, ...FlagOperator[]]), 'exact'),
  /** A list: any of them. Absent for operators that compare with nothing. */
  value: z.optional(z.union([single, z.array(single).check(z.minLength(1), z.maxLength(MAX_VALUES))])),
});
export type FlagProperty = z.infer<typeof flagProperty>;

/** A release condition: people with matching properties get the flag, up to the rollout percentage. */
const flagCondition = z.object({
  properties: z._default(z.array(flagProperty).check(z.maxLength(MAX_PROPERTIES)), []),
  rollout_percentage: z._default(z.nullable(percentage), null),
  /** Gives this variant instead of the one by hash. */
  variant: z.optional(z.nullable(flagKey)),
  /** Groups as the unit in this condition alone. */
  aggregation_group_type_index: z.optional(z.nullable(groupType)),
});
export type FlagCondition = z.infer<typeof flagCondition>;

const flagVariant = z.object({
  key: flagKey,
  name: z.optional(z.nullable(text)),
  rollout_percentage: percentage,
});
export type FlagVariant = z.infer<typeof flagVariant>;

/** JSON as text: what clients get with the flag's value. */
const payload = z.string().check(z.maxLength(MAX_PAYLOAD), z.refine(isStorableJson, 'Invalid JSON.'));

/** Release conditions and variants, in the wire format of local evaluation. */
export const flagFilters = z.object({
  /** In order: the first that matches decides. */
  groups: z.array(flagCondition).check(z.maxLength(MAX_CONDITIONS)),
  multivariate: z.optional(z.nullable(z.object({ variants: z.array(flagVariant).check(z.maxLength(MAX_VARIANTS)) }))),
  /** Payloads by variant, or under `true`. */
  payloads: z.optional(z.record(flagKey, payload)),
  /** Groups of this type as the unit. */
  aggregation_group_type_index: z.optional(z.nullable(groupType)),
  holdout: z.optional(z.nullable(z.object({ id: rowId, exclusion_percentage: percentage }))),
  /** A match outside of the rollout ends the evaluation: later conditions are skipped. */
  early_exit: z.optional(z.boolean()),
});
export type FlagFilters = z.infer<typeof flagFilters>;

/** A flag's definition, without its key. */
export const flagDefinition = z.object({
  active: z.boolean(),
  filters: flagFilters,
  /** Keeps the value of the time before sign-in. */
  ensure_experience_continuity: z._default(z.boolean(), false),
  bucketing_identifier: z._default(z.enum(['distinct_id', 'device_id']), 'distinct_id'),
  evaluation_runtime: z._default(z.enum(['all', 'client', 'server']), 'all'),
  /** Only for requests that name one of them, or none. */
  evaluation_contexts: z._default(z.array(text.check(z.minLength(1))).check(z.maxLength(20)), []),
});
export type FlagDefinition = z.infer<typeof flagDefinition>;

const description = z.string().check(
  z.trim(),
  z.maxLength(400),
  z.refine((value) => value.isWellFormed()),
);
const note = z.optional(
  z.string().check(
    z.trim(),
    z.maxLength(400),
    z.refine((value) => value.isWellFormed()),
  ),
);

export const flagInput = z.object({
  project,
  key: flagKey,
  description: z._default(description, ''),
  definition: flagDefinition,
});
export type FlagInput = Omit<z.infer<typeof flagInput>, 'project'>;

export const flagRef = z.object({ project, flag: rowId });
export const flagChange = z.object({
  project,
  flag: rowId,
  /** The version that was edited: a change in between is not overwritten. */
  version: rowId,
  description: z.optional(description),
  definition: flagDefinition,
  note,
});
export type FlagChange = Omit<z.infer<typeof flagChange>, 'project' | 'flag'>;

export const flagSwitch = z.object({ project, flag: rowId, active: z.boolean() });
export const flagRevert = z.object({ project, flag: rowId, version: rowId });

/** A change at a moment to come: on or off, or the share of one condition. */
const scheduledChange = z.union([
  z.strictObject({ active: z.boolean() }),
  z.strictObject({ condition: z.int().check(z.minimum(0), z.maximum(MAX_CONDITIONS - 1)), rollout: percentage }),
]);
export type ScheduledChange = z.infer<typeof scheduledChange>;
export const flagScheduleInput = z.object({ project, flag: rowId, at: z.int(), change: scheduledChange });
export type FlagScheduleInput = Omit<z.infer<typeof flagScheduleInput>, 'project'>;
export const flagScheduleRef = z.object({ project, flag: rowId, schedule: rowId });

/** A feature that people can turn on for themselves, of a flag. */
export const earlyAccessInput = z.object({
  project,
  flag: rowId,
  name: text.check(z.trim(), z.minLength(1), z.maxLength(120)),
  description: z._default(description, ''),
  stage: z.enum(earlyAccessStages),
  documentationUrl: z._default(z.nullable(z.url({ protocol: /^https?$/ }).check(z.maxLength(500))), null),
});
export type EarlyAccessInput = Omit<z.infer<typeof earlyAccessInput>, 'project'>;

export interface EarlyAccessFeature extends EarlyAccessInput {
  flagKey: string;
  /** False while its flag is off: clients do not list it. */
  active: boolean;
}

/** With the people who chose. */
export interface EarlyAccessRow extends EarlyAccessFeature {
  optedIn: number;
  optedOut: number;
}

/** Another project of the team, by its number. */
export const flagCopyRef = z.object({ project, flag: rowId, target: rowId });
export const flagCopyInput = z.object({
  ...flagCopyRef.shape,
  /** Version of the flag with this key in the target, which becomes like the copied one; null: there is none. */
  replaces: z.nullable(rowId),
});

/** What a copy of a flag in another project would be. */
export interface FlagCopyPlan {
  /** The flag with this key that the target has. A copy changes it, and leaves it on or off. */
  existing: { id: number; version: number } | null;
  /** Conditions that name what the target does not have. */
  leftOut: { condition: number; reason: 'cohort' | 'groupType' | 'flag'; name: string }[];
  /** Why it cannot be copied. `groupType`: the unit; `earlyExit`: a condition that must not be missing would be. */
  blocked: { reason: 'groupType' | 'earlyExit'; name: string } | null;
}

/** A flag that is not saved yet, or not like this. */
const draft = { project, key: flagKey, definition: flagDefinition };
export const flagDraft = z.object(draft);
export const flagTrial = z.object({
  ...draft,
  /** The person to evaluate for. */
  distinctId: text.check(z.minLength(1)),
});
export type FlagDraft = Omit<z.infer<typeof flagDraft>, 'project'>;
export type FlagTrial = Omit<z.infer<typeof flagTrial>, 'project'>;

/** Preview of a flag over people with a visit in the last seven days. */
export interface FlagPreview {
  people: number;
  /** People that were evaluated; the numbers below are of all, estimated from these. */
  sampled: number;
  values: { value: boolean | string; people: number }[];
  /** By condition: number of people with it as the first match. */
  conditions: number[];
}

/** Evaluation of a flag for one person, with the reason. */
export interface FlagTrialResult {
  /** False for an unknown id, which is evaluated without properties. */
  isKnown: boolean;
  result: FlagResult;
  conditions: {
    outcome: 'match' | 'no_match' | 'out_of_rollout' | 'no_group' | 'unknown';
    /** Results by property of the condition. */
    properties: (boolean | null)[];
  }[];
}

export interface Flag {
  id: number;
  key: string;
  description: string;
  version: number;
  definition: FlagDefinition;
  /** Stage of its early access feature; null: people cannot turn it on for themselves. */
  earlyAccess: EarlyAccessStage | null;
  createdAt: number;
  changedAt: number;
}

/** One change of a flag, as its history shows it. */
export interface FlagChangeRow {
  version: number;
  at: number;
  by: { id: number | null; name: string };
  note: string | null;
  definition: FlagDefinition;
  description: string;
}

export interface FlagSchedule {
  id: number;
  at: number;
  change: ScheduledChange;
  by: { id: number | null; name: string };
  /** Why it could not be made; null: it is to come. */
  problem: string | null;
}

/** Result of a flag. `failed`: it could not be evaluated; clients keep their previous value. */
export interface FlagResult {
  value: boolean | string;
  reason: FlagReasonCode;
  /** Index of the condition that matched or excluded; null for none. */
  condition: number | null;
  failed: boolean;
}

/** The subject of an evaluation. */
export interface FlagSubject {
  distinctId: string;
  deviceId: string | null;
  /** Stands for the distinct id in flags that keep their value across sign-in. */
  firstId: string | null;
  /** Given with the request: they go before stored ones. */
  personProperties: JsonObject;
  groups: Readonly<Record<string, string>>;
  groupProperties: Readonly<Record<string, JsonObject>>;
}

/** Stored properties of a subject; null: not available now. */
export interface StoredProperties {
  person: JsonObject | null;
  /** Properties by group type. */
  groups: Readonly<Record<string, JsonObject>> | null;
  /** Ids of the cohorts that the person is in, of those in conditions. */
  cohorts: ReadonlySet<number> | null;
}

export type FlagValue = JsonValue;

/** JSON that a column takes, as well. */
function isStorableJson(value: string): boolean {
  try {
    JSON.parse(value);
    return value.isWellFormed();
  } catch {
    return false;
  }
}
