/**
 * Answers of the calls for tests of the screens: a coffee shop whose figures follow from the date alone, so that every range,
 * comparison and interval has some. Ranges and intervals are the product's own.
 */

import { tracked } from '@trpc/server';
import type { ProjectCopy } from '#src/clickhouse/contract.ts';
import type { Ingestion, Install } from '#src/collect/contract.ts';
import {
  type EventDetail,
  eventInput,
  type LivePresence,
  type LiveRow,
  type LiveUpdate,
  liveStreamInput,
} from '#src/events/contract.ts';
import { explainStored } from '#src/events/explain.ts';
import {
  type Breakdown,
  type BreakdownInput,
  breakdownInput,
  goalFiguresInput,
  type Overview,
  type OverviewInput,
  type OverviewMetric,
  overviewInput,
  overviewMetrics,
} from '#src/insights/contract.ts';
import {
  allowedIntervals,
  chooseInterval,
  divide,
  divideComparison,
  runningIndex,
} from '#src/insights/query/intervals.ts';
import { countedUntil, resolveComparison, resolveRange } from '#src/insights/query/ranges.ts';
import type { JobStatus } from '#src/jobs/contract.ts';
import { notFound } from '#src/kit/errors.ts';
import { zoneOf } from '#src/kit/zone.ts';
import { type ProjectConfiguration, type ProjectSummary, projectSettings } from '#src/projects/contract.ts';
import type { ProxyProblem } from '#src/proxies/contract.ts';
import type { RelayStatus } from '#src/relay/contract.ts';
import { explainUpstream } from '#src/relay/explain.ts';
import { projectProcedure, publicProcedure, router } from '#src/trpc/procedure.ts';
import { goalFiguresOf, sampleGoals, valueProcedures } from './sample-values.ts';

/** Friday, 20 November 2026, 14:32:08 in São Paulo. */
export const SAMPLE_TIME = Date.parse('2026-11-20T17:32:08Z');
const ZONE = 'America/Sao_Paulo';
const HOUR = 3_600_000;

/** What a test changes while the page is open. */
export interface SampleShop {
  projects: ProjectSummary[];
  configuration: ProjectConfiguration;
  install: Install;
  ingestion: Ingestion | null;
  relay: RelayStatus;
  /** Null: no ClickHouse is set. */
  copy: ProjectCopy | null;
  jobs: JobStatus[];
  proxyProblem: ProxyProblem | null;
  rows: LiveRow[];
  /** Sends rows to those who watch Live. */
  arrive(rows: LiveRow[]): void;
  /** Ends all streams, as a server does that stops. */
  hangUp(): void;
  /** Awaited before an answer of the insights: holds them back. */
  before(path: 'overview' | 'breakdown'): Promise<void>;
  testEvents: number;
}

type Shop = SampleShop & { listeners: Set<(update: LiveUpdate | null) => void> };

export function sampleShop(changes: Partial<SampleShop> = {}): SampleShop {
  const listeners: Shop['listeners'] = new Set();
  const shop: Shop = {
    projects: [sampleProject(1, 'Luneta', true), sampleProject(2, 'Café Serrana', false)],
    configuration: sampleConfiguration(),
    install: {
      token: 'lnt_7Qd2vXk9',
      host: 'https://analytics.serrana.example/ingest',
      receivedAny: false,
      outside: null,
      lastProblem: null,
      refusal: null,
      onlyBots: false,
      alias: 'moon',
    },
    ingestion: sampleIngestion(),
    relay: sampleRelay('store'),
    copy: null,
    jobs: sampleJobs(),
    proxyProblem: null,
    rows: sampleRows(),
    listeners,
    arrive(rows) {
      shop.rows = [...rows.toReversed(), ...shop.rows];
      for (const listener of listeners)
        listener({ summary: summaryOf(), rows, passedOver: { rows: 0, more: false }, cursor: `c${rows.at(-1)?.uuid}` });
    },
    hangUp() {
      for (const listener of listeners) listener(null);
    },
    before: async () => undefined,
    testEvents: 0,
    ...changes,
  };
  return shop;
}

