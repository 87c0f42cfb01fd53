import type { Comparison, Interval, RangeInput } from '#src/insights/contract.ts';
import { countDates } from '#src/insights/query/clock-dates.ts';
import { clockHours } from '#src/insights/query/clock-hours.ts';
import {
  allowedIntervals,
  chooseInterval,
  divide,
  divideComparison,
  runningIndex,
} from '#src/insights/query/intervals.ts';
import { countedUntil, datesIn, resolveComparison, resolveRange, withDates } from '#src/insights/query/ranges.ts';
import { intervals } from '#src/insights/query/values.ts';
import { rangePresets } from '#src/kit/range.ts';
import { dayMs, formatDate, hourMs, parseDate, weekdayOf, zoneOf } from '#src/kit/zone.ts';
import fc from '#test/kit/fast-check.ts';

const saoPaulo = 'America/Sao_Paulo';
const now = Date.parse('2026-11-20T17:32:00Z'); // Friday 14:32 in São Paulo

function resolve(
  input: RangeInput,
  options: Partial<{ zone: string; now: number; weekStart: 0 | 1; compare: Comparison }> = {},
) {
  const zone = zoneOf(options.zone ?? saoPaulo);
  const context = {
    zone,
    now: options.now ?? now,
    weekStart: options.weekStart ?? 1,
    firstEvent: Date.parse('2026-03-05T12:00:00Z'),
  };
  const found = resolveRange(input, context);
  const comparison = resolveComparison(found, options.compare ?? 'previous', zone);
  return { context, zone, found, range: found.range, comparison };
}

const dates = ({ fromDate, toDate }: { fromDate: string; toDate: string }) => `${fromDate}..${toDate}`;
/** Clocks that change by an hour or by half, at midnight, past midnight, over a date; and offsets that are no quarters of hours. */
const zonesWithChanges = [
  saoPaulo,
  'America/New_York',
  'America/St_Johns',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Africa/Monrovia',
  'Asia/Gaza',
];
const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());

describe('presets', () => {
  it.each([
    ['today', '2026-11-20..2026-11-20', '2026-11-19..2026-11-19'],
    ['yesterday', '2026-11-19..2026-11-19', '2026-11-18..2026-11-18'],
    ['last_24_hours', '2026-11-19..2026-11-20', '2026-11-18..2026-11-19'],
    ['last_7_days', '2026-11-14..2026-11-20', '2026-11-07..2026-11-13'],
    ['last_7_full_days', '2026-11-13..2026-11-19', '2026-11-06..2026-11-12'],
    ['last_28_days', '2026-10-24..2026-11-20', '2026-09-26..2026-10-23'],
    ['last_30_days', '2026-10-22..2026-11-20', '2026-09-22..2026-10-21'],
    ['last_90_days', '2026-08-23..2026-11-20', '2026-05-25..2026-08-22'],
    ['this_week', '2026-11-16..2026-11-22', '2026-11-09..2026-11-15'],
    ['this_month', '2026-11-01..2026-11-30', '2026-10-01..2026-10-31'],
    ['last_month', '2026-10-01..2026-10-31', '2026-09-01..2026-09-30'],
    ['this_year', '2026-01-01..2026-12-31', '2025-01-01..2025-12-31'],
    ['last_12_months', '2025-12-01..2026-11-20', '2024-12-01..2025-11-20'],
    ['all_time', '2026-03-05..2026-11-20', null],
  ] as const)('%s', (preset, wanted, before) => {
    const { range, comparison } = resolve(preset);
    expect(dates(range)).toBe(wanted);
    expect(comparison === null ? null : dates(comparison.range)).toBe(before);
  });

  it('counts a running range up to now, and its comparison up to the same wall clock time', () => {
    const { range, comparison } = resolve('today');
    expect(iso(range.from)).toBe('2026-11-20T03:00:00.000Z');
    expect(iso(range.to)).toBe('2026-11-21T03:00:00.000Z');
    expect(iso(range.until)).toBe('2026-11-20T17:32:00.000Z');
    expect(iso(comparison?.range.until ?? null)).toBe('2026-11-19T17:32:00.000Z');
    expect(resolve('yesterday').range.until).toBeNull();
    expect(iso(resolve('this_month').comparison?.range.until ?? null)).toBe('2026-10-20T17:32:00.000Z');
    expect(iso(resolve('last_28_days').comparison?.range.until ?? null)).toBe('2026-10-23T17:32:00.000Z');
  });

  it('takes the wall clock, not the hours gone by, where a day has 23 hours', () => {
    const afternoon = Date.parse('2026-03-08T18:00:00Z'); // 14:00 in New York, 13 hours after midnight
    const { comparison } = resolve('today', { zone: 'America/New_York', now: afternoon });
    expect(iso(comparison?.range.until ?? null)).toBe('2026-03-07T19:00:00.000Z');
  });

  it('rolls the last 24 hours to the millisecond', () => {
    const { range, comparison } = resolve('last_24_hours');
    expect([range.to - range.from, range.until]).toEqual([dayMs, now]);
    expect(comparison?.range.to).toBe(range.from);
  });

  it('begins the week where the project does', () => {
    expect(dates(resolve('this_week', { weekStart: 0 }).range)).toBe('2026-11-15..2026-11-21');
    const sunday = Date.parse('2026-11-22T15:00:00Z');
    expect(dates(resolve('this_week', { now: sunday }).range)).toBe('2026-11-16..2026-11-22');
    expect(dates(resolve('this_week', { now: sunday, weekStart: 0 }).range)).toBe('2026-11-22..2026-11-28');
  });

  it('takes the date of the project: 02:30 UTC is the evening before in São Paulo', () => {
    const early = Date.parse('2026-11-20T02:30:00Z');
    expect(dates(resolve('today', { now: early }).range)).toBe('2026-11-19..2026-11-19');
    expect(dates(resolve('today', { now: early, zone: 'Asia/Kathmandu' }).range)).toBe('2026-11-20..2026-11-20');
  });
});

