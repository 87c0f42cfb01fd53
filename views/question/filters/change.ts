/** Questions with other filters: what chips, and rows of tables, lead to. Pure. */
import type { FilterCondition, Filters } from '#src/columns/contract.ts';
import { MAX_VALUE_LENGTH } from '#src/columns/values.ts';
import type { RowCondition } from '#src/insights/kinds/breakdown/filters/values.ts';
import type { Question } from '../question.ts';
import type { PeopleCriterion } from './people-address.ts';

/** A condition, or a list of them within the filters. */
export type FilterItem = Filters['of'][number];

/** True when the filters include the row's value. */
function hasCondition({ filters }: Question, { about, name, value }: RowCondition): boolean {
  if (value === null) return filters?.of.some((item) => isOn(item, about, name, 'isNotSet')) ?? false;
  return filters?.of.some((item) => isOn(item, about, name) && item.values.map(String).includes(value)) ?? false;
}

/** The question about this value too, or about the others only when it was already: several of a property are joined by OR. */
function withCondition(question: Question, { about, name, value }: RowCondition): Question {
  const { of } = question.filters ?? noFilters;
  if (value === null) {
    const unset = of.findIndex((item) => isOn(item, about, name, 'isNotSet'));
    if (unset !== -1) return withoutCondition(question, unset);
    return withAdded(question, { about, name, operator: 'isNotSet', values: [] });
  }
  const place = of.findIndex((item) => isOn(item, about, name));
  if (place === -1)
    return withAdded(withoutEnds(question, about, name), { about, name, operator: 'equals', values: [value] });
  const found = of[place] as FilterCondition;
  const values = found.values.map(String);
  const changed = values.includes(value) ? values.filter((each) => each !== value) : [...values, value];
  return changed.length === 0
    ? withoutCondition(question, place)
    : withReplaced(question, place, { ...found, values: changed });
}

/** True when the filters include all conditions of the row. */
export function hasConditions(question: Question, conditions: readonly RowCondition[]): boolean {
  const [only, ...more] = conditions;
  if (only !== undefined && more.length === 0 && !isLong(only)) return hasCondition(question, only);
  if (isListOfItsOwn(question)) return placeOfList(question, conditions) !== -1;
  return conditions
    .flatMap(asAsked)
    .every(({ about, name, operator, values }) =>
      question.filters?.of.some(
        (item) =>
          isOn(item, about, name, operator) &&
          item.values.length === values.length &&
          values.every((value, at) => String(item.values[at]) === value),
      ),
    );
}

/** Toggles the conditions of a row: replaces other values, or removes them when already set. */
export function withConditions(question: Question, conditions: readonly RowCondition[]): Question {
  const [only, ...more] = conditions;
  if (only !== undefined && more.length === 0 && !isLong(only)) return withCondition(question, only);
  if (isListOfItsOwn(question)) {
    const place = placeOfList(question, conditions);
    if (place !== -1) return withoutCondition(question, place);
    return withAdded(question, { match: 'all', of: conditions.flatMap(asAsked) });
  }
  const isAsked = hasConditions(question, conditions);
  const without = conditions.reduce((left, { about, name }) => withoutEnds(left, about, name), question);
  const { match, of } = without.filters ?? noFilters;
  const left = of.filter((item) => !conditions.some(({ about, name }) => isAbout(item, about, name)));
  const items = isAsked ? left : [...left, ...conditions.flatMap(asAsked)];
  return { ...question, filters: items.length === 0 ? null : { match, of: items } };
}

/** True when several conditions need a nested list, because the filters are joined by OR. */
function isListOfItsOwn({ filters }: Question): boolean {
  return filters?.match === 'any';
}

function placeOfList({ filters }: Question, conditions: readonly RowCondition[]): number {
  const wanted = JSON.stringify(conditions.flatMap(asAsked));
  return (filters?.of ?? []).findIndex((item) => {
    if (!('of' in item) || item.match !== 'all') return false;
    const own = item.of.map(({ about, name, operator, values }) => ({ about, name, operator, values }));
    return JSON.stringify(own) === wanted;
  });
}

/** Characters of prefix and suffix that match a long value: a URL cannot hold more. */
const END_LENGTH = 300;

