/** Whether rules match an error, as clients and the server decide it. Pure. */
import type { Exception } from '../contract.ts';
import { shortFile } from '../exception.ts';
import type { GroupingRule, RuleCondition, SuppressionRule } from './contract.ts';
import type { RuleField } from './values.ts';

type Rule = Pick<GroupingRule, 'match'> & { of: readonly RuleCondition[] };

/** The error that rules are asked about. */
export interface RuledError {
  exceptions: readonly Exception[];
  release: string | null;
}

export function matches({ match, of }: Rule, error: RuledError): boolean {
  const holds = (condition: RuleCondition) => fits(condition, valuesOf(condition.field, error));
  return match === 'all' ? of.every(holds) : of.some(holds);
}

/** Negations hold when no value is like it, as in clients. */
function fits({ operator, value }: RuleCondition, values: readonly string[]): boolean {
  const part = value.toLowerCase();
  switch (operator) {
    case 'equals':
      return values.includes(value);
    case 'notEquals':
      return !values.includes(value);
    case 'contains':
      return values.some((each) => each.toLowerCase().includes(part));
    case 'notContains':
      return !values.some((each) => each.toLowerCase().includes(part));
  }
}

function valuesOf(field: RuleField, { exceptions, release }: RuledError): string[] {
  switch (field) {
    case 'type':
      return exceptions.map(({ type }) => type);
    case 'message':
      return exceptions.map(({ value }) => value);
    case 'file':
      return exceptions.flatMap(({ frames }) => frames.map(({ file }) => shortFile(file)));
    case 'function':
      return exceptions.flatMap(({ frames }) => frames.map((frame) => frame.function));
    case 'release':
      return release === null ? [] : [release];
  }
}

export function isSuppressed(rules: readonly SuppressionRule[], error: RuledError): boolean {
  return rules.some((rule) => matches(rule, error));
}

/** The first that matches; null: none does. */
export function groupingRuleOf(rules: readonly GroupingRule[], error: RuledError): GroupingRule | null {
  return rules.find((rule) => matches(rule, error)) ?? null;
}
