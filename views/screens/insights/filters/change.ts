/** Questions with other filters: what chips, and rows of tables, lead to. Pure. */
import type { FilterCondition, Filters } from '#src/columns/contract.ts';
import type { Question } from '../question.ts';
import type { PeopleCriterion } from './people-address.ts';

/** A condition, or a list of them within the filters. */
export type FilterItem = Filters['of'][number];

/** What a row of a table stands for; null: for what has no value. */
export type RowCondition = Pick<FilterCondition, 'about' | 'name'> & { value: string | null };

/** Whether the row's value is one of those that are asked for. */
export function hasCondition({ filters }: Question, { about, name, value }: RowCondition): boolean {
  if (value === null) return filters?.of.some((item) => isOn(item, about, name, 'isNotSet')) ?? false;
  return filters?.of.some((item) => isOn(item, about, name) && item.values.map(String).includes(value)) ?? false;
}

/** The question about this value too, or about the others only when it was already: several of a property are joined by OR. */
export function withCondition(question: Question, { about, name, value }: RowCondition): Question {
  const { of } = question.filters ?? noFilters;
  if (value === null) {
    const unset = of.findIndex((item) => isOn(item, about, name, 'isNotSet'));
    if (unset !== -1) return withoutCondition(question, unset);
    return withAdded(question, { about, name, operator: 'isNotSet', values: [] });
  }
  const place = of.findIndex((item) => isOn(item, about, name));
  if (place === -1) return withAdded(question, { about, name, operator: 'is', values: [value] });
  const found = of[place] as FilterCondition;
  const values = found.values.map(String);
  const changed = values.includes(value) ? values.filter((each) => each !== value) : [...values, value];
  return changed.length === 0
    ? withoutCondition(question, place)
    : withReplaced(question, place, { ...found, values: changed });
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
  operator: FilterCondition['operator'] = 'is',
): item is FilterCondition {
  return 'operator' in item && item.operator === operator && item.about === about && item.name === name;
}
