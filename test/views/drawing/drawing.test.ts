/** Drawings that stand alone: of every kind and chart, in both languages and themes, well-formed and with the numbers of the answer. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { drawInsight, type Reader } from '#views/drawing/draw-insight.ts';
import { palettes, type Theme } from '#views/drawing/palette.ts';
import { insightOf } from '#views/insights/address.ts';
import { type ChartName, chartNames, type Display } from '#views/insights/display.ts';
import { type KindName, schemas } from '#views/insights/insight.ts';
import { en } from '#views/words/en.ts';
import { formatOf } from '#views/words/format.ts';
import { ptBR } from '#views/words/pt-br.ts';

const DAY = 86_400_000;
const FROM = Date.UTC(2026, 10, 1);
const starts = Array.from({ length: 9 }, (_, at) => FROM + at * DAY);
const range = { from: FROM, to: FROM + 9 * DAY, fromDate: '2026-11-01', toDate: '2026-11-09', until: FROM + 8.5 * DAY };
const shared = { timeZone: 'UTC', range, starts, interval: 'day', running: 8, coverage: [] };
/** XML has no such character. */
const CONTROL = '\u0007';
const HOSTILE = `<script>&"${CONTROL}`;

const row = (value: string | null, total: number, points: (number | null)[]) => ({
  ...{ value, total, points, previous: 7_001, comparisonPoints: points.map(() => 2), ignored: 0 },
  cells: Array.from({ length: 7 }, (_, day) =>
    Array.from({ length: 24 }, (_, hour) => (hour === 3 ? null : day * hour)),
  ),
});
const trends = {
  ...{ ...shared, comparison: range, comparisonStarts: starts, edges: [null], formulas: [] },
  weeklyHeatmap: { weekStart: 1, dates: [1, 1, 1, 1, 1, 1, 1], datesByHour: [] },
  series: [
    {
      values: 3,
      rows: [
        row('BR', 4_321, [1, 2, null, 4, 0, 6, 7, 8, 9]),
        row(
          HOSTILE,
          12,
          starts.map(() => 1),
        ),
      ],
    },
  ],
};
const step = (count: number, before: number | null) => ({
  ...{ count, points: starts.map(() => 2), previous: null, conversionFromStart: count / 4_321 },
  ...{ conversionFromPrevious: before === null ? null : count / before },
  ...{ meanSecondsToConvert: null, medianSecondsToConvert: null },
});
const results: Record<KindName, object> = {
  trends,
  funnel: {
    ...shared,
    total: { value: null, steps: [step(4_321, null), step(2_000, 4_321), step(0, 2_000)] },
    ...{ rows: [], values: 0, excluded: 0, open: 3, openFrom: 7, comparison: null },
    times: { widthSeconds: 60, counts: [4_321, 3], longer: 2 },
  },
  retention: {
    ...{ ...shared, period: 'day', values: 1, columns: starts.map((_, at) => ({ from: at, to: at })) },
    rows: [
      {
        value: '',
        cohorts: starts.map((_, at) => ({ size: at === 1 ? 0 : 4_321, returned: starts.slice(at).map(() => 4_321) })),
        ...{ mean: starts.map(() => 0.5), simpleMean: starts.map(() => null) },
      },
    ],
  },
  paths: {
    ...{ timeZone: 'UTC', range, paths: 4_321, starts: null, other: { edges: 2, count: 3 } },
    edges: [
      { step: 1, from: HOSTILE, to: '/b', count: 4_321, people: 3, meanSeconds: 3 },
      { step: 2, from: '/b', to: null, count: 21, people: 3, meanSeconds: 3 },
    ],
  },
  lifecycle: {
    ...{ ...shared, new: starts.map(() => 4_321), returning: starts.map(() => 1), resurrecting: starts.map(() => 0) },
    dormant: starts.map((_, at) => (at === 8 ? null : 2)),
  },
  stickiness: { ...shared, people: [4_321, 3, 0, 1, 0, 0, 0, 0, 0], total: 4_325 },
};

const queries: Record<KindName, object> = {
  trends: { series: [{ event: { event: 'buy' } }], breakdown: { about: 'event', name: '$geoip_country_code' } },
  funnel: { steps: [{ event: HOSTILE.slice(0, 8) }, { event: 'b' }, { event: null }], optionalSteps: [2] },
  retention: { startEvent: { event: 'a' }, returningEvent: { event: 'a' }, per: 'group_1' },
  paths: {},
  lifecycle: { event: { event: 'a' } },
  stickiness: { event: { event: 'a' } },
};

function reader(language: 'en' | 'pt-BR', theme: Theme): Reader {
  const words = language === 'en' ? en : ptBR;
  return { words, format: formatOf(words), theme, today: '2026-11-09', weekStart: 1, goals: [], groups: [] };
}