export function sampleProject(id: number, name: string, builtIn: boolean): ProjectSummary {
  return {
    id,
    name,
    team: { id: 1, name: 'Serrana' },
    role: 'owner',
    deletesAt: null,
    timeZone: ZONE,
    weekStart: 1,
    builtIn,
    token: `lnt_sample${id}`,
    hasOutsideEvents: !builtIn,
    replay: { isOn: false, viewersWatch: false },
    groupTypes: [],
    demo: false,
  };
}

export function sampleConfiguration(changes: Partial<ProjectConfiguration> = {}): ProjectConfiguration {
  return {
    ...{ id: 2, name: 'Café Serrana', timeZone: ZONE, weekStart: 1, builtIn: false, deletesAt: null },
    settings: projectSettings.parse({ allowedOrigins: ['https://loja.serrana.example'], retentionDays: 395 }),
    secretKeys: [],
    tokens: [
      { token: 'lnt_sample2', kind: 'current', createdAt: SAMPLE_TIME, acceptedUntil: null },
      { token: 'lnt_before', kind: 'replaced', createdAt: 0, acceptedUntil: SAMPLE_TIME + 24 * HOUR },
      { token: 'phc_moved', kind: 'added', createdAt: 0, acceptedUntil: null },
    ],
    ...changes,
  };
}

/** A router with the product's names, answering from the shop. */
export function sampleRouter(sample: SampleShop) {
  const shop = sample as Shop;
  const { heatmap, vitals, ...explained } = valueProcedures({ timeZone: ZONE, now: SAMPLE_TIME });
  return router({
    accounts: router({ me: publicProcedure.query(({ ctx }) => ctx.reader) }),
    projects: router({
      list: publicProcedure.query(() => shop.projects),
      settings: projectProcedure.query(() => shop.configuration),
    }),
    insights: router({
      goals: router({
        list: projectProcedure.query(() => sampleGoals),
        reached: projectProcedure.query(() => sampleGoals.map(({ id }) => ({ id, day: SAMPLE_TIME }))),
      }),
      segments: router({ list: projectProcedure.query(() => []) }),
      annotations: router({ list: projectProcedure.query(() => []) }),
      query: router({
        overview: projectProcedure.input(overviewInput).query(async ({ input }) => {
          await shop.before('overview');
          return overviewOf(input);
        }),
        goals: projectProcedure.input(goalFiguresInput).query(({ input }) => goalFiguresOf(input)),
        breakdown: projectProcedure.input(breakdownInput).query(async ({ input }) => {
          await shop.before('breakdown');
          return breakdownOf(input);
        }),
        heatmap,
        vitals,
      }),
      ...explained,
    }),
    errors: router({ releases: projectProcedure.query(() => []) }),
    events: router({
      stored: projectProcedure.query(() => ({ events: 1_284_306 })),
      explainStored: projectProcedure.query(({ ctx }) => explainStored(ctx.project.id, SAMPLE_TIME)),
      now: projectProcedure.query(() => ({ ...summaryOf(), waiting: shop.ingestion?.spool?.events ?? 0 })),
      live: projectProcedure.query(() => ({ summary: summaryOf(), rows: shop.rows, cursor: 'c0' })),
      liveStream: projectProcedure.input(liveStreamInput).subscription(async function* ({ signal }) {
        for await (const update of updatesOf(shop, signal)) yield tracked(update.cursor, update);
      }),
      detail: projectProcedure.input(eventInput).query(({ input }) => {
        const row = shop.rows.find(({ uuid }) => uuid === input.uuid);
        if (!row) throw notFound('event');
        return detailOf(row);
      }),
    }),
    collect: router({
      install: projectProcedure.query(() => shop.install),
      ingestion: projectProcedure.query(() => shop.ingestion),
      sendTestEvent: projectProcedure.mutation(() => {
        shop.testEvents += 1;
        return { uuid: uuidOf(900), ts: SAMPLE_TIME, outcome: 'stored' as const };
      }),
    }),
    relay: router({
      status: publicProcedure.query(() => shop.relay),
      explain: publicProcedure.query(() => explainUpstream(SAMPLE_TIME, true)),
      test: publicProcedure.mutation(() => ({ ok: true, status: 200, tookMs: 212, message: '' })),
    }),
    clickhouse: router({ project: projectProcedure.query(() => shop.copy) }),
    jobs: router({ status: publicProcedure.query(() => shop.jobs) }),
    proxies: router({ problem: publicProcedure.query(() => shop.proxyProblem) }),
  });
}