function asAsked(condition: RowCondition): FilterCondition[] {
  const { about, name, value } = condition;
  if (value === null) return [{ about, name, operator: 'isNotSet', values: [] }];
  if (!isLong(condition)) return [{ about, name, operator: 'equals', values: [value] }];
  // A pair of surrogates is one character, which must not be halved.
  const begin = value.slice(0, END_LENGTH).replace(/[\uD800-\uDBFF]$/, '');
  const end = value.slice(-END_LENGTH).replace(/^[\uDC00-\uDFFF]/, '');
  return [
    { about, name, operator: 'startsWith', values: [begin] },
    { about, name, operator: 'endsWith', values: [end] },
  ];
}

/** Longer than the value of a condition may be. */
function isLong({ value }: RowCondition): boolean {
  return value !== null && value.length > MAX_VALUE_LENGTH;
}

/** The question without begin and end of a long value of the property, which no other value would fit. */
function withoutEnds(question: Question, about: FilterCondition['about'], name: string): Question {
  const { match, of } = question.filters ?? noFilters;
  const places = (['startsWith', 'endsWith'] as const).map((operator) =>
    of.findIndex(
      (item) =>
        isOn(item, about, name, operator) &&
        item.values.length === 1 &&
        String(item.values[0]).length >= END_LENGTH - 1,
    ),
  );
  if (match === 'any' || places.includes(-1)) return question;
  const left = of.filter((_, at) => !places.includes(at));
  return { ...question, filters: left.length === 0 ? null : { match, of: left } };
}

function isAbout(item: FilterItem, about: FilterCondition['about'], name: string): boolean {
  return isOn(item, about, name) || isOn(item, about, name, 'isNotSet');
}

export function withAdded(question: Question, item: FilterItem): Question {
  const { match, of } = question.filters ?? noFilters;
  return { ...question, filters: { match, of: [...of, item] } };
}

export function withReplaced(question: Question, place: number, item: FilterItem): Question {
  const { match, of } = question.filters ?? noFilters;
  return { ...question, filters: { match, of: of.map((each, at) => (at === place ? item : each)) } };
}

/** @param place of the condition, or list of conditions, in the outer list */
export function withoutCondition(question: Question, place: number): Question {
  const { match, of } = question.filters ?? noFilters;
  const left = of.filter((_, at) => at !== place);
  return { ...question, filters: left.length === 0 ? null : { match, of: left } };
}

/** A list within the filters. */
export type ConditionList = Extract<FilterItem, { of: unknown }>;

/** The list at this place as it is now: of one condition it is that condition, of none it is gone. */
export function withList(question: Question, place: number, list: ConditionList): Question {
  const [only] = list.of;
  if (only === undefined) return withoutCondition(question, place);
  return withReplaced(question, place, list.of.length === 1 ? only : list);
}

export function withMatch(question: Question, match: Filters['match']): Question {
  return { ...question, filters: question.filters && { ...question.filters, match } };
}

/** The question about people who did the other event; null when it names no such event itself. */
export function withEventRenamed(question: Question, event: string, to: string): Question | null {
  const { people } = question;
  if (people === null) return null;
  const of = people.of.map((each) =>
    'did' in each && 'event' in each.did && each.did.event === event
      ? { ...each, did: { ...each.did, event: to } }
      : each,
  );
  const isNamed = of.some((each, place) => each !== people.of[place]);
  return isNamed ? { ...question, people: { ...people, of } } : null;
}

/** @param place of the criterion that it stands in for; null: one more */
export function withCriterion(question: Question, criterion: PeopleCriterion, place: number | null): Question {
  const { match, of } = question.people ?? { match: 'all', of: [] };
  const changed = place === null ? [...of, criterion] : of.map((each, at) => (at === place ? criterion : each));
  return { ...question, people: { match, of: changed } };
}

export function withoutCriterion(question: Question, place: number): Question {
  const { match, of } = question.people ?? { match: 'all', of: [] };
  const left = of.filter((_, at) => at !== place);
  return { ...question, people: left.length === 0 ? null : { match, of: left } };
}

export function withPeopleMatch(question: Question, match: Filters['match']): Question {
  return { ...question, people: question.people && { ...question.people, match } };
}

const noFilters: Filters = { match: 'all', of: [] };

function isOn(
  item: FilterItem,
  about: FilterCondition['about'],
  name: string,
  operator: FilterCondition['operator'] = 'equals',
): item is FilterCondition {
  return 'operator' in item && item.operator === operator && item.about === about && item.name === name;
}
