import { en } from '#views/words/en.ts';
import { exactTime } from '#views/words/exact.ts';
import { formatOf } from '#views/words/format.ts';
import { installWords } from '#views/words/install.ts';
import { liveWords } from '#views/words/live.ts';
import { panelWords } from '#views/words/panels.ts';
import { problemWords } from '#views/words/problem.ts';
import { ptBR } from '#views/words/pt-br.ts';
import { ago } from '#views/words/relative.ts';

const english = formatOf(en);
const portuguese = formatOf(ptBR);
const SAO_PAULO = 'America/Sao_Paulo';
/** No-break spaces read as spaces in the tables below. */
const plain = (text: string): string => text.replaceAll('\u00a0', ' ');

describe('numbers', () => {
  it.each([
    [0, '0', '0'],
    [976, '976', '976'],
    [27_983, '27,983', '27.983'],
    [1_000, '1,000', '1.000'],
    [-12, '−12', '−12'],
  ])('%d', (value, inEnglish, inPortuguese) => {
    expect(english.number(value)).toBe(inEnglish);
    expect(portuguese.number(value)).toBe(inPortuguese);
  });

  it.each([
    [0.386, '38.6%', '38,6%'],
    [0.05, '5.0%', '5,0%'],
    [1, '100%', '100%'],
    [0, '0%', '0%'],
    [0.996, '99.6%', '99,6%'],
    [0.99996, '99.9%', '99,9%'],
    [0.00001, '<0.1%', '<0,1%'],
  ])('percent of %d', (share, inEnglish, inPortuguese) => {
    expect(english.percent(share)).toBe(inEnglish);
    expect(portuguese.percent(share)).toBe(inPortuguese);
  });

  it.each([
    [0.026, '+2.6 pp', '+2,6 p.p.'],
    [-0.026, '−2.6 pp', '−2,6 p.p.'],
  ])('points of %d', (difference, inEnglish, inPortuguese) => {
    expect(plain(english.change(difference, 0, 'share')?.text ?? '')).toBe(inEnglish);
    expect(plain(portuguese.change(difference, 0, 'share')?.text ?? '')).toBe(inPortuguese);
  });

  it.each([
    [600, 2_400, '600', '600'],
    [2_400, 2_400, '2,400', '2.400'],
    [12_000, 12_000, '12k', '12 mil'],
    [2_500, 10_000, '2.5k', '2,5 mil'],
    [1_200_000, 1_200_000, '1.2M', '1,2 mi'],
    [500_000, 2_000_000, '0.5M', '0,5 mi'],
    [3e9, 3e9, '3B', '3 bi'],
    [0, 12_000, '0', '0'],
  ])('%d on an axis up to %d', (value, largest, inEnglish, inPortuguese) => {
    expect(plain(english.short(value, largest))).toBe(inEnglish);
    expect(plain(portuguese.short(value, largest))).toBe(inPortuguese);
  });
});

describe('changes', () => {
  it.each([
    ['count', 27_983, 23_417, '+19.5%', 'up'],
    ['count', 90, 100, '−10.0%', 'down'],
    ['count', 100, 100, 'No change', null],
    ['count', 100_001, 100_000, 'No change', null],
    ['count', 5, 0, 'new', 'up'],
    ['count', 0, 0, 'No change', null],
    ['count', 12, 3, '+9', 'up'],
    ['count', 3, 12, '−9', 'down'],
    ['count', 2_000, 100, '+1,900%', 'up'],
    ['share', 0.386, 0.412, '−2.6 pp', 'down'],
    ['share', 0.3861, 0.386, 'No change', null],
    ['share', 0.1, 0, '+10.0 pp', 'up'],
    ['seconds', 164, 151, '+8.6%', 'up'],
  ] as const)('%s from %3$d to %2$d', (kind, value, before, text, direction) => {
    const change = english.change(value, before, kind);
    expect(plain(change?.text ?? '')).toBe(text);
    expect(change?.direction).toBe(direction);
  });

  it.each([
    ['money BRL', 74.2, 287.6, 19, '−R$213.40', '−R$ 213,40', 'down'],
    ['money BRL', 287.6, 118.06, 3, '+R$169.54', '+R$ 169,54', 'up'],
    ['money BRL', 4_500, 2_000.5, 3, '+R$2,500', '+R$ 2.500', 'up'],
    ['money ', 12, 3, 2, '+9.00', '+9,00', 'up'],
    ['money BRL', 287.6, 0, 3, 'new', 'novo', 'up'],
    ['money BRL', 287.6, 287.6, 3, 'No change', 'sem variação', null],
    ['money BRL', 287.6, 118.06, 20, '+143.6%', '+143,6%', 'up'],
    ['share', 0.5, 0.25, 3, '+25.0 pp', '+25,0 p.p.', 'up'],
  ] as const)(
    '%s from %3$d to %2$d, of %4$d events',
    (kind, value, before, events, inEnglish, inPortuguese, direction) => {
      const change = english.change(value, before, kind, events);
      expect([plain(change?.text ?? ''), change?.direction]).toEqual([inEnglish, direction]);
      expect(plain(portuguese.change(value, before, kind, events)?.text ?? '')).toBe(inPortuguese);
    },
  );

  it('says nothing without both sides', () => {
    expect(english.change(null, 3, 'count')).toBeNull();
    expect(english.change(3, null, 'count')).toBeNull();
  });
});

