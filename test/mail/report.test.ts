import type { Breakdown } from '#src/insights/contract.ts';
import { renderMail } from '#src/mail/render.tsx';
import type { ReportData, ReportPart } from '#src/reports/values.ts';
import { overviewOf } from '#test/kit/sample-answers.ts';
import { goalFiguresOf } from '#test/kit/sample-values.ts';

const base = 'https://luneta.example.com';
const sources: Breakdown = {
  dimension: 'source',
  cols: ['value', 'visitors', 'count', 'previous'],
  rows: [
    ['google', 3_000, 4_210, 3_600],
    ['', 2_000, 2_718, 2_900],
    ['<img src=x onerror=alert(1)>', 1, 2, null],
  ],
  count: 9_712,
  total: 61,
  other: { values: 58, count: 2_782 },
};
const views = { event: '$pageview' };
const trend: ReportPart = {
  kind: 'insight',
  name: 'Signups',
  insight: 'trends',
  query: { range: 'last_7_days', series: [{ event: views, measure: 'persons' }] },
  result: {
    timeZone: 'America/Sao_Paulo',
    interval: 'day',
    starts: Array.from({ length: 7 }, (_, day) => Date.UTC(2026, 10, 9 + day, 3)),
    running: null,
    series: [
      {
        rows: [
          { value: '', total: 28, previous: 14, points: [1, 2, 3, 4, 5, 6, 7], comparisonPoints: null, ignored: 0 },
        ],
      },
    ],
    formulas: [],
  },
};
const step = (count: number, share: number) => ({ count, previous: count / 2, conversionFromStart: share });
const funnel: ReportPart = {
  kind: 'insight',
  name: 'Checkout',
  insight: 'funnel',
  query: { steps: [views, { event: 'purchase' }] },
  result: { total: { steps: [step(1_000, 1), step(250, 0.25)] } },
};

const hours = (value: (day: number, hour: number) => number) =>
  Array.from({ length: 7 }, (_, day) => Array.from({ length: 24 }, (_, hour) => value(day, hour)));
const heatmap: ReportPart = {
  kind: 'heatmap',
  result: {
    timeZone: 'America/Sao_Paulo',
    weekStart: 1,
    range: { from: Date.UTC(2026, 10, 9, 3), to: Date.UTC(2026, 10, 16, 3), until: null },
    visitors: hours((day, hour) => (day === 2 && hour === 14 ? 310 : hour > 7 ? 10 : 0)),
    views: hours(() => 20),
    dates: Array.from({ length: 7 }, () => 1),
    datesByHour: hours((day, hour) => (day === 0 && hour < 3 ? 0 : 1)),
  },
};
const measured = { value: 1_900, samples: 200, good: 150, poor: 10, rating: 'good' };
const webVitals: ReportPart = {
  kind: 'vitals',
  result: {
    vitals: {
      LCP: measured,
      INP: { ...measured, value: 240, rating: 'fair' },
      CLS: { samples: 0 },
      FCP: { samples: 0 },
    },
  },
};

function report(over: Partial<ReportData> = {}): ReportData {
  const overview = overviewOf({
    range: { from: '2026-11-09', to: '2026-11-15' },
    compare: 'previous',
    interval: 'day',
  });
  return {
    link: `${base}/project/1?from=2026-11-09&to=2026-11-15`,
    manageLink: `${base}/account`,
    unsubscribeLink: `${base}/reports/${'t'.repeat(32)}`,
    kind: 'summary',
    name: '',
    project: 'Café Serrana',
    timeZone: 'America/Sao_Paulo',
    schedule: { frequency: 'weekly', weekday: 1, hour: 8 },
    dates: { from: '2026-11-09', to: '2026-11-15' },
    previous: { from: '2026-11-02', to: '2026-11-08' },
    parts: [
      { kind: 'overview', result: overview, metrics: ['visitors', 'visits', 'views'], chart: 'visits' },
      { kind: 'breakdown', result: sources },
      { kind: 'goals', result: goalFiguresOf({ compare: 'previous' }) },
      trend,
      funnel,
      heatmap,
      webVitals,
      { kind: 'heading', text: 'Notes' },
      { kind: 'text', text: '# Plan\n\nMore **coffee**, see [the page](https://example.com).' },
      { kind: 'failed', name: 'Slow one' },
    ],
    more: 2,
    goals: [],
    ...over,
  };
}

