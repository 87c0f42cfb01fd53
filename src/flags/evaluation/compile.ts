/** Flags of a project in the form in which they are evaluated: texts folded, patterns and dates parsed, once per change. Pure. */
import type { Flag, FlagCondition, FlagDefinition, FlagProperty, FlagVariant } from '../contract.ts';
import { enrollmentProperty, negativeOperators, optInStages } from '../values.ts';
import { compileTest, type Test } from './match.ts';

export interface CompiledProperty {
  key: string;
  /** Another flag is meant, which has to have this value. */
  flagValue: boolean | string | null;
  /** A cohort is meant, which has to have the person or, negated, must not; null: none. */
  cohort: { id: number; negated: boolean } | null;
  test: Test;
  /** Result for a missing property. */
  ifMissing: boolean;
}

export interface CompiledCondition {
  properties: readonly CompiledProperty[];
  rollout: number | null;
  /** Given instead of the variant by hash; null: by hash. */
  variant: string | null;
  /** Name of the group type that is the unit; null: people; undefined: a type that the project does not have. */
  groupType: string | null | undefined;
}

export interface CompiledFlag {
  id: number;
  key: string;
  version: number;
  definition: FlagDefinition;
  /** Person property that decides before the conditions, when it is true or false; null: none does. */
  enrollment: string | null;
  conditions: readonly CompiledCondition[];
  variants: readonly FlagVariant[];
  /** Group type of its conditions. */
  groupType: string | null | undefined;
  /** A condition asks for another flag. */
  isDependent: boolean;
}

export interface CompiledFlags {
  /** In the order of their numbers. */
  list: readonly CompiledFlag[];
  byKey: ReadonlyMap<string, CompiledFlag>;
  /** Person properties that conditions of active flags compare; those of groups by type. */
  personKeys: readonly string[];
  groupKeys: ReadonlyMap<string, readonly string[]>;
  /** Ids of cohorts that conditions of active flags name. */
  cohorts: readonly number[];
  /** A flag depends on another. */
  isLinked: boolean;
  /** True when an active flag keeps its value across sign-in. */
  isContinuous: boolean;
}

/** @param groupTypes names by number */
export function compileFlags(flags: readonly Flag[], groupTypes: ReadonlyMap<number, string>): CompiledFlags {
  const list = flags.map((flag) => compileFlag(flag, groupTypes));
  const personKeys = new Set<string>();
  const groupKeys = new Map<string, Set<string>>();
  const cohorts = new Set<number>();
  for (const flag of list.filter(({ definition }) => definition.active)) {
    if (flag.enrollment !== null) personKeys.add(flag.enrollment);
    for (const { groupType, properties } of flag.conditions) {
      const keys = groupType == null ? personKeys : (groupKeys.get(groupType) ?? new Set());
      if (groupType != null) groupKeys.set(groupType, keys);
      for (const { key, flagValue, cohort } of properties) {
        if (cohort !== null) cohorts.add(cohort.id);
        else if (flagValue === null) keys.add(key);
      }
    }
  }
  return {
    list,
    byKey: new Map(list.map((flag) => [flag.key, flag])),
    personKeys: [...personKeys],
    groupKeys: new Map([...groupKeys].map(([type, keys]) => [type, [...keys]])),
    cohorts: [...cohorts],
    isLinked: list.some(({ isDependent }) => isDependent),
    isContinuous: list.some(({ definition }) => definition.active && definition.ensure_experience_continuity),
  };
}

function compileFlag(
  { id, key, version, definition, earlyAccess }: Flag,
  groupTypes: ReadonlyMap<number, string>,
): CompiledFlag {
  const { groups, multivariate, aggregation_group_type_index: ofFlag } = definition.filters;
  const variants = multivariate?.variants ?? [];
  const nameOf = (index: number | null | undefined) => (index == null ? null : groupTypes.get(index));
  return {
    id,
    key,
    version,
    definition,
    enrollment: earlyAccess !== null && optInStages.has(earlyAccess) ? enrollmentProperty(key) : null,
    conditions: groups.map((condition) => compileCondition(condition, variants, nameOf(unitOf(condition, ofFlag)))),
    variants,
    groupType: nameOf(ofFlag),
    isDependent: groups.some(({ properties }) => properties.some(({ type }) => type === 'flag')),
  };
}

/** The group type of a condition by number: its own, else that of the flag. */
function unitOf(condition: FlagCondition, ofFlag: number | null | undefined): number | null {
  return condition.aggregation_group_type_index ?? ofFlag ?? null;
}

function compileCondition(
  { properties, rollout_percentage, variant }: FlagCondition,
  variants: readonly FlagVariant[],
  groupType: string | null | undefined,
): CompiledCondition {
  return {
    properties: properties.map(compileProperty),
    rollout: rollout_percentage,
    variant: variants.some(({ key }) => key === variant) ? (variant as string) : null,
    groupType,
  };
}

function compileProperty(property: FlagProperty): CompiledProperty {
  const { key, type, operator, value } = property;
  const isFlag = type === 'flag';
  return {
    key,
    flagValue: isFlag ? (value as boolean | string) : null,
    cohort: type === 'cohort' ? { id: Number(value), negated: operator === 'not_in' } : null,
    // Invalid comparisons are refused on save; a stored one never matches.
    test: (isFlag ? null : compileTest(property)) ?? (() => false),
    ifMissing: negativeOperators.has(operator),
  };
}
