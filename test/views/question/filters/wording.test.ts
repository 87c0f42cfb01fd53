/** What is offered to compare with, and in which field a date is written. */
import { operatorsTaking } from '#src/columns/filters/operators.ts';
import { isDateTime } from '#views/question/filters/address.ts';
import { dateAndTime, isText, saysWhere, timeStepOf, withDate, withTime } from '#views/question/filters/date-field.ts';
import { operatorsFor, sentValue } from '#views/question/filters/wording.ts';

const dateOperators = operatorsTaking('date');

it.each(['event', 'person'] as const)(
  'texts can be dates too, of an event or a person (%s): they are offered last',
  (about) => {
    const named = { about, name: 'until' };
    expect(operatorsFor(named, 'datetime').slice(0, 4)).toEqual(dateOperators);
    expect(operatorsFor(named, 'string')[0]).toBe('equals');
    expect(operatorsFor(named, 'string').slice(-4)).toEqual(dateOperators);
  },
);

it.each([
  ['number', { about: 'event', name: 'until' }],
  ['string', { about: 'event', name: '$pathname' }],
  [null, { about: 'session', name: 'country' }],
] as const)('no dates for %s of %j', (type, named) => {
  expect(operatorsFor(named, type).filter((each) => dateOperators.some((date) => date === each))).toEqual([]);
});

it.each([
  ['', false, false],
  ['2026-11-30', false, false],
  ['2026-11-30T14:00', false, false],
  ['2026-11-30T14:00:05.125', false, false],
  ['2026-11-30T14:00:05.1257', true, false],
  ['2026-11-30 14:00', true, false],
  ['2026-11-30T14:00Z', true, true],
  ['2026-11-30 14:00-0300', true, true],
])('%j is changed as a text (%s) where fields cannot show it, and says where it is (%s)', (value, text, elsewhere) => {
  expect([isText(value), saysWhere(value)]).toEqual([text, elsewhere]);
});

it.each([
  ['', '', '', undefined],
  ['2026-11-30', '2026-11-30', '', undefined],
  ['2026-11-30T14:00', '2026-11-30', '14:00', undefined],
  ['2026-11-30T14:00:05', '2026-11-30', '14:00:05', 1],
  ['2026-11-30T14:00:05.125', '2026-11-30', '14:00:05.125', 0.001],
])('%j is a date and a time, each of which changes alone', (value, date, time, step) => {
  expect([dateAndTime(value), timeStepOf(value)]).toEqual([[date, time], step]);
  expect([withDate(value, date), withTime(value, time)]).toEqual([value, value]);
  expect(withTime(value, '')).toBe(date);
  expect(withTime(withDate(value, '2027-01-01'), '09:30')).toBe('2027-01-01T09:30');
});

it('keeps the time while there is no date, which is none that can be saved', () => {
  expect(withDate('2026-11-30T14:00', '')).toBe('T14:00');
  expect(isDateTime('T14:00')).toBe(false);
  expect(withDate('T14:00', '2026-12-01')).toBe('2026-12-01T14:00');
});

it.each([
  [{ about: 'event', name: '$pathname' }, '/busca/caf%C3%A9'],
  [{ about: 'session', name: 'entryPath' }, '/busca/caf%C3%A9'],
  [{ about: 'event', name: 'path' }, '/busca/café'],
  [{ about: 'person', name: '$pathname' }, '/busca/café'],
] as const)('what is typed for %j is sent as %s', (named, sent) => {
  expect(sentValue(named, '/busca/café')).toBe(sent);
});
