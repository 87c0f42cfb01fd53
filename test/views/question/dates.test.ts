import { rangePresets as contractPresets } from '#src/insights/contract.ts';
import { resolveRange } from '#src/insights/query/ranges.ts';
import { zoneOf } from '#src/kit/zone.ts';
import fc from '#test/kit/fast-check.ts';
import { addMonths, moved, weeksOf } from '#views/question/calendar-days.ts';
import { datesOf, neighbour } from '#views/question/dates.ts';
import { readTyped } from '#views/question/typed-range.ts';
import { addDays, wallDate } from '#views/words/zone.ts';

const now = { today: '2026-11-20', weekStart: 1 } as const;

describe('datesOf', () => {
  const moments = [
    '2026-11-20T17:32:00Z',
    '2026-11-21T02:59:00Z',
    '2026-11-21T03:00:01Z',
    '2026-03-01T12:00:00Z',
    '2024-02-29T12:00:00Z',
  ];
  it.each(moments.flatMap((moment) => ([0, 1] as const).map((weekStart) => [moment, weekStart] as const)))(
    'agrees with what is counted, at %s with weeks from %d',
    (moment, weekStart) => {
      const zone = zoneOf('America/Sao_Paulo');
      const ms = Date.parse(moment);
      const today = new Date(ms - 3 * 3_600_000).toISOString().slice(0, 10);
      for (const preset of contractPresets) {
        const dates = datesOf(preset, { today, weekStart });
        if (dates === null) continue;
        const { range } = resolveRange(preset, { zone, weekStart, now: ms, firstEvent: null });
        expect([preset, dates]).toEqual([preset, { from: range.fromDate, to: range.toDate }]);
      }
    },
  );
});

describe('neighbour', () => {
  it.each([
    ['today', 'earlier', 'yesterday'],
    ['yesterday', 'later', 'today'],
    ['last_7_days', 'earlier', { from: '2026-11-07', to: '2026-11-13' }],
    ['last_28_days', 'later', null],
    [{ from: '2026-11-07', to: '2026-11-13' }, 'later', 'last_7_days'],
    ['this_month', 'earlier', 'last_month'],
    ['last_month', 'earlier', { from: '2026-09-01', to: '2026-09-30' }],
    ['last_month', 'later', 'this_month'],
    ['this_year', 'earlier', { from: '2025-01-01', to: '2025-12-31' }],
    ['all_time', 'earlier', null],
    ['last_24_hours', 'earlier', null],
  ] as const)('%j %s', (range, direction, wanted) => {
    expect(neighbour(range, direction, now)).toEqual(wanted);
  });
});