async function* updatesOf(shop: Shop, signal: AbortSignal | undefined): AsyncGenerator<LiveUpdate, void> {
  const waiting: (LiveUpdate | null)[] = [];
  let wake = (): void => undefined;
  const listener = (update: LiveUpdate | null): void => {
    waiting.push(update);
    wake();
  };
  shop.listeners.add(listener);
  signal?.addEventListener('abort', () => listener(null));
  try {
    for (;;) {
      while (waiting.length === 0) await new Promise<void>((resolve) => (wake = resolve));
      const update = waiting.shift();
      if (!update) return;
      yield update;
    }
  } finally {
    shop.listeners.delete(listener);
  }
}

// ---- Figures ----------------------------------------------------------------------------------------------------------

/** 0 to 1, the same for the same number. */
function noise(seed: number): number {
  const x = Math.sin(seed * 12.9898) * 43_758.5453;
  return x - Math.floor(x);
}

/** Visitors of one hour: fewer at night and at weekends, growing over the months, one day that stands out. */
function visitorsAt(hour: number): number {
  const local = new Date(hour - 3 * HOUR);
  const day = Math.floor((hour - 3 * HOUR) / (24 * HOUR));
  const daily = 30 + 34 * Math.max(0, Math.sin(((local.getUTCHours() - 5) / 19) * Math.PI));
  const weekend = local.getUTCDay() % 6 === 0 ? 0.78 : 1;
  const growth = 1 + (day - 20_750) / 260;
  const newsletter = day === 20_769 ? 1.6 : day === 20_770 ? 1.25 : 1;
  return Math.max(0, daily * weekend * growth * newsletter * (0.94 + 0.12 * noise(day)));
}

function sumOf(from: number, to: number): number {
  let sum = 0;
  for (let hour = Math.floor(from / HOUR) * HOUR; hour < to; hour += HOUR) sum += visitorsAt(hour);
  return Math.round(sum);
}

function metricOf(metric: OverviewMetric, from: number, to: number): number {
  const visitors = sumOf(from, to);
  const day = Math.floor(from / (24 * HOUR));
  switch (metric) {
    case 'visitors':
      return visitors;
    case 'visits':
      return Math.round(visitors * 1.22);
    case 'views':
      return Math.round(visitors * 3.4);
    case 'viewsPerVisit':
      return 3.2 + 0.4 * noise(day + 5);
    case 'bounceRate':
      return 0.38 + 0.05 * noise(day + 7) - (day - 20_750) / 1_500;
    case 'visitDuration':
      return 150 + 20 * noise(day + 3) + (day - 20_750) / 4;
  }
}

const kept = new Map<string, Overview>();

export function overviewOf(input: OverviewInput): Overview {
  const key = JSON.stringify(input);
  const known = kept.get(key) ?? makeOverview(input);
  kept.set(key, known);
  return known;
}

