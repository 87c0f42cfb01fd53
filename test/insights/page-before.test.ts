/** What filters on pages come to when they are put to the ends of views. */
import type { FilterCondition, Filters } from '#src/columns/contract.ts';
import { endsOf } from '#src/insights/query/page-before.ts';

const all = (...of: object[]): Filters => ({ match: 'all', of: of as Filters['of'] });
const any = (...of: object[]) => ({ match: 'any', of });
const on = (name: string, operator: FilterCondition['operator'], ...values: string[]): FilterCondition => ({
  ...{ about: 'event', name, operator, values },
});
const address = (operator: FilterCondition['operator'], ...values: string[]) => on('$current_url', operator, ...values);
const path = (operator: FilterCondition['operator'], ...values: string[]) =>
  on('$prev_pageview_pathname', operator, ...values);
const ends = ['$pageview', '$screen', '$pageleave'];

it.each<[string, FilterCondition, object]>([
  ['the path', on('$pathname', 'notRegex', '^/a'), path('notRegex', '^/a')],
  ['the host stays', on('$host', 'equals', 'a.example'), on('$host', 'equals', 'a.example')],
  ['other properties stay', on('plan', 'equals', 'pro'), on('plan', 'equals', 'pro')],
  [
    'fields of visits stay',
    { ...on('$pathname', 'equals', '/'), about: 'session' },
    { ...on('$pathname', 'equals', '/'), about: 'session' },
  ],
  [
    'an address',
    address('equals', 'https://a.example', 'http://b.example/x'),
    any(
      all(on('$host', 'equals', 'a.example'), path('equals', '/')),
      all(on('$host', 'equals', 'b.example'), path('equals', '/x')),
    ),
  ],
  [
    'any other address',
    address('notEquals', 'https://a.example/x'),
    { match: 'all', of: [any(on('$host', 'notEquals', 'a.example'), path('notEquals', '/x'))] },
  ],
  ['a piece of it', address('contains', '/x'), any(all(path('contains', '/x')))],
  ['not a piece of it', address('notContains', '/x'), { match: 'all', of: [any(path('notContains', '/x'))] }],
  ['there is one', address('isSet'), path('isSet')],
  ['none of none', address('equals'), path('equals')],
])('is asked of the page before: %s', (_, condition, wanted) => {
  expect(endsOf(all(any(condition), condition))).toEqual({ names: ends, filters: all(any(wanted), wanted) });
});

it.each([
  address('equals', 'https://a.example/?q=1'),
  address('equals', '/x'),
  address('contains', 'utm_source=news'),
  address('contains', '/x', '#top'),
  address('regex', '/x'),
])('asks leaving alone for more of an address than its host and path: %j', (condition) => {
  expect(endsOf(all(condition))).toEqual({ names: ['$pageleave'], filters: all(condition) });
});

it('asks all ends without a filter', () => {
  expect(endsOf(null)).toEqual({ names: ends, filters: null });
});
