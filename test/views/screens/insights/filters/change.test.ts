import type { FilterCondition } from '#src/columns/contract.ts';
import {
  hasCondition,
  withAdded,
  withCondition,
  withList,
  withMatch,
  withoutCondition,
  withReplaced,
} from '#views/screens/insights/filters/change.ts';
import { addressOf, type Question, readQuestion } from '#views/screens/insights/question.ts';

const question = (text: string) => readQuestion(new URLSearchParams(text));
const address = (of: Question) => decodeURIComponent(addressOf('', of));
const page = (value: string) => ({ about: 'event', name: '$pathname', value }) as const;

it('a row adds its value, a second of the same property joins it by OR, and a row that is on takes itself away', () => {
  const one = withCondition(question('metric=views'), page('/a'));
  expect(address(one)).toBe('?metric=views&filter=page:is:/a');
  const two = withCondition(one, page('/b'));
  expect(address(two)).toBe('?metric=views&filter=page:is:/a|/b');
  expect([hasCondition(two, page('/b')), hasCondition(two, page('/c'))]).toEqual([true, false]);
  expect(address(withCondition(two, page('/a')))).toBe('?metric=views&filter=page:is:/b');
  expect(withCondition(one, page('/a')).filters).toBeNull();
});

it('a row leaves conditions of another kind, or about something else, as they are', () => {
  const given = question('filter=page:contains:/a&filter=event.entryPath:is:/a&filter=person.$pathname:is:/a');
  expect(hasCondition(given, page('/a'))).toBe(false);
  expect(address(withCondition(given, page('/a')))).toBe(`${address(given)}&filter=page:is:/a`);
  expect(hasCondition(given, { about: 'session', name: 'entryPath', value: '/a' })).toBe(false);
});

it('a value that was a number is the same value', () => {
  const given: Question = {
    ...question(''),
    filters: { match: 'all', of: [{ about: 'event', name: 'n', operator: 'is', values: [5] }] },
  };
  expect(hasCondition(given, { about: 'event', name: 'n', value: '5' })).toBe(true);
  expect(withCondition(given, { about: 'event', name: 'n', value: '5' }).filters).toBeNull();
});

it('conditions are added, replaced and taken away by their place', () => {
  const given = question('match=any&filter=page:is:/a&filter=country:is:BR');
  const other = { about: 'event', name: 'plan', operator: 'isSet', values: [] } as const;
  expect(address(withAdded(given, { ...other, values: [] }))).toBe(
    '?filter=page:is:/a&filter=country:is:BR&filter=plan:isSet&match=any',
  );
  expect(address(withReplaced(given, 0, { ...other, values: [] }))).toBe(
    '?filter=plan:isSet&filter=country:is:BR&match=any',
  );
  expect(address(withoutCondition(given, 0))).toBe('?filter=country:is:BR&match=any');
  expect(address(withMatch(given, 'all'))).toBe('?filter=page:is:/a&filter=country:is:BR');
  expect(withMatch(question(''), 'any').filters).toBeNull();
});

it('a list within the filters is changed in place; of one condition it is that condition, of none it is gone', () => {
  const given = question('filter=country:is:BR&filter=any(page:is:/a;page:is:/b)');
  const [, list] = given.filters?.of ?? [];
  if (list === undefined || !('of' in list)) throw new Error('no list');
  const second = list.of[1];
  const condition: FilterCondition = { about: 'event', name: 'plan', operator: 'isSet', values: [] };
  expect(address(withList(given, 1, { ...list, of: [...list.of, condition] }))).toBe(
    '?filter=country:is:BR&filter=any(page:is:/a;page:is:/b;plan:isSet)',
  );
  expect(address(withList(given, 1, { ...list, match: 'all' }))).toBe(
    '?filter=country:is:BR&filter=all(page:is:/a;page:is:/b)',
  );
  expect(address(withList(given, 1, { ...list, of: second === undefined ? [] : [second] }))).toBe(
    '?filter=country:is:BR&filter=page:is:/b',
  );
  expect(address(withList(given, 1, { ...list, of: [] }))).toBe('?filter=country:is:BR');
});