function makeOverview(input: OverviewInput): Overview {
  const context = {
    zone: zoneOf(ZONE),
    weekStart: 1 as const,
    now: SAMPLE_TIME,
    firstEvent: SAMPLE_TIME - 300 * 24 * HOUR,
  };
  const found = resolveRange(input.range, context);
  const comparison = resolveComparison(found, input.compare, context.zone);
  const allowed = allowedIntervals(found.range);
  const interval = chooseInterval(found.range, input.interval);
  const buckets = divide(found.range, interval, context);
  const before = comparison ? divideComparison(buckets, interval, comparison, context.zone) : [];
  const series = (list: typeof buckets, until: number) =>
    byMetric((metric) =>
      list.map(({ from, to }) => (from > until || to <= from ? null : metricOf(metric, from, Math.min(to, until)))),
    );
  return {
    timeZone: ZONE,
    range: found.range,
    comparison: comparison?.range ?? null,
    interval,
    allowedIntervals: allowed,
    metrics: byMetric((metric) => ({
      value: metricOf(metric, found.range.from, countedUntil(found.range)),
      previous: comparison && metricOf(metric, comparison.range.from, countedUntil(comparison.range)),
      ...(metric === 'bounceRate' ? { parts: { numerator: 17_458, denominator: 45_229 } } : {}),
      ...(metric === 'viewsPerVisit' ? { parts: { numerator: 143_688, denominator: 45_229 } } : {}),
    })),
    starts: buckets.map(({ from }) => from),
    running: runningIndex(buckets, found.range),
    series: series(buckets, countedUntil(found.range)),
    comparisonStarts: before.map(({ from }) => from),
    comparisonSeries: comparison && series(before, countedUntil(comparison.range)),
    excluded: { bots: 1_204, internal: 0 },
    included: { bots: 0, internal: 0 },
    caveats: [],
    goal: null,
  };
}

function byMetric<Value>(make: (metric: OverviewMetric) => Value): Record<OverviewMetric, Value> {
  return Object.fromEntries(overviewMetrics.map((metric) => [metric, make(metric)])) as Record<OverviewMetric, Value>;
}

const values: Record<BreakdownInput['dimension'], string[]> = {
  page: [
    '/',
    '/produtos',
    '/assinatura',
    '/produtos/bourbon-amarelo-250g',
    '/blog/como-moer-cafe-em-casa',
    '/carrinho',
    '/produtos/catuai-vermelho-500g',
    '/checkout',
    '/blog/receitas/cafe-gelado-com-laranja-e-especiarias-da-serra',
    ...Array.from({ length: 145 }, (_, index) => `/blog/post-${index + 1}`),
  ],
  source: ['Google', '$direct', 'Instagram', 'WhatsApp', 'guiadocafe.example'],
  referringDomain: [
    'google.com',
    '',
    'instagram.com',
    'bing.com',
    'web.whatsapp.com',
    'guiadocafe.example',
    'youtube.com',
    'linktr.ee',
    ...Array.from({ length: 61 }, (_, index) => `parceiro-${index + 1}.example`),
  ],
  entryPage: ['/', '/blog/como-moer-cafe-em-casa', '/produtos'],
  exitPage: ['/checkout', '/', '/carrinho'],
  outbound: [
    'https://wa.me/5511999990000',
    'https://guiadocafe.example/melhores-torras?de=serrana',
    'http://instagram.com/',
  ],
  channel: ['Organic Search', 'Direct', 'Organic Social', 'Email', 'Paid Search', 'Referral'],
  utmSource: ['', 'newsletter', 'instagram'],
  utmMedium: ['', 'email', 'social', 'cpc'],
  utmCampaign: ['', 'colheita 2026', 'dia das mães'],
  utmTerm: ['', 'café especial'],
  utmContent: ['', 'botão do topo'],
  country: ['BR', 'PT', 'US', 'AR', 'DE', '', 'UY'],
  region: ['São Paulo, BR-SP', 'Minas Gerais, BR-MG', 'Lisboa, PT-11', ''],
  city: ['São Paulo, BR-SP', 'Belo Horizonte, BR-MG', 'Lisboa, PT-11', ''],
  language: ['pt-BR', 'en-US', 'pt-PT', 'es-419', ''],
  timeZone: ['America/Sao_Paulo', 'America/Manaus', 'Europe/Lisbon', ''],
  deviceType: ['Mobile', 'Desktop', 'Tablet', ''],
  browser: ['Chrome', 'Mobile Safari', 'Samsung Internet', 'Firefox'],
  os: ['Android', 'Windows', 'iOS', 'Mac OS X'],
  viewportWidth: ['0-575', '1440+', '992-1439', '576-991', ''],
  event: ['$pageview', 'produto_visto', '$autocapture', 'adicionou_ao_carrinho', 'pedido_concluido'],
};

