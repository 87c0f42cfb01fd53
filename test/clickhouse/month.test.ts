import { isBeforeWindow, monthNamed } from '#src/clickhouse/dropping/month.ts';

const DAY_MS = 86_400_000;

it('reads a month as UTC', () => {
  expect(monthNamed('2026-12')).toEqual({
    name: '2026-12',
    from: Date.UTC(2026, 11, 1),
    until: Date.UTC(2027, 0, 1),
  });
});

it.each([undefined, '', '2026', '2026-13', '2026-1', '26-01', '2026-01-01', "2026-01'"])('refuses %p', (text) => {
  expect(() => monthNamed(text)).toThrow(/Name a month/);
});

it('leaves a day between a month and the hot window', () => {
  const march = monthNamed('2026-03');
  // The window begins at midnight, thirty days before.
  const now = march.until + 31 * DAY_MS;
  expect(isBeforeWindow(march, 30, now)).toBe(true);
  expect(isBeforeWindow(march, 30, now - 1)).toBe(false);
  expect(isBeforeWindow(march, 31, now)).toBe(false);
});