describe('dates', () => {
  it('include both ends and compare with as many dates before', () => {
    const { range, comparison } = resolve({ from: '2026-02-01', to: '2026-02-10' });
    expect(iso(range.to)).toBe('2026-02-11T03:00:00.000Z');
    expect(dates(comparison?.range ?? range)).toBe('2026-01-22..2026-01-31');
  });

  it.each([
    [{ from: '2026-02-30', to: '2026-03-01' }, 'Invalid date'],
    [{ from: '2026-03-02', to: '2026-03-01' }, 'start date is after its end date'],
    [{ from: '2026-11-21', to: '2026-11-22' }, 'future'],
    [{ from: '0001-01-01', to: '2026-03-01' }, 'out of range'],
  ])('refuses %j', (range, message) => {
    expect(() => resolve(range)).toThrow(message);
  });

  it('compares with the same dates a year before; 29 February has none', () => {
    expect(
      dates(resolve({ from: '2024-02-01', to: '2024-02-29' }, { compare: 'year' }).comparison?.range as never),
    ).toBe('2023-02-01..2023-02-28');
    expect(
      dates(resolve({ from: '2025-02-01', to: '2025-03-01' }, { compare: 'year' }).comparison?.range as never),
    ).toBe('2024-02-01..2024-03-01');
    expect(resolve({ from: '2024-02-29', to: '2024-02-29' }, { compare: 'year' }).comparison).toBeNull();
    expect(resolve('last_7_days', { compare: 'none' }).comparison).toBeNull();
  });

  it('compares the 31st of a running month with the whole of a shorter month', () => {
    const { comparison } = resolve('this_month', { now: Date.parse('2026-10-31T15:00:00Z') });
    expect(iso(comparison?.range.until ?? null)).toBe(iso(comparison?.range.to ?? null));
    expect(dates(comparison?.range as never)).toBe('2026-09-01..2026-09-30');
  });
});