function breakdownOf({ dimension, limit, compare }: BreakdownInput): Breakdown {
  const all = values[dimension].map((value, index): [string, number, number, number | null] => {
    const count = Math.round(30_462 / (1 + index * 0.42) ** 1.35) + 1;
    return [
      value,
      Math.round(count * 0.61),
      count,
      compare === 'none' ? null : Math.round(count * (0.72 + 0.4 * noise(index))),
    ];
  });
  const count = all.reduce((sum, [, , own]) => sum + own, 0);
  const rows = all.slice(0, limit);
  const shown = rows.reduce((sum, [, , own]) => sum + own, 0);
  return {
    dimension,
    cols: ['value', 'visitors', 'count', 'previous'],
    rows,
    count,
    total: all.length,
    other: { values: all.length - rows.length, count: count - shown },
  };
}

// ---- Live -------------------------------------------------------------------------------------------------------------

function summaryOf(): LivePresence {
  return {
    peopleNow: 38,
    eventsPerMinute: 46.4,
    delayMs: 412,
    minutes: Array.from({ length: 30 }, (_, index) => (index === 4 ? 0 : Math.round(8 + 22 * noise(index + 2)))),
    pages: [
      { value: '/', people: 14 },
      { value: '/produtos/bourbon-amarelo-250g', people: 11 },
      { value: '/checkout', people: 8 },
      { value: '/blog/como-moer-cafe-em-casa', people: 5 },
    ],
    sources: [
      { value: '$direct', people: 17 },
      { value: 'google.com', people: 12 },
      { value: 'newsletter', people: 6 },
      { value: '', people: 3 },
    ],
    at: SAMPLE_TIME,
  };
}

const uuidOf = (n: number): string => `019aa1c4-7b52-7e01-9a3f-${String(n).padStart(12, '0')}`;

const people = [
  ['Helena Prado', 'helena.prado@exemplo.example'],
  ['Caio Brandão', 'caio.brandao@exemplo.example'],
  [null, 'a-7f3a'],
  [null, 'a-c21e'],
  ['Rafael Tavares', 'rafael@exemplo.example'],
] as const;

const happenings: [string, string, string | null][] = [
  ['$pageview', '/produtos/bourbon-amarelo-250g', 'BR'],
  ['adicionou_ao_carrinho', 'Bourbon Amarelo 250 g × 2', 'BR'],
  ['$pageview', '/checkout', 'BR'],
  ['produto_visto', 'Catuaí Vermelho 500 g', 'PT'],
  ['$web_vitals', 'LCP 1900 ms', 'PT'],
  ['pedido_concluido', 'valor 118.8, moeda BRL', 'BR'],
  ['$exception', 'TypeError: frete is not a function', 'BR'],
  ['$identify', '', null],
  ['buscou_produto', '<b>moedor</b>', 'AR'],
  ['$pageleave', '/blog/como-moer-cafe-em-casa', 'AR'],
];

/** A row of the stream, `secondsAgo` before the sample's moment. */
export function sampleRow(n: number, secondsAgo: number): LiveRow {
  const [event, detail, country] = happenings[n % happenings.length] as [string, string, string | null];
  const [label, distinctId] = people[n % people.length] as readonly [string | null, string];
  const ts = SAMPLE_TIME - secondsAgo * 1_000;
  return {
    ts,
    receivedAt: ts + 400,
    uuid: uuidOf(n),
    event,
    detail,
    person: { uuid: uuidOf(500 + (n % people.length)), identified: label !== null, label, distinctId },
    path: detail.startsWith('/') ? detail : null,
    country,
    bot: n === 9,
  };
}

function sampleRows(): LiveRow[] {
  return Array.from({ length: 40 }, (_, index) => sampleRow(index, index * 3));
}

