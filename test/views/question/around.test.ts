import { aroundOf } from '#views/question/notes/around.ts';

it.each([
  ['2026-11-20', '2026-11-20', { from: '2026-11-20', to: '2026-11-20' }, { from: '2026-11-19', to: '2026-11-19' }],
  ['2026-11-15', '2026-11-20', { from: '2026-11-15', to: '2026-11-20' }, { from: '2026-11-09', to: '2026-11-14' }],
  // Whole weeks.
  ['2026-11-10', '2026-11-20', { from: '2026-11-10', to: '2026-11-16' }, { from: '2026-11-03', to: '2026-11-09' }],
  ['2026-09-01', '2026-11-20', { from: '2026-09-01', to: '2026-09-28' }, { from: '2026-08-04', to: '2026-08-31' }],
])('compares the days from %s on, by %s, with as many before', (day, today, range, compare) => {
  expect(aroundOf(day, today)).toEqual({ range, compare });
});

it('has nothing to compare of a day to come', () => {
  expect(aroundOf('2026-11-21', '2026-11-20')).toBeNull();
});
