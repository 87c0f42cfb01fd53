/** Conditions, states and schedules of alerts, on generated series, with clock jumps and restarts. */

import { judge, medianOf, type Values } from '#src/alerts/conditions.ts';
import type { AlertCondition } from '#src/alerts/contract.ts';
import {
  type Calendar,
  intervalAt,
  intervalsBefore,
  lastFinished,
  missingIntervals,
  type Span,
  sameSlots,
} from '#src/alerts/schedule.ts';
import { advance, REMINDER_MS, type StateNow } from '#src/alerts/state.ts';
import { alertIntervals } from '#src/alerts/values.ts';
import { dayMs, hourMs, zoneOf } from '#src/kit/zone.ts';
import fc from '#test/kit/fast-check.ts';

const berlin: Calendar = { zone: zoneOf('Europe/Berlin'), weekStart: 1 };
const utc: Calendar = { zone: zoneOf('UTC'), weekStart: 1 };
const monday = Date.UTC(2026, 9, 5);

describe('intervals', () => {
  it('follow one another without gaps over changes of clocks, in every zone', () => {
    for (const zone of [
      'Europe/Berlin',
      'America/Sao_Paulo',
      'Australia/Lord_Howe',
      'Asia/Kathmandu',
      'Africa/Cairo',
    ]) {
      const calendar: Calendar = { zone: zoneOf(zone), weekStart: 0 };
      for (const interval of alertIntervals) {
        const spans = intervalsBefore(
          interval,
          intervalAt(interval, Date.UTC(2026, 10, 20), calendar).from,
          60,
          calendar,
        );
        expect(spans.slice(0, -1).map(({ to }) => to)).toEqual(spans.slice(1).map(({ from }) => from));
        for (const span of spans) expect(intervalAt(interval, span.from, calendar)).toEqual(span);
      }
    }
  });

  it('have the same wall clock in the four weeks before', () => {
    // On 25 October 2026 clocks in Berlin go back.
    const noon = Date.UTC(2026, 9, 28, 11);
    expect(sameSlots('hour', noon, berlin)).toEqual([
      Date.UTC(2026, 9, 21, 10),
      Date.UTC(2026, 9, 14, 10),
      Date.UTC(2026, 9, 7, 10),
      Date.UTC(2026, 8, 30, 10),
    ]);
  });

  it('are evaluated once each, in 2,000 histories of restarts, kills and clock jumps', () => {
    // [what happens, by how many minutes] between two looks of one of the workers.
    const step = fc.tuple(fc.constantFrom('pass', 'ahead', 'back', 'kill'), fc.integer({ min: 1, max: 90 }));
    fc.assert(
      fc.property(fc.constantFrom(...alertIntervals), fc.array(step, { maxLength: 60 }), (interval, steps) => {
        const alert = { id: 7, interval, since: monday };
        let now = monday + hourMs;
        let wrongBy = 0;
        const rows = new Set<number>();
        const evaluated: number[] = [];
        const work = (dies: boolean) => {
          for (const { from } of missingIntervals(alert, rows, now + wrongBy, utc)) {
            rows.add(from);
            evaluated.push(from);
            if (dies) return;
          }
        };
        for (const [what, minutes] of steps) {
          now += minutes * 60_000;
          wrongBy = what === 'ahead' ? 26 * hourMs : what === 'back' ? -5 * hourMs : 0;
          work(what === 'kill');
          work(false);
        }
        wrongBy = 0;
        now += hourMs;
        work(false);
        const last = lastFinished(alert, now, utc);
        const due: number[] = [];
        for (let span: Span = intervalAt(interval, monday, utc); span.to <= last.to; ) {
          due.push(span.from);
          span = intervalAt(interval, span.to, utc);
        }
        expect(due.filter((from) => !rows.has(from))).toEqual([]);
        expect(rows.size).toBe(evaluated.length);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('conditions', () => {
  const span = { from: monday + 28 * dayMs, to: monday + 29 * dayMs };
  const valuesOf = (...values: (number | null)[]): Values =>
    new Map(values.map((value, at) => [span.from - (values.length - 1 - at) * dayMs, value]));
  const fires = (condition: AlertCondition, values: Values) =>
    judge(span, values, { interval: 'day', condition, calendar: utc, isCount: true }).fires;

  it('compare with limits, and say nothing without a value', () => {
    expect(fires({ kind: 'above', value: 5 }, valuesOf(6))).toBe(true);
    expect(fires({ kind: 'above', value: 5 }, valuesOf(5))).toBe(false);
    expect(fires({ kind: 'below', value: 5 }, valuesOf(4))).toBe(true);
    expect(fires({ kind: 'below', value: 5 }, valuesOf(null))).toBeNull();
  });

  it('find silence of so many intervals in a row', () => {
    const silence = (intervals: number): AlertCondition => ({ kind: 'silence', intervals });
    expect(fires(silence(1), valuesOf(3, 0))).toBe(true);
    expect(fires(silence(2), valuesOf(3, 0))).toBe(false);
    expect(fires(silence(2), valuesOf(3, 0, 0))).toBe(true);
    expect(fires(silence(2), valuesOf(null, 0))).toBeNull();
    expect(fires(silence(2), valuesOf(0))).toBeNull();
  });

  it('take the median of the same weekday, of three weeks at least', () => {
    const change: AlertCondition = { kind: 'change', share: 0.3, direction: 'down' };
    const at = (weeks: number) => span.from - weeks * 7 * dayMs;
    const weeks = (...values: number[]): Values => new Map(values.map((value, index) => [at(index), value]));
    const judged = (values: Values) =>
      judge(span, values, { interval: 'day', condition: change, calendar: utc, isCount: true });
    expect(judged(weeks(400, 1000, 990, 1010, 5))).toMatchObject({ expected: 995, fires: true });
    expect(judged(weeks(1600, 1000, 990, 1010, 1000))).toMatchObject({ expected: 1000, fires: false });
    expect(judged(weeks(400, 1000, 990))).toMatchObject({ expected: null, fires: null });
    // Two instead of four is half, and noise.
    expect(judged(weeks(2, 4, 5, 3, 4))).toMatchObject({ fires: false });
  });

  /** Visits of a site by hour: nights, weekends, growth, and chance. */
  function seasonal(seed: number, scale: number, hours: number): number[] {
    const random = chance(seed);
    return Array.from({ length: hours }, (_, hour) => {
      const ofDay = 0.25 + Math.max(0, Math.sin(((hour % 24) - 6) / 24 / (1 / (2 * Math.PI))));
      const weekend = Math.floor(hour / 24) % 7 >= 5 ? 0.6 : 1;
      return poisson(scale * ofDay * weekend * (1 + hour / (24 * 365)), random);
    });
  }

  it.each([
    ['hour', 300],
    ['hour', 20],
    ['day', 40],
    ['day', 2_000],
  ] as const)('by %s of about %i: one false alarm a month at most, half is found at once', (interval, scale) => {
    const step = interval === 'hour' ? hourMs : dayMs;
    const perDay = interval === 'hour' ? 24 : 1;
    const months = 3;
    let alarms = 0;
    let found = 0;
    let drops = 0;
    for (let month = 0; month < months; month += 1) {
      const raw = seasonal(month + 1, interval === 'hour' ? scale : scale / 24, 58 * 24);
      const series =
        interval === 'hour'
          ? raw
          : Array.from({ length: 58 }, (_, day) =>
              raw.slice(day * 24, day * 24 + 24).reduce((sum, each) => sum + each, 0),
            );
      const values = new Map(series.map((value, at): [number, number] => [monday + at * step, value]));
      const watching = {
        ...{ interval, calendar: utc, isCount: true },
        condition: { kind: 'change', share: 0.3, direction: 'any' } as const,
      };
      const random = chance(month + 99);
      for (let at = 28 * perDay; at < 58 * perDay; at += 1) {
        const here = { from: monday + at * step, to: monday + (at + 1) * step };
        const judged = judge(here, values, watching);
        if (judged.fires) alarms += 1;
        // Where half of it is more than noise of such small numbers.
        if ((judged.expected ?? 0) < 200 || at % (interval === 'hour' ? 5 : 1) !== 0) continue;
        const half = poisson((values.get(here.from) ?? 0) / 2, random);
        drops += 1;
        if (judge(here, new Map([...values, [here.from, half]]), watching).fires) found += 1;
      }
    }
    expect(alarms / months).toBeLessThanOrEqual(1);
    if (drops > 0) expect(found / drops).toBeGreaterThanOrEqual(0.95);
    else expect([20, 40]).toContain(scale);
  });
});

describe('states', () => {
  const ok: StateNow = { state: 'ok', stateAt: 0, notifiedAt: null, snoozedUntil: null };

  it('tell of a firing once, remind daily until someone acknowledges, and tell when it is over', () => {
    let state = ok;
    const told: string[] = [];
    const look = (fires: boolean | null, now: number, isLast = true) => {
      const { after, notice } = advance(state, { fires, now, isLast });
      state = after;
      if (notice) told.push(`${notice} ${now / hourMs}`);
    };
    look(false, 0);
    for (let hour = 1; hour < 60; hour += 1) look(hour === 5 ? null : true, hour * hourMs);
    state = { ...state, state: 'acknowledged' };
    for (let hour = 60; hour < 100; hour += 1) look(true, hour * hourMs);
    look(false, 100 * hourMs);
    look(false, 101 * hourMs);
    look(true, 102 * hourMs, false);
    look(false, 103 * hourMs);
    expect(told).toEqual(['fired 1', 'reminder 25', 'reminder 49', 'resolved 100']);
    expect(state).toMatchObject({ state: 'resolved', stateAt: 103 * hourMs });
  });

  it('are quiet while snoozed, and told afterwards if it still fires', () => {
    const snoozed = { ...ok, snoozedUntil: 10 };
    const first = advance(snoozed, { fires: true, now: 1, isLast: true });
    expect(first).toMatchObject({ notice: null, after: { state: 'firing', notifiedAt: null } });
    expect(advance(first.after, { fires: true, now: 11, isLast: true }).notice).toBe('fired');
    expect(advance(first.after, { fires: false, now: 11, isLast: true }).notice).toBeNull();
    expect(REMINDER_MS).toBe(dayMs);
  });
});

it('takes the middle of an even number of values', () => {
  expect(medianOf([4, 1, 3, 2])).toBe(2.5);
});

/** Numbers from 0 to 1, the same for the same seed. */
function chance(seed: number): () => number {
  let state = seed * 2_654_435_761;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e37_79b9) | 0;
    const mixed = Math.imul(state ^ (state >>> 13), 3_266_489_917);
    return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
  };
}

/** Poisson by Knuth for small means, else the normal distribution. */
function poisson(mean: number, random: () => number): number {
  if (mean > 60) {
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal));
  }
  const limit = Math.exp(-mean);
  let count = 0;
  for (let product = random(); product > limit; product *= random()) count += 1;
  return count;
}
