/** Evaluates flags, with reasons. Pure. @see docs/flags.md */
import type { JsonObject, JsonValue } from '#src/kit/json.ts';
import type { FlagResult, FlagSubject, StoredProperties } from '../contract.ts';
import type { FlagReasonCode } from '../values.ts';
import type { CompiledCondition, CompiledFlag, CompiledFlags, CompiledProperty } from './compile.ts';
import { isHeldOut, isInRollout, variantOf } from './hash.ts';

/** `unknown`: it depends on properties that are not available now. */
export type ConditionOutcome = 'match' | 'no_match' | 'out_of_rollout' | 'no_group' | 'unknown';

/** How each property of a condition came out; null: not known. */
export interface ConditionTrace {
  outcome: ConditionOutcome;
  properties: (boolean | null)[];
}

export interface Evaluation {
  /** Never throws: a flag that cannot be evaluated has `failed` set. */
  flag(flag: CompiledFlag): FlagResult;
  /** Every condition of a flag, also those behind the one that decides. */
  trace(flag: CompiledFlag): ConditionTrace[];
}

/** @param now ms: what relative dates count from */
export function createEvaluation(
  flags: Pick<CompiledFlags, 'byKey' | 'isLinked'>,
  subject: FlagSubject,
  stored: StoredProperties,
  now: number,
): Evaluation {
  const results = new Map<string, FlagResult>();
  const personId = { continuous: subject.firstId ?? subject.distinctId, plain: subject.distinctId };

  function resultOf(flag: CompiledFlag): FlagResult {
    if (!flags.isLinked) return decide(flag);
    let result = results.get(flag.key);
    if (result === undefined) {
      // The store refuses cyclic dependencies; this guards against stored ones.
      if (flag.isDependent) results.set(flag.key, off('no_condition_match'));
      result = decide(flag);
      results.set(flag.key, result);
    }
    return result;
  }

  function decide(flag: CompiledFlag): FlagResult {
    const { definition, groupType, conditions } = flag;
    if (!definition.active) return off('flag_disabled');
    if (flag.enrollment !== null) {
      const chosen = choiceOf(personProperty(flag.enrollment));
      if (chosen === 'unknown') return undecided(null);
      if (chosen === false) return off('super_condition_value');
      if (chosen === true) {
        const value = variantOf(flag.key, idFor(flag), flag.variants) ?? true;
        return { value, reason: 'super_condition_value', condition: null, failed: false };
      }
    }
    const unit = groupType === null ? idFor(flag) : groupIdOf(groupType);
    if (unit === null) return off('no_group_type');
    const { holdout } = definition.filters;
    if (holdout != null && isHeldOut(unit, holdout.exclusion_percentage)) {
      return { value: `holdout-${holdout.id}`, reason: 'holdout_condition_value', condition: null, failed: false };
    }
    const seen: { out: number | null; unknown: number | null; some: boolean } = {
      out: null,
      unknown: null,
      some: false,
    };
    for (const [at, condition] of conditions.entries()) {
      const outcome = outcomeOf(flag, condition, definition.filters.early_exit === true);
      if (outcome === 'match') {
        if (seen.unknown !== null) return undecided(seen.unknown);
        const value = condition.variant ?? variantOf(flag.key, bucketOf(flag, condition), flag.variants) ?? true;
        return { value, reason: 'condition_match', condition: at, failed: false };
      }
      if (outcome === 'unknown') seen.unknown ??= at;
      if (outcome === 'out_of_rollout') {
        seen.out ??= at;
        if (definition.filters.early_exit === true) break;
      }
      if (outcome !== 'no_group') seen.some = true;
    }
    if (seen.unknown !== null) return undecided(seen.unknown);
    if (seen.out !== null) return off('out_of_rollout_bound', seen.out);
    return off(seen.some || conditions.length === 0 ? 'no_condition_match' : 'no_group_type');
  }

  function outcomeOf(flag: CompiledFlag, condition: CompiledCondition, isStrict: boolean): ConditionOutcome {
    if (condition.groupType !== null && groupIdOf(condition.groupType) === null) return 'no_group';
    let isUnknown = false;
    for (const property of condition.properties) {
      const holds = propertyHolds(property, condition.groupType ?? null);
      if (holds === false) return 'no_match';
      if (holds === null) isUnknown = true;
    }
    const isIn = isInRollout(flag.key, bucketOf(flag, condition), condition.rollout);
    // Out of the share it gives nothing either way; only an early exit would depend on the rest.
    if (isUnknown) return isIn || isStrict ? 'unknown' : 'out_of_rollout';
    return isIn ? 'match' : 'out_of_rollout';
  }

  function propertyHolds(
    { key, flagValue, cohort, test, ifMissing }: CompiledProperty,
    groupType: string | null,
  ): boolean | null {
    if (flagValue !== null) return dependencyHolds(key, flagValue);
    if (cohort !== null) return stored.cohorts && stored.cohorts.has(cohort.id) !== cohort.negated;
    const value = groupType === null ? personProperty(key) : groupProperty(groupType, key);
    if (value === null) return null;
    return value === undefined ? ifMissing : test(value.held, now);
  }

  function dependencyHolds(key: string, wanted: boolean | string): boolean | null {
    const flag = flags.byKey.get(key);
    if (flag === undefined) return wanted === false;
    const { value, failed } = resultOf(flag);
    if (failed) return null;
    return value === wanted || (wanted === true && typeof value === 'string');
  }

  /** Undefined: not there; null: not known. */
  function personProperty(key: string): { held: JsonValue } | null | undefined {
    const held = personValue(key);
    if (held !== undefined || !key.startsWith(INITIAL)) return held;
    return personValue(`$${key.slice(INITIAL.length)}`);
  }

  function personValue(key: string): { held: JsonValue } | null | undefined {
    if (Object.hasOwn(subject.personProperties, key)) return { held: subject.personProperties[key] as JsonValue };
    if (key === 'distinct_id') return { held: subject.distinctId };
    return own(stored.person, key);
  }

  function groupProperty(type: string, key: string): { held: JsonValue } | null | undefined {
    const given = Object.hasOwn(subject.groupProperties, type) ? subject.groupProperties[type] : undefined;
    if (given !== undefined && Object.hasOwn(given, key)) return { held: given[key] as JsonValue };
    if (key === '$group_key') return { held: groupIdOf(type) };
    if (stored.groups === null) return null;
    return Object.hasOwn(stored.groups, type) ? own(stored.groups[type] as JsonObject, key) : undefined;
  }

  function groupIdOf(type: string | undefined): string | null {
    return type !== undefined && Object.hasOwn(subject.groups, type) ? (subject.groups[type] as string) : null;
  }

  /** The id that is hashed for the rollout: device id, anonymous id before sign-in, or distinct id. */
  function idFor({ definition }: CompiledFlag): string {
    if (definition.bucketing_identifier === 'device_id') return subject.deviceId ?? subject.distinctId;
    return definition.ensure_experience_continuity ? personId.continuous : personId.plain;
  }

  function bucketOf(flag: CompiledFlag, { groupType }: CompiledCondition): string {
    return groupType === null ? idFor(flag) : (groupIdOf(groupType) ?? '');
  }

  return {
    flag: resultOf,
    trace: (flag) =>
      flag.conditions.map((condition) => ({
        outcome: outcomeOf(flag, condition, true),
        properties: condition.properties.map((property) => propertyHolds(property, condition.groupType ?? null)),
      })),
  };
}

const INITIAL = '$initial_';

function own(properties: JsonObject | null, key: string): { held: JsonValue } | null | undefined {
  if (properties === null) return null;
  return Object.hasOwn(properties, key) ? { held: properties[key] as JsonValue } : undefined;
}

function off(reason: FlagReasonCode, condition: number | null = null): FlagResult {
  return { value: false, reason, condition, failed: false };
}

/** What a person chose; null: nothing. */
function choiceOf(property: { held: JsonValue } | null | undefined): boolean | 'unknown' | null {
  if (property === null) return 'unknown';
  const text = String(property?.held).toLowerCase();
  return text === 'true' || text === 'false' ? text === 'true' : null;
}

function undecided(condition: number | null): FlagResult {
  return { value: false, reason: 'properties_unavailable', condition, failed: true };
}

/** The payload that goes with a value, as JSON text. */
export function payloadOf({ definition }: Pick<CompiledFlag, 'definition'>, value: boolean | string): string | null {
  const { payloads } = definition.filters;
  if (value === false || payloads === undefined) return null;
  const key = String(value);
  return Object.hasOwn(payloads, key) ? (payloads[key] as string) : null;
}
