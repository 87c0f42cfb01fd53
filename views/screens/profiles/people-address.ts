/** What the list of people shows, as it stands in the address. Pure. */

import { operatorNamed } from '#src/columns/filters/operators.ts';
import type { PeopleInput, PeopleSort, PropertyOperator } from '#src/profiles/contract.ts';
import { MAX_TEXT_LENGTH, propertyOperators } from '#src/profiles/values.ts';
import { peopleOf } from '#views/frame/addresses.ts';

export interface PeopleQuestion {
  search: string;
  property: { name: string; operator: PropertyOperator; value: string } | null;
  everybody: boolean;
  sort: PeopleSort;
  after: PeopleInput['after'] | null;
}

export function readPeople(search: URLSearchParams): PeopleQuestion {
  const name = (search.get('property') ?? '').trim();
  const asked = operatorNamed(search.get('condition') ?? '');
  const operator = propertyOperators.find((each) => each === asked) ?? 'equals';
  const value = search.get('value') ?? '';
  const isWhole = name !== '' && name.length <= MAX_TEXT_LENGTH && (operator === 'isSet' || value !== '');
  const [, at, number, alone] = /^(-?\d{1,14})\.(\d{1,10})(\.alone)?$/.exec(search.get('after') ?? '') ?? [];
  return {
    search: (search.get('search') ?? '').trim().slice(0, MAX_TEXT_LENGTH),
    property: isWhole ? { name, operator, value: operator === 'isSet' ? '' : value.slice(0, MAX_TEXT_LENGTH) } : null,
    everybody: search.get('who') === 'all',
    sort: search.get('sort') === 'created' ? 'created' : 'seen',
    after: at === undefined ? null : { at: Number(at), number: Number(number), ...(alone && { alone: true }) },
  };
}

export function peopleAddress(project: string, question: PeopleQuestion): string {
  const search = paramsOf(question);
  if (question.after) {
    const { at, number, alone } = question.after;
    search.set('after', `${at}.${number}${alone ? '.alone' : ''}`);
  }
  const text = search.toString();
  return text === '' ? peopleOf(project) : `${peopleOf(project)}?${text}`;
}

/** Without the page: what forms carry along. */
export function paramsOf({ search, property, everybody, sort }: Omit<PeopleQuestion, 'after'>): URLSearchParams {
  const params = new URLSearchParams();
  if (search !== '') params.set('search', search);
  if (property !== null) {
    params.set('property', property.name);
    if (property.operator !== 'equals') params.set('condition', property.operator);
    if (property.operator !== 'isSet') params.set('value', property.value);
  }
  if (everybody) params.set('who', 'all');
  if (sort !== 'seen') params.set('sort', sort);
  return params;
}

export function peopleInput(project: string, question: PeopleQuestion): PeopleInput {
  const { search, property, everybody, sort, after } = question;
  return {
    project,
    everybody,
    sort,
    ...(search !== '' && { search }),
    ...(property && { property }),
    ...(after && { after }),
  };
}