describe('readTyped', () => {
  it.each([
    ['last 10 days', { from: '2026-11-11', to: '2026-11-20' }],
    ['últimos 10 dias', { from: '2026-11-11', to: '2026-11-20' }],
    ['7d', 'last_7_days'],
    ['4 weeks', 'last_28_days'],
    ['Hoje', 'today'],
    ['mês passado', 'last_month'],
    ['semana passada', { from: '2026-11-09', to: '2026-11-15' }],
    ['na última semana', { from: '2026-11-09', to: '2026-11-15' }],
    ['últimos 3 meses', { from: '2026-09-01', to: '2026-11-20' }],
    ['nos últimos 12 meses', 'last_12_months'],
    ['ano passado', { from: '2025-01-01', to: '2025-12-31' }],
    ['trimestre passado', { from: '2026-07-01', to: '2026-09-30' }],
    ['10/11', { from: '2026-11-10', to: '2026-11-10' }],
    ['25/12', { from: '2025-12-25', to: '2025-12-25' }],
    ['1/10 to 31/10', { from: '2026-10-01', to: '2026-10-31' }],
    ['1/10 a 31/10', { from: '2026-10-01', to: '2026-10-31' }],
    ['31/10 - 1/10', { from: '2026-10-01', to: '2026-10-31' }],
    ['2026-11-01 – 2026-11-10', { from: '2026-11-01', to: '2026-11-10' }],
    ['1.10.25', { from: '2025-10-01', to: '2025-10-01' }],
    // As dates are written on the screens, in both languages, and in full.
    ['28\u00a0Oct\u00a0– 19\u00a0Nov', { from: '2026-10-28', to: '2026-11-19' }],
    ['1\u00a0– 20\u00a0nov', { from: '2026-11-01', to: '2026-11-20' }],
    ['28 Oct – 24 Nov 2025', { from: '2025-10-28', to: '2025-11-24' }],
    ['15 dez 2024 – 10 jan 2025', { from: '2024-12-15', to: '2025-01-10' }],
    ['12 nov', { from: '2026-11-12', to: '2026-11-12' }],
    ['12 Nov 2025', { from: '2025-11-12', to: '2025-11-12' }],
    ['3 March', { from: '2026-03-03', to: '2026-03-03' }],
    ['3 de março de 2025', { from: '2025-03-03', to: '2025-03-03' }],
    ['1 a 15 de setembro', { from: '2026-09-01', to: '2026-09-15' }],
    ['12 set.-14 set.', { from: '2026-09-12', to: '2026-09-14' }],
    // A hyphen without spaces, which dates may have themselves.
    ['01/11-10/11', { from: '2026-11-01', to: '2026-11-10' }],
    ['2026-11-01-2026-11-10', { from: '2026-11-01', to: '2026-11-10' }],
    ['2026-11-09', { from: '2026-11-09', to: '2026-11-09' }],
    // Two dates without their years.
    ['18/11 to 30/11', { from: '2026-11-18', to: '2026-11-30' }],
    ['18/11 a 5/1', { from: '2026-11-18', to: '2027-01-05' }],
    ['15/12 to 10/1', { from: '2025-12-15', to: '2026-01-10' }],
    ['1/12 to 20/11', { from: '2025-12-01', to: '2026-11-20' }],
    ['1/1 to 31/12', { from: '2026-01-01', to: '2026-12-31' }],
    ['20 - 5 nov', { from: '2026-11-05', to: '2026-11-20' }],
    ['10/1 to 20/3/2025', { from: '2025-01-10', to: '2025-03-20' }],
    ['15/12/2024 to 10/1', { from: '2024-12-15', to: '2025-01-10' }],
    ['29/2', { from: '2024-02-29', to: '2024-02-29' }],
    ['1/12 to 31/12/2026', null],
    ['10-11', null],
    ['12', null],
    ['12 no', null],
    ['12 novo', null],
    ['1/10 to 5/10 to 6/10', null],
    ['31/02', null],
    ['10/13', { from: '2026-10-13', to: '2026-10-13' }],
    ['next week', null],
    ['0 days', null],
    ['1/12/2027', null],
    ['', null],
  ])('%j', (text, wanted) => {
    expect(readTyped(text, now, 'dayFirst')).toEqual(wanted);
  });

  it.each([
    ['10/11', { from: '2026-10-11', to: '2026-10-11' }],
    ['10/1 to 10/31', { from: '2026-10-01', to: '2026-10-31' }],
    ['11/9/26', { from: '2026-11-09', to: '2026-11-09' }],
    // In no other way, and then both.
    ['1/10 to 31/10', { from: '2026-10-01', to: '2026-10-31' }],
    ['Oct 28 – Nov 19', { from: '2026-10-28', to: '2026-11-19' }],
    ['November 3rd, 2025', { from: '2025-11-03', to: '2025-11-03' }],
    ['Nov 1 – 20', { from: '2026-11-01', to: '2026-11-20' }],
    ['2026-11-09', { from: '2026-11-09', to: '2026-11-09' }],
    ['last week', { from: '2026-11-09', to: '2026-11-15' }],
    ['past month', 'last_month'],
    ['last 3 months', { from: '2026-09-01', to: '2026-11-20' }],
    ['last 12 months', 'last_12_months'],
    ['last 30 days', 'last_30_days'],
    ['last 2 years', { from: '2024-12-01', to: '2026-11-20' }],
    ['last quarter', { from: '2026-07-01', to: '2026-09-30' }],
    ['last year', { from: '2025-01-01', to: '2025-12-31' }],
    ['last 200 years', null],
    ['13/13', null],
  ])('month first: %j', (text, wanted) => {
    expect(readTyped(text, now, 'monthFirst')).toEqual(wanted);
  });

  it('reads each date as it is written in its language', () => {
    const date = fc
      .date({ min: new Date('1970-01-02'), max: new Date('2026-11-20'), noInvalidDate: true })
      .map((each) => each.toISOString().slice(0, 10));
    fc.assert(
      fc.property(
        date,
        date,
        fc.constantFrom('en-US', 'pt-BR'),
        fc.constantFrom('numeric', 'long'),
        (one, two, locale, month) => {
          const [from = '', to = ''] = [one, two].sort();
          const options = { day: 'numeric', month, year: 'numeric', timeZone: 'UTC' } as const;
          const text = [from, to].map((each) => new Date(each).toLocaleDateString(locale, options)).join(' – ');
          const read = readTyped(text, now, locale === 'en-US' ? 'monthFirst' : 'dayFirst');
          expect([text, typeof read === 'string' ? datesOf(read, now) : read]).toEqual([text, { from, to }]);
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('a month of the calendar', () => {
  it('has each of its days once, under their weekdays, and no key leaves them', () => {
    const start = fc.constantFrom(0 as const, 1 as const);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_200 }), start, (count, weekStart) => {
        const first = addMonths('1970-01-01', count);
        const weeks = weeksOf(first.slice(0, 7), weekStart);
        const days = weeks.flat().filter((day) => day !== null);
        expect(days).toEqual(days.map((_, place) => addDays(first, place)));
        expect(addDays(first, days.length)).toBe(addMonths(first, 1));
        for (const week of weeks) {
          week.forEach((day, place) => {
            if (day !== null) expect(wallDate(day).weekday).toBe((place + weekStart) % 7);
          });
        }
      }),
      { numRuns: 100 },
    );
  });

  it.each([
    ['2026-03-31', 'PageUp', false, '2026-02-28'],
    ['2024-02-29', 'PageUp', true, '2023-02-28'],
    ['2026-11-20', 'Home', false, '2026-11-16'],
    ['2026-11-20', 'End', false, '2026-11-22'],
    ['2026-11-01', 'ArrowLeft', false, '2026-10-31'],
    ['1970-01-03', 'ArrowUp', false, '1970-01-01'],
    ['2026-11-20', 'x', false, null],
  ])('%s %s leads on', (date, key, byYear, wanted) => {
    expect(moved(date, key, { byYear, weekStart: 1 })).toBe(wanted);
  });
});