describe('what a range is compared with', () => {
  const weekdays = new Intl.DateTimeFormat('en', { weekday: 'short', timeZone: 'UTC' });
  const compared = (input: RangeInput, compare: Comparison, options: Parameters<typeof resolve>[1] = {}) => {
    const { comparison, range, zone, context } = resolve(input, { ...options, compare });
    const interval = chooseInterval(range, undefined);
    const buckets = divide(range, interval, context);
    const before = comparison && divideComparison(buckets, interval, comparison, zone);
    return { range: comparison?.range as NonNullable<typeof comparison>['range'], buckets, before, zone };
  };

  it.each([
    ['2026-11-20', '2025-11-21'],
    ['2026-03-01', '2025-03-02'],
    ['2024-02-29', '2023-03-02'],
    ['2025-01-01', '2024-01-03'],
  ])('weekday: %s with %s, the nearest date a year before that is the same weekday', (date, before) => {
    const { range } = compared({ from: date, to: date }, 'weekday');
    expect(dates(range)).toBe(`${before}..${before}`);
    expect(weekdays.format(Date.parse(before))).toBe(weekdays.format(Date.parse(date)));
  });

  it('weekday: up to the same local time, also after clock changes', () => {
    // Summer time in New York on 10 March 2026, not yet on 11 March 2025 minus two days.
    const noon = Date.parse('2026-03-08T16:00:00Z'); // 12:00 EDT
    const { range } = compared('today', 'weekday', { zone: 'America/New_York', now: noon });
    expect(dates(range)).toBe('2025-03-09..2025-03-09');
    expect(iso(range.until)).toBe('2025-03-09T16:00:00.000Z');
    const winter = compared('today', 'weekday', { zone: 'America/New_York', now: Date.parse('2026-03-07T17:00:00Z') });
    expect(iso(winter.range.until)).toBe('2025-03-08T17:00:00.000Z');
  });

  it('dates: as many as in the range are compared up to the same part of theirs', () => {
    const { range, before, buckets } = compared('last_7_days', { from: '2026-10-01', to: '2026-10-07' });
    expect(dates(range)).toBe('2026-10-01..2026-10-07');
    expect(iso(range.until)).toBe('2026-10-07T17:32:00.000Z');
    expect(before?.map(({ from }) => iso(from)?.slice(0, 10))).toEqual(
      buckets.map((_, index) => `2026-10-0${index + 1}`),
    );
  });

  it('dates: more or fewer than in the range are taken whole, and compared by their place', () => {
    const longer = compared({ from: '2026-11-01', to: '2026-11-03' }, { from: '2026-01-30', to: '2026-02-10' });
    expect(dates(longer.range)).toBe('2026-01-30..2026-02-10');
    expect(longer.range.until).toBeNull();
    expect(longer.before?.map(({ from }) => iso(from)?.slice(0, 10))).toEqual([
      '2026-01-30',
      '2026-01-31',
      '2026-02-01',
    ]);
    const shorter = compared('last_7_days', { from: '2026-01-31', to: '2026-02-01' });
    expect(shorter.before?.map(({ from }) => iso(from)?.slice(0, 10))).toEqual(['2026-01-31', '2026-02-01']);
    const hours = compared('last_24_hours', { from: '2026-10-01', to: '2026-10-01' });
    expect(hours.buckets).toHaveLength(25);
    expect(hours.before).toHaveLength(24);
    expect(iso(hours.before?.[0]?.from ?? null)).toBe('2026-10-01T03:00:00.000Z');
  });

  it('dates: those of today are counted up to now, and there is one for what has none of its own', () => {
    const { range } = compared({ from: '2026-10-01', to: '2026-10-02' }, { from: '2026-11-19', to: '2026-11-20' });
    expect(range.until).toBe(now);
    expect(dates(compared('all_time', { from: '2025-01-01', to: '2025-01-31' }).range)).toBe('2025-01-01..2025-01-31');
  });

  it.each([
    [{ from: '2026-02-30', to: '2026-03-01' }, 'Invalid date'],
    [{ from: '2026-03-02', to: '2026-03-01' }, 'start date is after its end date'],
    [{ from: '2026-11-21', to: '2026-11-22' }, 'future'],
  ])('refuses %j', (dates, message) => {
    expect(() => resolve('last_7_days', { compare: dates })).toThrow(message);
    expect(() => resolve('last_7_days', { compare: dates })).toThrow(expect.objectContaining({ field: 'compare' }));
  });
});

