/** How dates of filters are read and placed. */
import { anyLocale, placeConditions, readDateTime } from '#src/columns/filters/date-times.ts';
import { fitOf, fitTest } from '#src/columns/filters/fits.ts';
import type { OperatorTaking } from '#src/columns/filters/operators.ts';
import { zoneOf } from '#src/kit/zone.ts';

/** Those of the values that are kept, where clocks are three hours behind. */
function kept(operator: OperatorTaking<'date'>, asked: string, values: string[], zone = 'America/Sao_Paulo'): string[] {
  const condition = { about: 'event' as const, name: 'until', operator, values: [asked] };
  return values.filter(fitTest(fitOf(placeConditions(condition, { zone: zoneOf(zone), decimal: 'point' }), [])));
}

const around = [
  ...['2026-11-29', '2026-11-30', '2026-12-01', '2026-11-30T23:59', '2026-11-30T02:59:59Z', '2026-11-30T03:00:00Z'],
  ...['2026-12-01T02:59:59.999Z', '2026-12-01T03:00:00+00:00', '2026-11-30 00:00:00-0300', 'soon', '30/11/2026'],
];

it.each<[OperatorTaking<'date'>, string[]]>([
  ['before', ['2026-11-29', '2026-11-30T02:59:59Z']],
  ['after', ['2026-12-01', '2026-12-01T03:00:00+00:00']],
  [
    'onOrBefore',
    [
      ...['2026-11-29', '2026-11-30', '2026-11-30T23:59', '2026-11-30T02:59:59Z', '2026-11-30T03:00:00Z'],
      ...['2026-12-01T02:59:59.999Z', '2026-11-30 00:00:00-0300'],
    ],
  ],
  [
    'onOrAfter',
    [
      ...['2026-11-30', '2026-12-01', '2026-11-30T23:59', '2026-11-30T03:00:00Z', '2026-12-01T02:59:59.999Z'],
      ...['2026-12-01T03:00:00+00:00', '2026-11-30 00:00:00-0300'],
    ],
  ],
])('takes a date as the whole day of the project: %s', (operator, wanted) => {
  expect(kept(operator, '2026-11-30', around)).toEqual(wanted);
});

it('takes a time as the moment at which clocks of the project show it, or as it says itself', () => {
  const times = ['2026-11-30T13:59', '2026-11-30T14:00', '2026-11-30T16:59:59Z', '2026-11-30T17:00Z', '2026-11-30'];
  for (const asked of ['2026-11-30T14:00', '2026-11-30 14:00:00', '2026-11-30T17:00Z', '2026-11-30T18:00+01:00']) {
    expect(kept('before', asked, times)).toEqual(['2026-11-30T13:59', '2026-11-30T16:59:59Z', '2026-11-30']);
    expect(kept('after', asked, times)).toEqual([]);
    expect(kept('onOrAfter', asked, times)).toEqual(['2026-11-30T14:00', '2026-11-30T17:00Z']);
  }
});

it('begins a day whose midnight is skipped with the first moment of it', () => {
  // Clocks went from 23:59:59 on the third to 01:00 on the fourth.
  const values = ['2018-11-04', '2018-11-04T02:59:59Z', '2018-11-04T03:00:00Z'];
  expect(kept('before', '2018-11-04', values)).toEqual(['2018-11-04T02:59:59Z']);
});

it.each<[OperatorTaking<'date'>, boolean, boolean]>([
  ['before', true, false],
  ['onOrBefore', true, false],
  ['after', false, true],
  ['onOrAfter', false, true],
])('places a time that clocks skip before the first moment that they show again: %s', (operator, ...wanted) => {
  const [last, first] = ['2018-11-04T02:59:59.999Z', '2018-11-04T03:00:00Z'];
  const found = kept(operator, '2018-11-04T00:30', [last, first]);
  expect([found.includes(last), found.includes(first)]).toEqual(wanted);
});

it('reads the clock at the moment that is asked for, not when it has been put back', () => {
  const values = ['2026-11-01T00:59', '2026-11-01T01:30', '2026-11-01T02:00'];
  const last = '2026-11-01T05:59:59.999Z'; // 01:59:59.999, and then 01:00
  expect(kept('onOrBefore', last, values, 'America/New_York')).toEqual(values.slice(0, 2));
  expect(kept('after', last, values, 'America/New_York')).toEqual(values.slice(2));
});

it.each(['2026-02-29', '2026-13-01', '2026-11-30T24:00', '0000-01-01', '2026-11-30Z', '2026-11', ' 2026-11-30', ''])(
  '%j is no date',
  (text) => {
    expect(readDateTime(text)).toBeNull();
    expect(() => kept('before', text, [])).toThrow('needs a date');
  },
);

it('leaves everything else of a question as it is', () => {
  const list = new Float64Array(2);
  const dated = { about: 'event', name: 'until', operator: 'before', values: ['2026-11-30'] };
  const asked = {
    filters: { match: 'all', of: [{ match: 'any', of: [dated] }] },
    spans: [{ starts: [1, 2] }],
    list,
  };
  const placed = placeConditions(asked, anyLocale);
  expect(placed).toMatchObject({ spans: [{ starts: [1, 2] }], list });
  expect(placed.filters.of[0]?.of[0]).toEqual({ ...dated, bound: { at: 1_795_996_800_000, wall: 1_795_996_800_000 } });
  const undated = { filters: null, list };
  expect(placeConditions(undated, anyLocale)).toBe(undated);
});
