/** Conditions of a cohort as the form holds them. Pure. */
import type { FilterOperator } from '#src/columns/filters/operators.ts';
import { takesOf } from '#src/columns/filters/operators.ts';
import { COHORT } from '#src/columns/values.ts';
import type { Cohort } from '#src/insights/cohorts/contract.ts';
import type { RangeInput } from '#src/insights/contract.ts';
import type { CriterionQuery, EventsQuery, PeopleQuery } from '#src/insights/query/people/contract.ts';
import type { ConditionKind } from '#views/words/cohorts.ts';

export interface DraftCondition {
  key: number;
  kind: ConditionKind;
  event: string;
  /** Second event of a sequence, and days between both. */
  next: string;
  days: string;
  times: string;
  within: RangeInput;
  property: string;
  operator: FilterOperator;
  value: string;
  cohort: string;
  /** One that the form cannot say: it is kept. */
  kept: PeopleQuery['of'][number] | null;
}

/** Longest sequence, as the server takes it. */
const MAX_DAYS = 365;

let last = 0;

export function newCondition(over: Partial<DraftCondition> = {}): DraftCondition {
  last++;
  return {
    key: last,
    kind: 'did',
    event: '',
    next: '',
    days: '7',
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
  if ('firstDid' in each && !each.not && isPlain(each.firstDid)) {
    return { kind: 'firstDid', event: each.firstDid.event, within: each.within };
  }
  if ('stopped' in each && !each.not && isPlain(each.stopped)) {
    return { kind: 'stopped', event: each.stopped.event, within: each.within };
  }
  if ('sequence' in each && !each.not) {
    const [event, next, ...more] = each.sequence;
    if (event && next && isPlain(event) && isPlain(next) && more.length === 0) {
      const { days, within } = each;
      return { kind: 'sequence', event: event.event, next: next.event, days: String(days), within };
    }
  }
  if ('firstSeen' in each && !each.not) return { kind: 'first', within: each.firstSeen };
  return { kept: each };
}

/** An event by its name, without conditions. */
function isPlain(events: EventsQuery): events is { event: string } {
  return 'event' in events && events.event !== null && !events.filters;
}

/** Names of the fields that lack something, as the form names them. */
export function missingIn(conditions: readonly DraftCondition[]): string[] {
  return conditions.flatMap(({ key, kind, event, next, days, times, property, operator, value, cohort, kept }) => {
    if (kept !== null || kind === 'first') return [];
    if (kind === 'did' || kind === 'didNot') {
      const isCount = isBetween(times, 1, 999_999);
      return [...(event.trim() === '' ? [`event-${key}`] : []), ...(isCount ? [] : [`times-${key}`])];
    }
    if (kind === 'firstDid' || kind === 'stopped') return event.trim() === '' ? [`event-${key}`] : [];
    if (kind === 'sequence') {
      const [first, second] = [event, next].map((name) => name.trim() === '');
      return [
        ...(first ? [`event-${key}`] : []),
        ...(second ? [`next-${key}`] : []),
        ...(isBetween(days, 1, MAX_DAYS) ? [] : [`days-${key}`]),
      ];
    }
    if (kind === 'property') {
      const needsValue = takesOf(operator) !== 'nothing' && value === '';
      return [...(property.trim() === '' ? [`property-${key}`] : []), ...(needsValue ? [`value-${key}`] : [])];
    }
    return cohort === '' ? [`cohort-${key}`] : [];
  });
}

function isBetween(text: string, least: number, most: number): boolean {
  const number = Number(text);
  return Number.isInteger(number) && number >= least && number <= most;
}

export function peopleOfDraft(match: 'all' | 'any', conditions: readonly DraftCondition[]): PeopleQuery {
  return { match, of: conditions.map((each) => each.kept ?? criterionOf(each)) };
}

function criterionOf({
  kind,
  event,
  next,
  days,
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
    case 'firstDid':
      return { firstDid: { event: event.trim() }, within };
    case 'stopped':
      return { stopped: { event: event.trim() }, within };
    case 'sequence':
      return { sequence: [event, next].map((name) => ({ event: name.trim() })), days: Number(days), within };
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

/**
 * Cohorts whose conditions lead to this one, directly or through others: in its own conditions they would turn in a circle.
 * @returns their ids, with its own
 */
export function cohortsUsing(cohorts: readonly Pick<Cohort, 'id' | 'name' | 'people'>[], id: number): Set<number> {
  const found = new Set([id]);
  const uses = new Map(cohorts.map((each) => [each.id, new Set(cohortNamesIn(each.people))]));
  for (let isGrowing = true; isGrowing; ) {
    isGrowing = false;
    const names = cohorts.filter((each) => found.has(each.id)).map(({ name }) => name.toLowerCase());
    for (const { id: other } of cohorts) {
      if (found.has(other) || !names.some((name) => uses.get(other)?.has(name))) continue;
      found.add(other);
      isGrowing = true;
    }
  }
  return found;
}

/** In lower case, wherever a condition names them. */
function cohortNamesIn(query: unknown): string[] {
  if (typeof query !== 'object' || query === null) return [];
  if (Array.isArray(query)) return query.flatMap(cohortNamesIn);
  const { name, values, ...others } = query as { name?: unknown; values?: unknown };
  const own = name === COHORT && Array.isArray(values) ? values.map((value) => String(value).toLowerCase()) : [];
  return [...own, ...Object.values(others).flatMap(cohortNamesIn)];
}
