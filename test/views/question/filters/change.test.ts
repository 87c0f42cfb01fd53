import type { FilterCondition } from '#src/columns/contract.ts';
import {
  hasConditions,
  withAdded,
  withConditions,
  withList,
  withMatch,
  withoutCondition,
  withReplaced,
} from '#views/question/filters/change.ts';
import { addressOf, type Question, readQuestion } from '#views/question/question.ts';

const question = (text: string) => readQuestion(new URLSearchParams(text));
const address = (of: Question) => decodeURIComponent(addressOf('', of));
const page = (value: string) => ({ about: 'event', name: '$pathname', value }) as const;

it('a row adds its value, a second of the same property joins it by OR, and a row that is on takes itself away', () => {
  const one = withConditions(question('metric=views'), [page('/a')]);
  expect(address(one)).toBe('?metric=views&filter=page:equals:/a');
  const two = withConditions(one, [page('/b')]);
  expect(address(two)).toBe('?metric=views&filter=page:equals:/a|/b');
  expect(['/a', '/b', '/c'].map((path) => hasConditions(two, [page(path)]))).toEqual([true, true, false]);
  expect(address(withConditions(two, [page('/a')]))).toBe('?metric=views&filter=page:equals:/b');
  expect(withConditions(one, [page('/a')]).filters).toBeNull();
});

it('a row of two properties takes the place of other values of theirs, and takes itself away', () => {
  const row = (host: string | null, path: string | null) => [
    { about: 'event', name: '$host', value: host } as const,
    { about: 'event', name: '$pathname', value: path } as const,
  ];
  const one = withConditions(question('filter=country:equals:BR&filter=page:contains:/a'), row('shop', '/a'));
  expect(address(one)).toBe(
    '?filter=country:equals:BR&filter=page:contains:/a&filter=host:equals:shop&filter=page:equals:/a',
  );
  expect([hasConditions(one, row('shop', '/a')), hasConditions(one, row('blog', '/a'))]).toEqual([true, false]);
  expect(address(withConditions(one, row('shop', '/a')))).toBe('?filter=country:equals:BR&filter=page:contains:/a');
  const several = question('filter=host:equals:shop|blog&filter=page:equals:/a');
  expect(hasConditions(several, row('blog', '/a'))).toBe(false);
  expect(address(withConditions(several, row('blog', '/a')))).toBe('?filter=host:equals:blog&filter=page:equals:/a');
  const none = withConditions(several, row(null, null));
  expect(address(none)).toBe('?filter=host:isNotSet&filter=page:isNotSet');
  expect(withConditions(none, row(null, null)).filters).toBeNull();
});

it('a row of two properties is a list of its own among filters that are joined by OR', () => {
  const row = [
    { about: 'event', name: '$host', value: 'shop' } as const,
    { about: 'event', name: '$pathname', value: '/a' } as const,
  ];
  const given = question('match=any&filter=country:equals:BR&filter=page:equals:/b');
  const one = withConditions(given, row);
  expect(address(one)).toBe(
    '?filter=country:equals:BR&filter=page:equals:/b&filter=all(host:equals:shop;page:equals:/a)&match=any',
  );
  expect([hasConditions(given, row), hasConditions(one, row)]).toEqual([false, true]);
  expect(hasConditions(readQuestion(new URLSearchParams(addressOf('', one).slice(1))), row)).toBe(true);
  expect(address(withConditions(one, row))).toBe(address(given));
});

it('a row leaves conditions of another kind, or about something else, as they are', () => {
  const given = question('filter=page:contains:/a&filter=event.entryPath:equals:/a&filter=person.$pathname:equals:/a');
  expect(hasConditions(given, [page('/a')])).toBe(false);
  expect(address(withConditions(given, [page('/a')]))).toBe(`${address(given)}&filter=page:equals:/a`);
  expect(hasConditions(given, [{ about: 'session', name: 'entryPath', value: '/a' }])).toBe(false);
});

