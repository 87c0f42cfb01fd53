/** Constants and limits of flags. No schemas, so that screens can import it. */

/** Operators of conditions by kind. Wire names, read by local evaluation. */
export const operatorKinds = {
  exact: 'values',
  is_not: 'values',
  icontains: 'text',
  not_icontains: 'text',
  starts_with: 'text',
  not_starts_with: 'text',
  ends_with: 'text',
  not_ends_with: 'text',
  regex: 'pattern',
  not_regex: 'pattern',
  gt: 'number',
  gte: 'number',
  lt: 'number',
  lte: 'number',
  is_date_before: 'date',
  is_date_after: 'date',
  is_set: 'nothing',
  is_not_set: 'nothing',
  semver_eq: 'version',
  semver_neq: 'version',
  semver_gt: 'version',
  semver_gte: 'version',
  semver_lt: 'version',
  semver_lte: 'version',
  semver_tilde: 'version',
  semver_caret: 'version',
  semver_wildcard: 'version',
  flag_evaluates_to: 'flag',
  in: 'cohort',
  not_in: 'cohort',
} as const;
export type FlagOperator = keyof typeof operatorKinds;
export const flagOperators = Object.keys(operatorKinds) as FlagOperator[];

/** What a condition compares. Wire names. */
export const propertyTypes = ['person', 'group', 'flag', 'cohort'] as const;

/** Operators that hold of a property which is not there. */
export const negativeOperators: ReadonlySet<FlagOperator> = new Set([
  'is_not',
  'not_icontains',
  'not_starts_with',
  'not_ends_with',
  'not_regex',
  'is_not_set',
]);

export const MAX_FLAGS = 500;
export const MAX_CONDITIONS = 50;
export const MAX_PROPERTIES = 30;
export const MAX_VALUES = 500;
export const MAX_VARIANTS = 30;
/** Characters of JSON. */
export const MAX_PAYLOAD = 20_000;
/** Group types of a project: `$group_0` to `$group_4`. */
export const MAX_GROUP_TYPES = 5;
/** Maximum length of property names and values, in characters. */
export const MAX_TEXT = 1_000;

/** Scheduled changes of a flag, and how far they may be ahead. */
export const MAX_SCHEDULES = 20;
export const MAX_SCHEDULE_DAYS = 366;

/** Letters, digits, `-` and `_`: keys stand in code and in property names. */
export const flagKeyPattern = /^[A-Za-z0-9_-]{1,100}$/;

/** Stages of features that people can turn on for themselves. Wire names. */
export const earlyAccessStages = ['concept', 'alpha', 'beta', 'general-availability'] as const;
export type EarlyAccessStage = (typeof earlyAccessStages)[number];

/** In these stages the choice of a person decides before the flag's conditions. In `concept` interest is only noted. */
export const optInStages: ReadonlySet<EarlyAccessStage> = new Set(['alpha', 'beta']);

/** Person property with a person's choice about the feature of a flag: true or false. */
export function enrollmentProperty(flagKey: string): string {
  return `$feature_enrollment/${flagKey}`;
}

/** Why a flag has its value. Wire names. */
export const reasonTexts = {
  super_condition_value: 'Early access: chosen by the person',
  condition_match: 'Matched condition set',
  no_condition_match: 'No matching condition set',
  out_of_rollout_bound: 'Out of rollout bound',
  no_group_type: 'No group of this type in the request',
  holdout_condition_value: 'Holdout condition value',
  flag_disabled: 'Feature flag is disabled',
  properties_unavailable: 'Stored properties are unavailable at the moment',
} as const;
export type FlagReasonCode = keyof typeof reasonTexts;

/** A flag is stale when it is fully rolled out for this many days … */
export const STALE_FULL_DAYS = 30;
/** … or was not called for so many. */
export const STALE_UNCALLED_DAYS = 14;

/** The part of a release condition that determines its result. */
interface ConditionShape {
  properties: readonly unknown[];
  rollout_percentage: number | null;
  variant?: string | null | undefined;
  aggregation_group_type_index?: number | null | undefined;
}

interface FiltersShape {
  groups: readonly ConditionShape[];
  multivariate?: { variants: readonly { key: string }[] } | null | undefined;
  early_exit?: boolean | undefined;
}

/** True when local evaluation without a property of this condition could return a later condition's result, unlike the server. */
export function asksServer({ groups, multivariate, early_exit }: FiltersShape, at: number): boolean {
  const condition = groups[at];
  if (condition === undefined || condition.properties.length === 0) return false;
  const later = groups.slice(at + 1);
  if (later.length === 0) return false;
  if (early_exit === true && condition.rollout_percentage !== null && condition.rollout_percentage < 100) return true;
  const variants = new Set(multivariate?.variants.map(({ key }) => key));
  const gives = ({ variant, aggregation_group_type_index }: ConditionShape) => {
    if (variants.size === 0) return '';
    return variant != null && variants.has(variant) ? `is ${variant}` : `by ${aggregation_group_type_index ?? ''}`;
  };
  return later.some((each) => gives(each) !== gives(condition));
}

/** True when local evaluation may compare numbers differently: it cannot distinguish `25` from `25.0`. */
export function asksForNumbers({ operator, value }: { operator: FlagOperator; value?: unknown }): boolean {
  if (operator !== 'exact' && operator !== 'is_not') return false;
  const values = Array.isArray(value) ? value : [value];
  return values.some((each) => /^-?\d+$/.test(String(each)));
}