describe('intervals', () => {
  it.each([
    ['today', 'hour', ['hour']],
    [{ from: '2026-11-18', to: '2026-11-19' }, 'hour', ['hour', 'day']],
    ['last_7_days', 'day', ['hour', 'day']],
    ['last_28_days', 'day', ['hour', 'day', 'week']],
    ['last_90_days', 'day', ['day', 'week', 'month']],
    ['last_12_months', 'week', ['day', 'week', 'month']],
    [{ from: '2024-01-01', to: '2026-11-19' }, 'month', ['week', 'month']],
    [{ from: '1990-01-01', to: '2026-11-19' }, 'month', ['month']],
    ['last_24_hours', 'hour', ['hour']],
  ] as [RangeInput, Interval, Interval[]][])('%j: %s of %j', (input, usual, allowed) => {
    const { range } = resolve(input);
    expect(allowedIntervals(range)).toEqual(allowed);
    expect(chooseInterval(range, undefined)).toBe(usual);
  });

  it.each(rangePresets.flatMap((preset) => intervals.map((interval) => [preset, interval] as const)))(
    '%s by %s is answered as asked, or refused',
    (preset, interval) => {
      for (const compare of ['previous', 'year', 'weekday'] as const) {
        const { range, context, comparison, zone } = resolve(preset, { compare });
        expect(allowedIntervals(range)).toContain(chooseInterval(range, undefined));
        expect(chooseInterval(range, interval)).toBe(interval);
        const isTooMany = interval === 'hour' && range.to - range.from > 1000 * hourMs;
        if (isTooMany) {
          expect(() => divide(range, interval, context)).toThrow(expect.objectContaining({ code: 'invalid' }));
          continue;
        }
        const buckets = divide(range, interval, context);
        expect([buckets[0]?.from, buckets.at(-1)?.to]).toEqual([range.from, range.to]);
        if (comparison === null) continue;
        // The buckets compared with are as many, in order, and together what is compared with.
        const before = divideComparison(buckets, interval, comparison, zone);
        expect(before.map(({ from }) => from)).toEqual(
          before.map(({ from }) => from).toSorted((one, other) => one - other),
        );
        expect(before).toHaveLength(buckets.length);
        // Months have more and fewer days.
        if (comparison.shift?.unit === 'months') continue;
        const length = before.reduce((sum, { from, to }) => sum + to - from, 0);
        expect(length).toBe(comparison.range.to - comparison.range.from);
      }
    },
  );

  it('cuts weeks at the edges of the range and marks the running one', () => {
    const { range, context } = resolve('last_28_days');
    const weeks = divide(range, 'week', context);
    expect(weeks.map((week) => formatDate(context.zone.dayAt(week.from)))).toEqual([
      '2026-10-24',
      '2026-10-26',
      '2026-11-02',
      '2026-11-09',
      '2026-11-16',
    ]);
    expect(runningIndex(weeks, range)).toBe(4);
    expect(runningIndex(weeks, { ...range, until: null })).toBeNull();
  });

  it('lets the hour that clocks skip be absent, and one that they repeat be one of two hours', () => {
    const newYork = { zone: 'America/New_York' };
    const spring = resolve({ from: '2026-03-08', to: '2026-03-08' }, newYork);
    expect(divide(spring.range, 'hour', spring.context)).toHaveLength(23);
    const autumn = resolve({ from: '2026-11-01', to: '2026-11-01' }, newYork);
    const hours = divide(autumn.range, 'hour', autumn.context);
    expect(hours).toHaveLength(24);
    expect(hours.map(({ from, to }) => (to - from) / hourMs).filter((length) => length !== 1)).toEqual([2]);
    expect(hours.findIndex(({ from, to }) => to - from > hourMs)).toBe(1);
  });

  it('aligns hours with the wall clock where offsets have halves and quarters', () => {
    const { range, context } = resolve({ from: '2026-05-05', to: '2026-05-05' }, { zone: 'Asia/Kathmandu' });
    expect(iso(divide(range, 'hour', context)[1]?.from ?? null)).toBe('2026-05-04T19:15:00.000Z');
  });

  it('begins a day where midnight is skipped at one in the morning', () => {
    const { range } = resolve({ from: '2018-11-04', to: '2018-11-04' });
    expect(iso(range.from)).toBe('2018-11-04T03:00:00.000Z');
    expect(range.to - range.from).toBe(23 * hourMs);
  });

  it('compares like with like: the same hour of the other day, nothing where there is none', () => {
    const { found, comparison, context, range } = resolve(
      { from: '2026-03-09', to: '2026-03-09' },
      { zone: 'America/New_York' },
    );
    const hours = divide(range, 'hour', context);
    const before = divideComparison(hours, 'hour', comparison as never, context.zone);
    expect(found.previous).toEqual({ unit: 'days', by: 1 });
    expect(before).toHaveLength(24);
    expect(before.map(({ from, to }) => (to - from) / hourMs).indexOf(0)).toBe(2);
    expect(before.reduce((sum, { from, to }) => sum + to - from, 0)).toBe(23 * hourMs);
    const leap = resolve({ from: '2024-02-27', to: '2024-03-02' }, { compare: 'year' });
    const days = divideComparison(divide(leap.range, 'day', leap.context), 'day', leap.comparison as never, leap.zone);
    expect(days.map(({ from, to }) => (to - from) / dayMs)).toEqual([1, 1, 0, 1, 1]);
    const after = resolve({ from: '2025-02-27', to: '2025-03-01' }, { compare: 'year' });
    const daysAfter = divideComparison(
      divide(after.range, 'day', after.context),
      'day',
      after.comparison as never,
      after.zone,
    );
    expect(daysAfter.map(({ from }) => iso(from)?.slice(0, 10))).toEqual(['2024-02-27', '2024-02-28', '2024-03-01']);
    expect(daysAfter.map(({ from, to }) => (to - from) / dayMs)).toEqual([1, 1, 1]);
  });
});