function detailOf(row: LiveRow): EventDetail {
  return {
    ts: row.ts,
    receivedAt: row.receivedAt,
    uuid: row.uuid,
    event: row.event,
    distinctId: row.person.distinctId,
    session: '019aa1c4-7b52-7e01-9a3f-4f0d2c55b1e9',
    person: {
      ...row.person,
      properties: row.person.identified ? { name: row.person.label, email: row.person.distinctId, pedidos: 4 } : {},
    },
    properties: [
      { name: 'produto', value: 'Bourbon Amarelo 250 g', type: 'text' },
      { name: 'quantidade', value: 2, type: 'number' },
      { name: 'valor', value: 79.8, type: 'number' },
      { name: 'presente', value: false, type: 'boolean' },
      { name: 'itens', value: [{ sku: 'BAM-250', quantidade: 2 }], type: 'list' },
      { name: 'nota', value: '<img src=x onerror=alert(1)>', type: 'text' },
      { name: 'atalho', value: 'javascript:alert(1)', type: 'text' },
      { name: '$current_url', value: 'https://loja.serrana.example/produtos/bourbon-amarelo-250g', type: 'URL' },
      { name: '$session_id', value: '019aa1c4-7b52-7e01-9a3f-4f0d2c55b1e9', type: 'text' },
      { name: '$lib', value: 'web', type: 'text' },
    ],
    marks: row.bot ? ['bot'] : [],
  };
}

// ---- Ingestion --------------------------------------------------------------------------------------------------------

/** An hour without a hole but one, two drops, and what senders should know, with captured text in the examples. */
export function sampleIngestion(changes: Partial<Ingestion> = {}): Ingestion {
  const running = Math.floor(SAMPLE_TIME / 60_000) * 60_000;
  return {
    at: SAMPLE_TIME,
    minutes: Array.from({ length: 60 }, (_, index) => ({
      at: running - (59 - index) * 60_000,
      outcomes: {
        stored: 40 + Math.round(12 * noise(index)),
        ...(index % 20 === 0 ? { duplicate: 3, too_large: 1 } : {}),
      },
    })).filter((_, index) => index !== 41),
    problems: [
      {
        reason: 'clock_ahead',
        times: 1_204,
        at: SAMPLE_TIME - 90_000,
        sample: { event: '$pageview', aheadMs: 5_400_000 },
      },
      { reason: 'merge_refused', times: 3, at: SAMPLE_TIME - 5 * HOUR, sample: { distinctId: '<b>helena</b>' } },
      { reason: 'of a later version', times: 1, at: SAMPLE_TIME - 20 * HOUR, sample: { note: `${'W'.repeat(400)}` } },
    ],
    isStoring: true,
    isSlow: false,
    guarantee: 'durable',
    spool: { events: 0, bytes: 0, oldestAt: null },
    latencyMs: { p50: 4.2, p99: 31 },
    refused: [
      { at: running - 14 * 60_000, outcomes: { token: 12, unavailable: 2_040 } },
      { at: running - 60_000, outcomes: { token: 3, too_large: 1 } },
    ],
    ...changes,
  };
}

export function sampleRelay(mode: RelayStatus['mode']): RelayStatus {
  const isOn = mode !== 'store';
  return {
    mode,
    host: isOn ? 'us.i.posthog.com' : null,
    abroad: isOn,
    since: isOn ? SAMPLE_TIME - 960 * HOUR : null,
    passed: isOn ? 40_112 : 0,
    failed: isOn ? 7 : 0,
    inFlight: isOn ? 2 : 0,
    lastProblem: isOn
      ? {
          at: SAMPLE_TIME - HOUR,
          message: 'Upstream unreachable (ECONNREFUSED).',
          kind: 'refused',
          status: null,
        }
      : null,
    queue:
      mode === 'mirror'
        ? {
            requests: 1_840,
            bytes: 2_400_000,
            oldestAt: SAMPLE_TIME - HOUR,
            refused: 1,
            isRefusedFull: false,
            lastRefusal: null,
            skipped: 12,
          }
        : null,
  };
}

function sampleJobs(): JobStatus[] {
  const fine = {
    every: 'hour',
    startedAt: SAMPLE_TIME - HOUR,
    isRunning: false,
    tookMs: 80,
    failures: 0,
    error: null,
  } as const;
  return [
    { ...fine, name: 'event-partitions', succeededAt: SAMPLE_TIME - HOUR },
    { ...fine, name: 'expire-events', every: 'day', succeededAt: null, isRunning: true },
    {
      ...fine,
      name: 'forget-rows',
      succeededAt: SAMPLE_TIME - 5 * HOUR,
      failures: 4,
      error: 'canceling statement due to <i>timeout</i>',
    },
  ];
}
