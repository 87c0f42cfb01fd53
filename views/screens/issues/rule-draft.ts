/** A rule as it is typed. */
import type { ErrorRules, RuleCondition } from '#src/errors/rules/contract.ts';
import type { GroupingResult } from '#src/errors/rules/values.ts';
import { errorsOf } from '#views/frame/addresses.ts';

export type RuleKind = 'grouping' | 'suppression';

export interface RuleDraft {
  kind: RuleKind;
  /** Null: a new one. */
  id: string | null;
  name: string;
  match: 'all' | 'any';
  of: RuleCondition[];
  by: GroupingResult;
}

export function newRule(
  kind: RuleKind,
  of: RuleCondition[] = [{ field: 'type', operator: 'equals', value: '' }],
): RuleDraft {
  return { kind, id: null, name: '', match: 'all', of, by: 'one' };
}

/** Null while it is not complete. */
export function conditionsOf({ of }: RuleDraft): RuleCondition[] | null {
  return of.length > 0 && of.every(({ value }) => value.trim() !== '') ? of : null;
}

/** The rules with this one among them. */
export function withRule(rules: ErrorRules, { kind, id, name, match, of, by }: RuleDraft): Partial<ErrorRules> {
  const own = id ?? crypto.randomUUID();
  if (kind === 'grouping') {
    return { groupingRules: put(rules.groupingRules, { id: own, name: name.trim(), match, of, by }) };
  }
  const known = of.filter((condition) => condition.field === 'type' || condition.field === 'message');
  return { suppressionRules: put(rules.suppressionRules, { id: own, match, of: known as never }) };
}

function put<Rule extends { id: string }>(rules: readonly Rule[], rule: Rule): Rule[] {
  const isKnown = rules.some(({ id }) => id === rule.id);
  return isKnown ? rules.map((each) => (each.id === rule.id ? rule : each)) : [...rules, rule];
}

/** The rules of a project; with a new one that this error would match. */
export function rulesAddress(project: string, start?: { kind: RuleKind; type: string; message: string }): string {
  const params = new URLSearchParams({ rules: start?.kind ?? 'all' });
  if (start) {
    params.set('type', start.type);
    if (start.message !== '') params.set('message', start.message.slice(0, 200));
  }
  return `${errorsOf(project)}?${params}`;
}

/** The new rule of such an address; null: none. */
export function startOf(search: URLSearchParams): RuleDraft | null {
  const kind = (['grouping', 'suppression'] as const).find((each) => each === search.get('rules'));
  const type = search.get('type');
  if (kind === undefined || type === null) return null;
  const message = search.get('message');
  return newRule(kind, [
    { field: 'type', operator: 'equals', value: type.slice(0, 200) },
    ...(message === null ? [] : [{ field: 'message', operator: 'contains', value: message.slice(0, 200) } as const]),
  ]);
}