describe('any zone, any moment', () => {
  const zoneNames = [
    saoPaulo,
    'Asia/Kathmandu',
    'America/New_York',
    'Australia/Lord_Howe',
    'Pacific/Apia',
    'Asia/Tehran',
    'UTC',
  ];
  const labels = new Map(
    zoneNames.map((name) => [
      name,
      new Intl.DateTimeFormat('sv-SE', { timeZone: name, dateStyle: 'short', timeStyle: 'short' }),
    ]),
  );
  const label = (zone: string, ms: number) => (labels.get(zone) as Intl.DateTimeFormat).format(ms);

  it('every bucket holds one label of its interval, and buckets cover the range', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...zoneNames),
        fc.integer({ min: parseDate('2005-01-01') as number, max: parseDate('2026-11-01') as number }),
        fc.integer({ min: 0, max: 20 }),
        fc.constantFrom<Interval>('hour', 'day'),
        (zone, day, length, interval) => {
          const asked = { from: formatDate(day), to: formatDate(day + length) };
          const { range, context } = resolve(asked, { zone });
          const buckets = divide(range, interval, context);
          expect(datesIn(range)).toBe(length + 1);
          expect([buckets[0]?.from, buckets.at(-1)?.to]).toEqual([range.from, range.to]);
          const size = interval === 'hour' ? 13 : 10;
          const seen = buckets.map(({ from }) => label(zone, from).slice(0, size));
          expect(buckets.map(({ to }) => label(zone, to - 1).slice(0, size))).toEqual(seen);
          expect(new Set(seen).size).toBe(seen.length);
          expect(label(zone, range.from).slice(0, 10) >= asked.from).toBe(true);
          expect(label(zone, range.from - 1).slice(0, 10) < asked.from).toBe(true);
          expect(label(zone, countedUntil(range) - 1).slice(0, 10) <= asked.to).toBe(true);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('never has more than 1,000 buckets, and refuses more before it has made them', () => {
    const day = fc.integer({ min: 0, max: parseDate('2199-12-31') as number });
    fc.assert(
      fc.property(
        fc.constantFrom(...zoneNames),
        fc.tuple(day, day),
        fc.tuple(day, day),
        fc.constantFrom<Interval | undefined>('hour', 'day', 'week', 'month', undefined),
        (zone, asked, compared, interval) => {
          const today = zoneOf(zone).dayAt(now);
          const dates = ([one, other]: [number, number]) => ({
            from: formatDate(Math.min(one, other, today)),
            to: formatDate(Math.max(one, other)),
          });
          const { range, context, comparison } = resolve(dates(asked), { zone, compare: dates(compared) });
          const chosen = chooseInterval(range, interval);
          let buckets = 0;
          try {
            const own = divide(range, chosen, context);
            buckets = own.length;
            const before = divideComparison(own, chosen, comparison as never, context.zone);
            expect(before.length).toBeLessThanOrEqual(own.length);
          } catch (error) {
            expect(error).toMatchObject({ code: 'invalid', field: 'range' });
            const shortest = { hour: 1 / 25, day: 1, week: 7, month: 28 }[chosen];
            expect(datesIn(range)).toBeGreaterThan(999 * shortest - 2);
          }
          expect(buckets).toBeLessThanOrEqual(1000);
          // Hours of a long range are not made either.
          if (datesIn(range) > 50) expect(() => divide(range, 'hour', context)).toThrow('more than 1000');
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('hours of the clock', () => {
  /** How often each number below `size` is there. */
  function tally(numbers: readonly number[], size: number): number[] {
    const counts = Array.from({ length: size }, () => 0);
    for (const number of numbers) counts[number] = (counts[number] ?? 0) + 1;
    return counts;
  }

  it('are the hours into which a range is divided, with the weekday and the hour that the clock shows', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...zonesWithChanges),
        fc.integer({ min: 0, max: parseDate('2026-11-01') as number }),
        fc.integer({ min: 0, max: 30 }),
        fc.tuple(fc.integer({ min: 0, max: 90 * 60_000 }), fc.integer({ min: 0, max: 90 * 60_000 })),
        (name, day, length, [late, early]) => {
          const zone = zoneOf(name);
          const [from, until] = [zone.startOfDay(day) + late, zone.startOfDay(day + length + 1) - early];
          fc.pre(from < until);
          const found = [...clockHours(from, until, zone)];
          const hours = divide(withDates(from, until, null, zone), 'hour', { zone, weekStart: 1 });
          expect(found.map((hour) => [hour.from, hour.until])).toEqual(hours.map((hour) => [hour.from, hour.to]));
          const shown = found.slice(1).map((hour) => {
            const local = zone.localAt(hour.from);
            const day = Math.floor(local / dayMs);
            return [day, weekdayOf(day), Math.floor((local % dayMs) / hourMs)];
          });
          expect(found.slice(1).map(({ date, cell }) => [date, Math.floor(cell / 24), cell % 24])).toEqual(shown);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('are on as many dates as they are when each is counted', () => {
    const latest = parseDate('2026-11-01') as number;
    fc.assert(
      fc.property(
        fc.constantFrom(...zonesWithChanges),
        fc.integer({ min: 0, max: latest }),
        fc.integer({ min: 0, max: 800 }),
        fc.tuple(fc.integer({ min: 0, max: 30 * hourMs }), fc.integer({ min: -20, max: 900 })),
        (name, day, length, [early, firstDay]) => {
          const zone = zoneOf(name);
          const range = { from: zone.startOfDay(day), to: zone.startOfDay(day + length + 1) };
          const until = Math.max(range.to - early, range.from + 1);
          const first = zone.startOfDay(day + firstDay) + 5 * hourMs;
          const begun = [...clockHours(range.from, range.to, zone)].filter((hour) => hour.from < until);
          const counts = countDates({ ...range, until }, first, zone);
          const dates = tally([...new Set(begun.map(({ date }) => date))].map(weekdayOf), 7);
          const cells = begun.filter((hour) => hour.until > first).map(({ cell }) => cell);
          expect(counts).toEqual({ dates, datesByCell: tally(cells, 7 * 24) });
        },
      ),
      { numRuns: 40 },
    );
  });

  it('tells offsets of any time as the platform tells its clock', () => {
    const formats = new Map<string, Intl.DateTimeFormat>();
    fc.assert(
      fc.property(
        fc.constantFrom(...Intl.supportedValuesOf('timeZone'), 'UTC'),
        fc.integer({ min: Date.UTC(1900, 0, 1), max: Date.UTC(2200, 0, 1) }),
        (name, ms) => {
          const made = () =>
            new Intl.DateTimeFormat('sv-SE', { timeZone: name, dateStyle: 'short', timeStyle: 'medium' });
          const format = formats.get(name) ?? made();
          formats.set(name, format);
          expect(new Date(zoneOf(name).localAt(ms)).toISOString().slice(0, 19)).toBe(
            format.format(ms).replace(' ', 'T'),
          );
        },
      ),
      { numRuns: 200 },
    );
  });
});