const write = (data: ReportData, language: 'en' | 'pt-BR') =>
  renderMail({ kind: 'report', to: 'boss@example.com', language, data });
const shownIn = (html: string) =>
  html
    .replace(/<(head|div style="display:none)[\s\S]*?<\/(head|div)>/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&amp;', '&')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&#x27;', "'");

it.each(['en', 'pt-BR'] as const)('says the same as HTML and as text, in %s', (language) => {
  const { subject, html, text, headers } = write(report(), language);
  expect(subject.replaceAll('\u00a0', ' ')).toBe(
    language === 'en' ? 'Café Serrana: Week of 9 – 15 Nov' : 'Café Serrana: Semana de 9 – 15 nov',
  );
  const shown = new Set(
    shownIn(html)
      .match(/[\p{L}\d@.,%]+/gu)
      ?.map((word) => word.toLocaleLowerCase()),
  );
  // Addresses of links stand in the text alone.
  const words = text.replace(/https?:\/\/\S+/g, '').match(/[\p{L}\d@.,%]+/gu) ?? [];
  expect(words.filter((word) => !shown.has(word.toLocaleLowerCase()))).toEqual([]);
  expect(html).not.toMatch(/undefined|\[object|NaN/);
  expect(text).not.toMatch(/undefined|\[object|NaN/);
  expect(headers).toEqual({
    'List-Unsubscribe': `<${base}/reports/${'t'.repeat(32)}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  });
  expect(text).toContain(`${base}/reports/${'t'.repeat(32)}`);
});

it('loads nothing, runs nothing, and has no markup of others', () => {
  const { html } = write(report(), 'en');
  expect(html).not.toMatch(/<(script|img|link|iframe|form|input)\b/);
  expect(html).not.toMatch(/url\(|@import/);
  expect(html).toContain('&lt;img src=x');
  expect([...html.matchAll(/href="([^"]+)"/g)].every(([, href]) => href?.startsWith(base))).toBe(true);
});

it('names numbers as screens do', () => {
  const text = write(report(), 'en').text.replaceAll('\u00a0', ' ');
  expect(text).toContain('Compared with 2 – 8 Nov.');
  expect(text).toContain('Every Monday at 08:00, for boss@example.com.');
  expect(text).toMatch(/google\s+4,210 {2}43\.3% {2}\(\+16\.9%\)/);
  expect(text).toMatch(/58 other sources\s+2,782 {2}28\.6%/);
  expect(text).toMatch(/SIGNUPS\nPage view\s+28 {2}\(\+100\.0%\)/);
  expect(text).toMatch(/2 purchase\s+250 {2}25\.0% {2}\(\+100\.0%\)/);
  expect(text).toContain('WEEKLY HEATMAP\nTuesdays, 14:00–15:00: 310 visitors\n');
  expect(text).toMatch(/\(LCP\)\s+1\.9 s {2}Good\n.*\(INP\)\s+240 ms {2}Needs improvement\n75th percentile/);
  expect(text).toContain('More coffee, see the page.');
  expect(text).toContain('“Slow one” couldn’t be computed this time.');
});

it('says that there was nothing', () => {
  const { text } = write(
    report({
      parts: [{ kind: 'breakdown', result: { ...sources, rows: [], other: { values: 0, count: 0 } } }],
      more: 0,
    }),
    'en',
  );
  expect(text).toContain('No visits in this period');
});

it('is as long as mail programs show it, and says what was left out', () => {
  const long = {
    ...sources,
    rows: Array.from({ length: 40 }, (_, at) => [`source ${at} ${'x'.repeat(90)}`, 1, 5, 3] as never),
  };
  const parts: ReportPart[] = Array.from({ length: 24 }, () => ({ kind: 'breakdown', result: long }));
  const { html, text } = write(report({ parts }), 'pt-BR');
  expect(Buffer.byteLength(html)).toBeLessThan(90_000);
  expect(Buffer.byteLength(html)).toBeGreaterThan(50_000);
  expect(text).toContain('encurtado');
});
