/**
 * Semantics of operators on property values. Equal to `posthog-node` where that evaluates locally; other cases
 * are decided here. Pure.
 */
import type { JsonValue } from '#src/kit/json.ts';
import type { FlagProperty } from '../contract.ts';
import { dateBound, timeOf } from './dates.ts';
import { compilePattern } from './patterns.ts';
import { compareVersions, parseVersion, versionRange } from './versions.ts';

/** True when a present value matches the condition at `now`, ms. */
export type Test = (value: JsonValue, now: number) => boolean;

/** Null for a value that the operator cannot compare with. */
export function compileTest({ operator, value }: FlagProperty): Test | null {
  switch (operator) {
    case 'is_set':
      return () => true;
    case 'is_not_set':
      return () => false;
    case 'exact':
      return equalTest(value);
    case 'is_not':
      return negated(equalTest(value));
    case 'icontains':
      return textTest(value, (text, piece) => text.includes(piece));
    case 'not_icontains':
      return textTest(value, (text, piece) => !text.includes(piece));
    case 'starts_with':
      return textTest(value, (text, piece) => text.startsWith(piece));
    case 'not_starts_with':
      return textTest(value, (text, piece) => !text.startsWith(piece));
    case 'ends_with':
      return textTest(value, (text, piece) => text.endsWith(piece));
    case 'not_ends_with':
      return textTest(value, (text, piece) => !text.endsWith(piece));
    case 'regex':
      return patternTest(value);
    case 'not_regex':
      return negated(patternTest(value));
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return orderTest(value, operator);
    case 'is_date_before':
    case 'is_date_after':
      return dateTest(value, operator);
    case 'flag_evaluates_to':
    case 'in':
    case 'not_in':
      return null; // not of a property
    default:
      return versionTest(value, operator);
  }
}

function negated(test: Test | null): Test | null {
  return test && ((value, now) => !test(value, now));
}

/** Any of the values, regardless of case. */
function equalTest(wanted: FlagProperty['value']): Test | null {
  if (wanted === undefined) return null;
  const texts = new Set((Array.isArray(wanted) ? wanted : [wanted]).map((each) => exactText(each).toLowerCase()));
  return (value) => texts.has(exactText(value).toLowerCase());
}

/** JSON with sorted keys; texts as they are. */
function exactText(value: JsonValue): string {
  return typeof value === 'string' ? value : sortedJson(value);
}

function sortedJson(value: JsonValue): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(sortedJson).join(',')}]`;
  const keys = Object.keys(value).sort(byCodePoint);
  return `{${keys.map((key) => `${JSON.stringify(key)}:${sortedJson(value[key] as JsonValue)}`).join(',')}}`;
}

function byCodePoint(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}

/** ASCII letters alone are folded. */
function folded(value: JsonValue): string {
  return asText(value).replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** `String(value)` that never throws: an object may have its own `toString`. */
function asText(value: JsonValue): string {
  if (typeof value === 'string') return value;
  try {
    return String(value);
  } catch {
    return '[object Object]';
  }
}

function textTest(wanted: FlagProperty['value'], test: (text: string, piece: string) => boolean): Test | null {
  if (typeof wanted !== 'string') return null;
  const piece = folded(wanted);
  return (value) => test(folded(value), piece);
}

function patternTest(wanted: FlagProperty['value']): Test | null {
  if (typeof wanted !== 'string') return null;
  const matches = compilePattern(wanted);
  return matches && ((value) => matches(asText(value)));
}

/** Compares as numbers when both are, else as texts. */
function orderTest(wanted: FlagProperty['value'], operator: 'gt' | 'gte' | 'lt' | 'lte'): Test | null {
  if (typeof wanted !== 'string' && typeof wanted !== 'number') return null;
  const text = String(wanted);
  const bound = Number.parseFloat(text);
  return (value) => {
    if (value === null) return false;
    const number = typeof value === 'number' ? value : Number.parseFloat(asText(value));
    if (Number.isFinite(number) && Number.isFinite(bound)) return isOrdered(number, bound, operator);
    return isOrdered(asText(value), text, operator);
  };
}

function isOrdered<Value extends string | number>(one: Value, other: Value, operator: string): boolean {
  if (operator === 'gt') return one > other;
  if (operator === 'gte') return one >= other;
  if (operator === 'lt') return one < other;
  return one <= other;
}

function dateTest(wanted: FlagProperty['value'], operator: 'is_date_before' | 'is_date_after'): Test | null {
  const bound = typeof wanted === 'string' ? dateBound(wanted) : null;
  if (bound === null) return null;
  return (value, now) => {
    const at = timeOf(value);
    if (at === null) return false;
    return operator === 'is_date_before' ? at < bound(now) : at > bound(now);
  };
}

type VersionOperator = Extract<FlagProperty['operator'], `semver_${string}`>;

function versionTest(wanted: FlagProperty['value'], operator: VersionOperator): Test | null {
  if (typeof wanted !== 'string') return null;
  if (operator === 'semver_tilde' || operator === 'semver_caret' || operator === 'semver_wildcard') {
    const range = versionRange(operator.slice('semver_'.length) as 'tilde' | 'caret' | 'wildcard', wanted);
    return (
      range && ofVersion((version) => compareVersions(version, range[0]) >= 0 && compareVersions(version, range[1]) < 0)
    );
  }
  const bound = parseVersion(wanted);
  if (bound === null) return null;
  return ofVersion((version) => {
    const order = compareVersions(version, bound);
    if (operator === 'semver_eq') return order === 0;
    if (operator === 'semver_neq') return order !== 0;
    if (operator === 'semver_gt') return order > 0;
    if (operator === 'semver_gte') return order >= 0;
    if (operator === 'semver_lt') return order < 0;
    return order <= 0;
  });
}

function ofVersion(test: (version: readonly [number, number, number]) => boolean): Test {
  return (value) => {
    const version = value === null ? null : parseVersion(asText(value));
    return version !== null && test(version);
  };
}