function drawn(kind: KindName, display: Display, as: Reader, result = results[kind]): string {
  const input = schemas[kind].parse({ range: 'last_7_days', ...queries[kind] }) as Parameters<typeof insightOf>[1];
  return drawInsight({ insight: insightOf(kind, input, display), result, name: `Ours ${HOSTILE}` }, as);
}

/** Every element is closed, in order; there is nothing else than elements, attributes and text. */
function expectWellFormed(svg: string): void {
  const open: string[] = [];
  const rest = svg.replace(/<(\/?)([a-z]+)((?: [\w:-]+="[^"<>]*")*)(\/?)>/g, (_, closes, name, _attributes, empty) => {
    if (closes === '/') expect(open.pop()).toBe(name);
    else if (empty === '') open.push(name);
    return '';
  });
  expect(open).toEqual([]);
  expect(rest).not.toMatch(/[<>]|&(?!(amp|lt|gt|quot);)/);
  expect(svg).not.toMatch(/NaN|undefined|\[object|Infinity|<script/);
  expect(svg).not.toContain(CONTROL);
}

const displays: Record<KindName, Display[]> = {
  trends: chartNames.map((chart: ChartName) => ({ chart })),
  funnel: [{}, { funnel: 'entry' }, { funnel: 'times' }],
  retention: [{}, { chart: 'line' }, { cells: 'people' }, { cells: 'previous' }],
  paths: [{}],
  lifecycle: [{}, { chart: 'line' }, { chart: 'table' }],
  stickiness: [{}, { chart: 'line' }],
};

it.each(Object.keys(displays) as KindName[])('draws %s in every way', (kind) => {
  for (const display of displays[kind]) {
    for (const theme of ['light', 'dark'] as const) {
      const [english, portuguese] = (['en', 'pt-BR'] as const).map((language) =>
        drawn(kind, display, reader(language, theme)),
      ) as [string, string];
      for (const svg of [english, portuguese]) expectWellFormed(svg);
      expect(english).toContain('Ours &lt;script&gt;');
      expect(english).toContain(palettes[theme].canvas);
      expect(english).not.toBe(portuguese);
    }
  }
});

it('has the numbers of the answer', () => {
  const as = reader('en', 'light');
  expect(drawn('trends', { chart: 'number' }, as)).toContain('>4,321<');
  expect(drawn('trends', { chart: 'map' }, as)).toContain('Brazil: 4,321');
  expect(drawn('funnel', {}, as)).toContain('>46.3% of all<');
  expect(drawn('retention', {}, as)).toContain('>4,321<');
  expect(drawn('paths', {}, as)).toContain('>4,321<');
  expect(drawn('stickiness', {}, as)).toContain('Active people: 4,325');
  expect(drawn('trends', {}, reader('pt-BR', 'light'))).toContain('Tendências · ');
});

it('says so where there is nothing', () => {
  const nothing = {
    ...trends,
    series: [
      {
        values: 0,
        rows: [
          row(
            '',
            0,
            starts.map(() => 0),
          ),
        ],
      },
    ],
  };
  const svg = drawn('trends', {}, reader('en', 'light'), nothing);
  expectWellFormed(svg);
  expect(svg).toContain('No data');
});

it('has the colors of the screens', () => {
  const css = ['styles/tokens.css', 'charts/Heat.module.css']
    .map((file) => readFileSync(join(import.meta.dirname, '../../../views', file), 'utf8'))
    .join('');
  const both = (name: string): [string, string] => {
    const found = new RegExp(`${name}: light-dark\\((#\\w+), (#\\w+)\\)`).exec(css);
    return [found?.[1] ?? '', found?.[2] ?? ''];
  };
  const names = {
    ...{ canvas: '--canvas', ink: '--ink', ink3: '--ink-3', inkInverse: '--ink-inverse', line: '--line' },
    ...{ chartCompare: '--chart-compare', chartGrid: '--chart-grid', chartAxis: '--chart-axis' },
    chartTrack: '--chart-track',
  } as const;
  for (const [key, name] of Object.entries(names) as [keyof typeof names, string][]) {
    expect([key, palettes.light[key], palettes.dark[key]]).toEqual([key, ...both(name)]);
  }
  for (const [at, color] of palettes.light.series.entries()) {
    expect([color, palettes.dark.series[at]]).toEqual(both(`--series-${at + 1}`));
  }
  for (const [at, color] of palettes.light.heat.entries()) {
    const [, light, dark] = new RegExp(`step${at} \\{\\s+--heat: light-dark\\((#\\w+), (#\\w+)\\)`).exec(css) ?? [];
    expect([color, palettes.dark.heat[at]]).toEqual([light, dark]);
  }
});
