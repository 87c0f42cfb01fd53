/** State of the list of people in the URL. Pure. */

import { operatorNamed } from '#src/columns/filters/operators.ts';
import type { RangeInput } from '#src/kit/range.ts';
import { rangePresets } from '#src/kit/values.ts';
import type { PeopleInput, PeopleSort, PersonPlace, PropertyOperator } from '#src/profiles/contract.ts';
import {
  activitySorts,
  DEFAULT_RANGE,
  MAX_COLUMNS,
  MAX_TEXT_LENGTH,
  peopleSorts,
  propertyOperators,
} from '#src/profiles/values.ts';
import { peopleOf } from '#views/frame/addresses.ts';

export interface PeopleQuestion {
  search: string;
  property: { name: string; operator: PropertyOperator; value: string } | null;
  /** Number of a cohort; null: everybody. */
  cohort: number | null;
  everybody: boolean;
  sort: PeopleSort;
  /** What people did in it counts, in orders by that. */
  range: RangeInput;
  /** Names of properties. */
  columns: string[];
  after: PersonPlace | null;
}

export const noQuestion: PeopleQuestion = {
  search: '',
  property: null,
  cohort: null,
  everybody: false,
  sort: 'seen',
  range: DEFAULT_RANGE,
  columns: [],
  after: null,
};

/** Whether the order is by activity (events, visits, revenue). */
export function isByActivity({ sort }: Pick<PeopleQuestion, 'sort'>): boolean {
  return activitySorts.some((each) => each === sort);
}

export function readPeople(search: URLSearchParams): PeopleQuestion {
  const name = (search.get('property') ?? '').trim();
  const asked = operatorNamed(search.get('condition') ?? '');
  const operator = propertyOperators.find((each) => each === asked) ?? 'equals';
  const value = search.get('value') ?? '';
  const isWhole = name !== '' && name.length <= MAX_TEXT_LENGTH && (operator === 'isSet' || value !== '');
  return {
    search: (search.get('search') ?? '').trim().slice(0, MAX_TEXT_LENGTH),
    property: isWhole ? { name, operator, value: operator === 'isSet' ? '' : value.slice(0, MAX_TEXT_LENGTH) } : null,
    cohort: readCohort(search.get('cohort')),
    everybody: search.get('who') === 'all',
    sort: peopleSorts.find((each) => each === search.get('sort')) ?? 'seen',
    range: readRange(search),
    columns: readColumns(search.getAll('column')),
    after: readPlace(search.get('after') ?? ''),
  };
}

function readCohort(text: string | null): number | null {
  return text !== null && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null;
}

function readRange(search: URLSearchParams): RangeInput {
  const [from, to] = [search.get('from'), search.get('to')];
  const isDate = (text: string | null): text is string => /^\d{4}-\d{2}-\d{2}$/.test(text ?? '');
  if (isDate(from) && isDate(to)) return { from, to };
  return rangePresets.find((each) => each === search.get('range')) ?? DEFAULT_RANGE;
}

function readColumns(names: readonly string[]): string[] {
  const known = names.map((name) => name.trim()).filter((name) => name !== '' && name.length <= MAX_TEXT_LENGTH);
  return [...new Set(known)].slice(0, MAX_COLUMNS);
}

/** `1764150000000.42`, `….alone`, or by how much they did `v12.5.42`. */
function readPlace(text: string): PersonPlace | null {
  const [, value, of] = /^v(-?\d{1,15}(?:\.\d{1,15})?)\.(\d{1,10})$/.exec(text) ?? [];
  if (value !== undefined) return { value: Number(value), number: Number(of) };
  const [, at, number, alone] = /^(-?\d{1,14})\.(\d{1,10})(\.alone)?$/.exec(text) ?? [];
  return at === undefined ? null : { at: Number(at), number: Number(number), ...(alone && { alone: true }) };
}

function writePlace(place: PersonPlace): string {
  if ('value' in place) return `v${place.value}.${place.number}`;
  return `${place.at}.${place.number}${place.alone ? '.alone' : ''}`;
}

export function peopleAddress(project: string, question: PeopleQuestion): string {
  const search = paramsOf(question);
  if (question.after) search.set('after', writePlace(question.after));
  const text = search.toString();
  return text === '' ? peopleOf(project) : `${peopleOf(project)}?${text}`;
}

/** Without the page: what forms carry along. */
export function paramsOf(question: Omit<PeopleQuestion, 'after'>): URLSearchParams {
  const { search, property, cohort, everybody, sort, range, columns } = question;
  const params = new URLSearchParams();
  if (search !== '') params.set('search', search);
  if (property !== null) {
    params.set('property', property.name);
    if (property.operator !== 'equals') params.set('condition', property.operator);
    if (property.operator !== 'isSet') params.set('value', property.value);
  }
  if (cohort !== null) params.set('cohort', String(cohort));
  if (everybody) params.set('who', 'all');
  if (sort !== 'seen') params.set('sort', sort);
  if (typeof range === 'object') {
    params.set('from', range.from);
    params.set('to', range.to);
  } else if (range !== DEFAULT_RANGE) params.set('range', range);
  for (const column of columns) params.append('column', column);
  return params;
}

export function peopleInput(project: string, question: PeopleQuestion): PeopleInput {
  const { search, property, cohort, everybody, sort, range, columns, after } = question;
  return {
    project,
    everybody,
    sort,
    ...(search !== '' && { search }),
    ...(property && { property }),
    ...(cohort !== null && { cohort }),
    ...(isByActivity(question) && { range }),
    ...(columns.length > 0 && { columns }),
    ...(after && { after }),
  };
}
