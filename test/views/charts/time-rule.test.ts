import { oddDayHours, periodName, type RuleInput, timeRule } from '#views/charts/time-rule.ts';
import { en } from '#views/words/en.ts';
import { ptBR } from '#views/words/pt-br.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Midnight in São Paulo. */
const midnight = (date: string): number => Date.parse(`${date}T03:00:00Z`);
const every = (from: number, step: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => from + index * step);
const plain = (text: string): string => text.replaceAll('\u00a0', ' ');

const base: Omit<RuleInput, 'starts' | 'interval'> = {
  timeZone: 'America/Sao_Paulo',
  weekStart: 1,
  running: null,
  words: en,
};
const texts = (input: RuleInput): string[] => timeRule(input).labels.map(({ text }) => plain(text));

describe('timeRule', () => {
  it('labels week starts over 28 days, and today', () => {
    const input: RuleInput = { ...base, starts: every(midnight('2026-10-24'), DAY, 28), interval: 'day', running: 27 };
    expect(texts(input)).toEqual(['26 Oct', '2 Nov', '9 Nov', '16 Nov', 'Today']);
    const { ticks } = timeRule(input);
    expect(ticks).toHaveLength(28);
    expect(ticks.filter(({ size }) => size === 'long')).toHaveLength(5);
    expect(ticks.filter(({ size }) => size === 'medium')).toHaveLength(1);
  });

  it('follows the project in which day starts a week', () => {
    const input: RuleInput = { ...base, starts: every(midnight('2026-10-24'), DAY, 28), interval: 'day', weekStart: 0 };
    expect(texts(input)).toEqual(['25 Oct', '1 Nov', '8 Nov', '15 Nov']);
  });

  it('labels every day of a week in both languages', () => {
    const input: RuleInput = { ...base, starts: every(midnight('2026-11-14'), DAY, 7), interval: 'day', running: 6 };
    expect(texts(input)).toEqual(['Sat 14', 'Sun 15', 'Mon 16', 'Tue 17', 'Wed 18', 'Thu 19', 'Today']);
    expect(texts({ ...input, words: ptBR })[0]).toBe('sáb 14');
  });

  it('labels months over 90 days, with the year in January', () => {
    expect(texts({ ...base, starts: every(midnight('2026-11-20'), DAY, 90), interval: 'day' })).toEqual([
      'Dec',
      'Jan 2027',
      'Feb',
    ]);
  });

  it('labels six hours of a day, and midnight by its date', () => {
    expect(texts({ ...base, starts: every(midnight('2026-11-20'), HOUR, 24), interval: 'hour' })).toEqual([
      '20 Nov',
      '06:00',
      '12:00',
      '18:00',
    ]);
  });

  it('labels months on weeks, and years on many months', () => {
    const weeks = every(midnight('2026-01-05'), 7 * DAY, 45);
    expect(texts({ ...base, starts: weeks, interval: 'week' })[0]).toBe('Jan 2026');
    const months = Array.from({ length: 40 }, (_, index) => Date.UTC(2024, index, 1, 3));
    expect(texts({ ...base, starts: months, interval: 'month' })).toEqual(['2024', '2025', '2026', '2027']);
  });

  it('says where a year begins on the weeks of one, and each month once', () => {
    const weeks = [midnight('2025-12-01'), ...every(midnight('2025-12-07'), 7 * DAY, 51)];
    for (const running of [null, 51]) {
      const labels = texts({ ...base, starts: weeks, interval: 'week', weekStart: 0, running });
      expect(labels).toContain('Jan 2026');
      expect(new Set(labels).size).toBe(labels.length);
    }
    const { ticks } = timeRule({ ...base, starts: weeks, interval: 'week', weekStart: 0 });
    expect(ticks.slice(0, 6).map(({ size }) => size)).toEqual(['long', 'short', 'short', 'short', 'short', 'long']);
    const days = every(midnight('2025-12-01'), DAY, 357);
    expect(texts({ ...base, starts: days, interval: 'day', running: 356 })).toContain('Jan 2026');
  });

  it('never lets two labels touch, wide or on a phone', () => {
    const cases: [RuleInput['interval'], number, number][] = [
      ['hour', HOUR, 24],
      ['hour', HOUR, 168],
      ['day', DAY, 7],
      ['day', DAY, 45],
      ['day', DAY, 90],
      ['day', DAY, 732],
      ['week', 7 * DAY, 14],
      ['week', 7 * DAY, 53],
    ];
    for (const [interval, step, count] of cases) {
      const input: RuleInput = {
        ...base,
        starts: every(midnight('2026-01-01'), step, count),
        interval,
        running: count - 1,
      };
      const { labels } = timeRule(input);
      for (const [width, shown] of [
        [560, labels],
        [290, labels.filter(({ onPhone }) => onPhone)],
      ] as const) {
        for (const [index, label] of shown.entries()) {
          const next = shown[index + 1];
          if (next)
            expect((next.at - label.at) * width).toBeGreaterThan(label.text.length * 3.1 + next.text.length * 2);
        }
      }
    }
  });
});

describe('periodName', () => {
  const names = (interval: RuleInput['interval'], starts: number[], to: number): string =>
    plain(periodName(0, { starts, to, interval, timeZone: base.timeZone, words: en }));
  const start = midnight('2026-11-09');

  it.each([
    ['hour', start + HOUR, 'Mon 9 Nov, 00:00'],
    ['day', start + DAY, 'Mon 9 Nov'],
    ['week', start + 7 * DAY, '9 – 15 Nov'],
    ['month', start + 30 * DAY, 'Nov 2026'],
  ] as const)('%s', (interval, to, name) => {
    expect(names(interval, [start], to)).toBe(name);
  });

  it('tells a day of 23 or 25 hours', () => {
    const input = { interval: 'day', timeZone: 'Europe/Lisbon', words: en } as const;
    const spring = Date.parse('2026-03-29T00:00:00Z');
    expect(oddDayHours(0, { ...input, starts: [spring], to: spring + 23 * HOUR })).toBe(23);
    expect(oddDayHours(0, { ...input, starts: [spring], to: spring + DAY })).toBeNull();
  });
});