describe('durations', () => {
  it.each([
    [0, '0s'],
    [44.4, '44s'],
    [59.6, '1m 00s'],
    [164, '2m 44s'],
    [3_720, '1h 02m'],
  ])('%d s', (seconds, text) => {
    expect(plain(english.duration(seconds))).toBe(text);
    expect(plain(portuguese.duration(seconds))).toBe(text);
  });

  it.each([
    [4.2, '4 ms', '4 ms'],
    [99.4, '99 ms', '99 ms'],
    [99.6, '0.1 s', '0,1 s'],
    [412, '0.4 s', '0,4 s'],
    [9_940, '9.9 s', '9,9 s'],
    [9_960, '10 s', '10 s'],
    [59_960, '1m 00s', '1m 00s'],
  ])('delay of %d ms', (ms, inEnglish, inPortuguese) => {
    expect(plain(english.delay(ms))).toBe(inEnglish);
    expect(plain(portuguese.delay(ms))).toBe(inPortuguese);
  });
});

describe('dates', () => {
  const moment = Date.parse('2026-11-12T17:32:08.412Z');

  it.each([
    ['2026-10-24', '2026-11-20', '24 Oct – 20 Nov', '24 out – 20 nov'],
    ['2026-11-01', '2026-11-20', '1 – 20 Nov', '1 – 20 nov'],
    ['2026-11-20', '2026-11-20', '20 Nov', '20 nov'],
    ['2025-12-24', '2026-01-20', '24 Dec 2025 – 20 Jan 2026', '24 dez 2025 – 20 jan 2026'],
    ['2025-11-01', '2025-11-20', '1 – 20 Nov 2025', '1 – 20 nov 2025'],
  ])('range %s to %s', (from, to, inEnglish, inPortuguese) => {
    expect(plain(english.range(from, to, 2026))).toBe(inEnglish);
    expect(plain(portuguese.range(from, to, 2026))).toBe(inPortuguese);
  });

  it('day, clock and exact time in the zone that is named', () => {
    expect(plain(english.dayTime(moment, SAO_PAULO))).toBe('Thu 12 Nov, 14:32');
    expect(plain(portuguese.dayTime(moment, SAO_PAULO))).toBe('qui 12 nov, 14:32');
    expect(english.clock(moment, SAO_PAULO)).toBe('14:32:08');
    expect(exactTime(moment, SAO_PAULO)).toBe('2026-11-12 14:32:08.412 UTC−3');
    expect(english.zone(moment, SAO_PAULO)).toBe('America/Sao_Paulo (UTC−3)');
    expect(english.zone(moment, 'UTC')).toBe('UTC');
    expect(english.monthYear(moment, SAO_PAULO)).toBe('Nov 2026');
    expect(portuguese.monthYear(moment, SAO_PAULO)).toBe('nov. de 2026');
  });

  it.each([
    [3_000, 'just now', 'agora mesmo'],
    [42_000, '42 s ago', 'há 42 s'],
    [8 * 60_000, '8 min ago', 'há 8 min'],
    [5 * 3_600_000, '5 h ago', 'há 5 h'],
    [25 * 3_600_000, 'Thu 12 Nov, 14:32', 'qui 12 nov, 14:32'],
  ])('%d ms ago', (elapsed, inEnglish, inPortuguese) => {
    expect(plain(ago(moment, moment + elapsed, SAO_PAULO, en))).toBe(inEnglish);
    expect(plain(ago(moment, moment + elapsed, SAO_PAULO, ptBR))).toBe(inPortuguese);
  });
});

describe('catalogues', () => {
  const leaves = (value: unknown, path: string): [string, unknown][] =>
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? Object.entries(value).flatMap(([key, inner]) => leaves(inner, `${path}.${key}`))
      : [[path, value]];

  const all = Object.entries({ en, ptBR, installWords, liveWords, panelWords, problemWords }).flatMap(([name, part]) =>
    leaves(part, name),
  );

  it('leave no text empty', () => {
    for (const [path, value] of all) {
      if (typeof value === 'string') expect([path, value.trim()]).not.toEqual([path, '']);
    }
  });

  it('use no straight minus or three dots in place of the real signs', () => {
    for (const [path, value] of all) {
      if (typeof value === 'string') expect([path, value]).not.toEqual([path, expect.stringMatching(/\.\.\.|!$/)]);
    }
  });
});
