/** Conditions of a cohort as the form holds them. Pure. */
import type { FilterOperator } from '#src/columns/filters/operators.ts';
import { takesOf } from '#src/columns/filters/operators.ts';
import { COHORT } from '#src/columns/values.ts';
import type { RangeInput } from '#src/insights/contract.ts';
import type { CriterionQuery, PeopleQuery } from '#src/insights/query/people/contract.ts';
import type { ConditionKind } from '#views/words/cohorts.ts';

export interface DraftCondition {
  key: number;
  kind: ConditionKind;
  event: string;
  times: string;
  within: RangeInput;
  property: string;
  operator: FilterOperator;
  value: string;
  cohort: string;
  /** One that the form cannot say: it is kept. */
  kept: PeopleQuery['of'][number] | null;
}

let last = 0;

export function newCondition(over: Partial<DraftCondition> = {}): DraftCondition {
  last++;
  return {
    key: last,
    kind: 'did',
    event: '',
    times: '1',
    within: 'last_28_days',
    property: '',
    operator: 'equals',
    value: '',
    cohort: '',
    kept: null,
    ...over,
  };
}

export function draftOf(people: PeopleQuery | null): { match: 'all' | 'any'; conditions: DraftCondition[] } {
  if (people === null) return { match: 'all', conditions: [newCondition()] };
  return { match: people.match, conditions: people.of.map((each) => newCondition(readCondition(each))) };
}

function readCondition(each: PeopleQuery['of'][number]): Partial<DraftCondition> {
  if ('has' in each && !each.not) {
    const { name, operator, values } = each.has;
    const [value] = values;
    if (name === COHORT && values.length === 1) {
      return { kind: operator === 'notEquals' ? 'notIn' : 'in', cohort: String(value) };
    }
    if (name !== COHORT && values.length <= 1) {
      return { kind: 'property', property: name, operator, value: value === undefined ? '' : String(value) };
    }
  }
  if ('did' in each && 'event' in each.did && each.did.event !== null && !each.did.filters) {
    const { did, times, within, not } = each;
    return { kind: not ? 'didNot' : 'did', event: did.event ?? '', times: String(times), within };
  }
  if ('firstSeen' in each && !each.not) return { kind: 'first', within: each.firstSeen };
  return { kept: each };
}

/** Names of the fields that lack something, as the form names them. */
export function missingIn(conditions: readonly DraftCondition[]): string[] {
  return conditions.flatMap(({ key, kind, event, times, property, operator, value, cohort, kept }) => {
    if (kept !== null || kind === 'first') return [];
    if (kind === 'did' || kind === 'didNot') {
      const count = Number(times);
      const isCount = Number.isInteger(count) && count >= 1 && count <= 999_999;
      return [...(event.trim() === '' ? [`event-${key}`] : []), ...(isCount ? [] : [`times-${key}`])];
    }
    if (kind === 'property') {
      const needsValue = takesOf(operator) !== 'nothing' && value === '';
      return [...(property.trim() === '' ? [`property-${key}`] : []), ...(needsValue ? [`value-${key}`] : [])];
    }
    return cohort === '' ? [`cohort-${key}`] : [];
  });
}

export function peopleOfDraft(match: 'all' | 'any', conditions: readonly DraftCondition[]): PeopleQuery {
  return { match, of: conditions.map((each) => each.kept ?? criterionOf(each)) };
}

function criterionOf({
  kind,
  event,
  times,
  within,
  property,
  operator,
  value,
  cohort,
}: DraftCondition): CriterionQuery {
  switch (kind) {
    case 'did':
    case 'didNot':
      return {
        did: { event: event.trim() },
        times: Number(times),
        within,
        ...(kind === 'didNot' && { not: true }),
      };
    case 'first':
      return { firstSeen: within };
    case 'property':
      return {
        has: { name: property.trim(), operator, values: takesOf(operator) === 'nothing' ? [] : [value] },
      };
    default:
      return { has: { name: COHORT, operator: kind === 'in' ? 'equals' : 'notEquals', values: [cohort] } };
  }
}