it('a value that was a number is the same value', () => {
  const given: Question = {
    ...question(''),
    filters: { match: 'all', of: [{ about: 'event', name: 'n', operator: 'equals', values: [5] }] },
  };
  expect(hasConditions(given, [{ about: 'event', name: 'n', value: '5' }])).toBe(true);
  expect(withConditions(given, [{ about: 'event', name: 'n', value: '5' }]).filters).toBeNull();
});

it('conditions are added, replaced and taken away by their place', () => {
  const given = question('match=any&filter=page:equals:/a&filter=country:equals:BR');
  const other = { about: 'event', name: 'plan', operator: 'isSet', values: [] } as const;
  expect(address(withAdded(given, { ...other, values: [] }))).toBe(
    '?filter=page:equals:/a&filter=country:equals:BR&filter=plan:isSet&match=any',
  );
  expect(address(withReplaced(given, 0, { ...other, values: [] }))).toBe(
    '?filter=plan:isSet&filter=country:equals:BR&match=any',
  );
  expect(address(withoutCondition(given, 0))).toBe('?filter=country:equals:BR&match=any');
  expect(address(withMatch(given, 'all'))).toBe('?filter=page:equals:/a&filter=country:equals:BR');
  expect(withMatch(question(''), 'any').filters).toBeNull();
});

it('a list within the filters is changed in place; of one condition it is that condition, of none it is gone', () => {
  const given = question('filter=country:equals:BR&filter=any(page:equals:/a;page:equals:/b)');
  const [, list] = given.filters?.of ?? [];
  if (list === undefined || !('of' in list)) throw new Error('no list');
  const second = list.of[1];
  const condition: FilterCondition = { about: 'event', name: 'plan', operator: 'isSet', values: [] };
  expect(address(withList(given, 1, { ...list, of: [...list.of, condition] }))).toBe(
    '?filter=country:equals:BR&filter=any(page:equals:/a;page:equals:/b;plan:isSet)',
  );
  expect(address(withList(given, 1, { ...list, match: 'all' }))).toBe(
    '?filter=country:equals:BR&filter=all(page:equals:/a;page:equals:/b)',
  );
  expect(address(withList(given, 1, { ...list, of: second === undefined ? [] : [second] }))).toBe(
    '?filter=country:equals:BR&filter=page:equals:/b',
  );
  expect(address(withList(given, 1, { ...list, of: [] }))).toBe('?filter=country:equals:BR');
});

it.each(['/a', '/é', '/日本'])('a row of a very long value (%s…) is found by its begin and its end', (sign) => {
  const long = (end: string) => [page(`${sign.repeat(3_000)}${'😀'.repeat(200)}${end}`)];
  const given = question('filter=country:equals:BR');
  const one = withConditions(given, long('x'));
  const text = addressOf('', one);
  expect(text.length).toBeLessThan(7_000);
  const read = readQuestion(new URLSearchParams(text.slice(1)));
  expect(read.filters?.of.map((item) => 'operator' in item && item.operator)).toEqual([
    'equals',
    'startsWith',
    'endsWith',
  ]);
  expect(text).not.toContain('%EF%BF%BD');
  expect([hasConditions(read, long('x')), hasConditions(read, long('y'))]).toEqual([true, false]);
  expect(withConditions(read, long('x')).filters).toEqual(given.filters);
  expect(withConditions(read, long('y')).filters?.of).toHaveLength(3);
  expect(address(withConditions(read, [page('/b')]))).toBe('?filter=country:equals:BR&filter=page:equals:/b');
  const either = withMatch(question('filter=page:equals:/b&filter=page:equals:/c'), 'any');
  const list = withConditions(either, long('x'));
  expect(hasConditions(list, long('x'))).toBe(true);
  expect(withConditions(list, long('x')).filters).toEqual(either.filters);
});
