/** Café Serrana: products, goals and pages of the sample shop. Invented data. */

import type { beginAlert } from '#src/alerts/alerts.ts';
import { COHORT } from '#src/columns/values.ts';
import type { ErrorRules } from '#src/errors/rules/contract.ts';
import type { ExperimentInput } from '#src/experiments/contract.ts';
import { PLANNED_LIFT } from '#src/experiments/values.ts';
import { type EarlyAccessInput, type FlagFilters, type FlagInput, flagDefinition } from '#src/flags/contract.ts';
import type { CohortDraft } from '#src/insights/cohorts/contract.ts';
import type { GoalInput } from '#src/insights/goals/contract.ts';
import type { PeopleQuery } from '#src/insights/query/people/contract.ts';
import { noReplay, type ReplaySettings } from '#src/projects/replay/contract.ts';

export const shop = {
  name: 'Café Serrana',
  timeZone: 'America/Sao_Paulo',
  host: 'loja.serrana.example',
  currency: 'BRL',
};

/** What the shop records of visits. */
export const shopReplay: ReplaySettings = { ...noReplay, mode: 'problems', samplePercent: 6 };

/** Which errors the shop puts together, and which it does not want. */
export const shopErrorRules: ErrorRules = {
  groupingRules: [
    {
      id: 'rede',
      name: 'Falhas de rede',
      match: 'any',
      of: [
        { field: 'message', operator: 'contains', value: 'Failed to fetch' },
        { field: 'message', operator: 'contains', value: 'NetworkError' },
      ],
      by: 'one',
    },
  ],
  suppressionRules: [
    { id: 'navegador', match: 'any', of: [{ field: 'message', operator: 'contains', value: 'ResizeObserver loop' }] },
  ],
};

/** Types of errors that turned out to be one problem. */
export const MERGED_ERRORS = ['TypeError', 'ChunkLoadError'] as const;

/** Goals of the shop. */
export const shopGoals: readonly GoalInput[] = [
  {
    name: 'Pedido',
    rule: { kind: 'event', event: 'pedido_concluido', filters: { match: 'all', of: [] } },
    amount: { property: 'valor', currencyProperty: 'moeda', currency: null },
  },
  { name: 'Viu a assinatura', rule: { kind: 'page', pages: ['/assinatura*'] }, amount: null },
  {
    name: 'Adicionou ao carrinho',
    rule: {
      kind: 'action',
      any: [
        {
          of: 'element',
          text: 'Adicionar ao carrinho',
          href: null,
          selector: null,
          page: '/produtos/*',
          filters: { match: 'all', of: [] },
        },
      ],
    },
    amount: null,
  },
];

/** People that the shop keeps an eye on. */
export const shopCohorts: readonly (CohortDraft & { people: PeopleQuery })[] = [
  {
    name: 'Clientes recorrentes',
    description: 'Dois pedidos ou mais em 90 dias',
    people: { match: 'all', of: [{ did: { event: 'pedido_concluido' }, times: 2, within: 'last_90_days' }] },
  },
  {
    name: 'Quase compraram',
    description: 'Iniciaram o checkout em 28 dias e não pediram',
    people: {
      match: 'all',
      of: [
        { did: { event: 'checkout_iniciado' }, times: 1, within: 'last_28_days' },
        { did: { event: 'pedido_concluido' }, times: 1, within: 'last_28_days', not: true },
      ],
    },
  },
  {
    name: 'Novos, sem pedido',
    description: 'Chegaram em 28 dias e não são clientes recorrentes',
    people: {
      match: 'all',
      of: [
        { firstSeen: 'last_28_days' },
        { has: { name: COHORT, operator: 'notEquals', values: ['Clientes recorrentes'] } },
        { did: { event: 'pedido_concluido' }, times: 1, within: 'all_time', not: true },
      ],
    },
  },
];

/** Alerts of the shop: the first fires on most days. */
export const shopAlerts: Parameters<typeof beginAlert>[2][] = [
  {
    name: 'Mais de 150 visitas em um dia',
    subject: { kind: 'metric', metric: 'visits' },
    interval: 'day',
    condition: { kind: 'above', value: 150 },
    language: 'pt-BR',
  },
  {
    name: 'Um dia sem pedidos',
    subject: { kind: 'events', event: 'pedido_concluido' },
    interval: 'day',
    condition: { kind: 'silence', intervals: 1 },
    language: 'pt-BR',
  },
  {
    name: 'Erros novos e reincidentes',
    subject: { kind: 'issues', on: ['new', 'regressed', 'spike'] },
    interval: 'hour',
    condition: { kind: 'above', value: 0 },
    language: 'pt-BR',
  },
];
/** Days that they have been watching. */
export const ALERT_DAYS = 7;

export const ORDER_FLAG = 'ordem-dos-produtos';

/** The experiment on that flag. @param orders the goal of orders, with their amounts */
export const orderExperiment = (orders: number): Omit<ExperimentInput, 'flag'> => ({
  name: 'Novidades primeiro',
  hypothesis: 'Quem vê novidades primeiro marca mais produtos como favoritos.',
  definition: {
    goal: { kind: 'conversion', of: { event: 'favoritou_produto' } },
    windowDays: 7,
    plannedLift: PLANNED_LIFT,
    guardrails: [
      { metric: { kind: 'conversion', of: { goal: orders } }, better: 'more' },
      { metric: { kind: 'revenue', of: { goal: orders } }, better: 'more' },
      { metric: { kind: 'count', of: { event: '$pageview' } }, better: 'more' },
    ],
  },
});
/** Days that it has been running. */
export const EXPERIMENT_DAYS = 28;

export const CHECKOUT_FLAG = 'novo-checkout';
/** Customers may turn it on for themselves. */
export const checkoutFeature: Omit<EarlyAccessInput, 'flag'> = {
  name: 'Novo checkout',
  description: 'Compre em uma página só.',
  stage: 'beta',
  documentationUrl: 'https://loja.serrana.example/ajuda/novo-checkout',
};

/** Feature flags of the shop. */
export const shopFlags: readonly FlagInput[] = [
  flag(CHECKOUT_FLAG, 'Checkout em uma página', {
    groups: [
      share(100, [{ key: 'email', type: 'person', operator: 'ends_with', value: '@serrana.example' }]),
      share(50),
    ],
  }),
  flag('frete-gratis-sul', 'Frete grátis no Sul', {
    groups: [
      share(100, [{ key: '$geoip_subdivision_1_code', type: 'person', operator: 'exact', value: ['PR', 'SC', 'RS'] }]),
    ],
    payloads: { true: '{"minimo":99}' },
  }),
  flag('preco-assinatura', 'Preço da assinatura', {
    groups: [share(100)],
    multivariate: {
      variants: [
        { key: 'preco-49', rollout_percentage: 34 },
        { key: 'preco-54', rollout_percentage: 33 },
        { key: 'preco-59', rollout_percentage: 33 },
      ],
    },
  }),
  flag(ORDER_FLAG, 'Ordem da lista de produtos', {
    groups: [share(100)],
    multivariate: {
      variants: [
        { key: 'mais-vendidos', rollout_percentage: 50 },
        { key: 'novidades', rollout_percentage: 50 },
      ],
    },
  }),
  flag('busca-por-voz', 'Busca por voz', { groups: [share(10)] }, false),
];

export const CLUB_FLAG = 'clube-do-cafe';

/** @param cohort whose people get it */
export function clubFlag(cohort: number): FlagInput {
  const groups = [share(100, [{ key: 'id', type: 'cohort', operator: 'in', value: cohort }])];
  return flag(CLUB_FLAG, 'Clube do Café para clientes recorrentes', { groups });
}

function flag(key: string, description: string, filters: FlagFilters, active = true): FlagInput {
  return { key, description, definition: flagDefinition.parse({ active, filters }) };
}

function share(percent: number, properties: FlagFilters['groups'][number]['properties'] = []) {
  return { properties, rollout_percentage: percent };
}

export const newsletterNote = 'Newsletter “Colheita 2026”';

/** UTC−3 all year since 2019. */
export const shopOffsetMs = -3 * 3_600_000;

export interface Product {
  path: string;
  name: string;
  sku: string;
  price: number;
  /** How often it is looked at, beside the others. */
  weight: number;
}

const beans = [
  ['Bourbon Amarelo', 'BAM', 39.9, 14],
  ['Catuaí Vermelho', 'CTV', 37.9, 8],
  ['Mundo Novo', 'MDN', 34.9, 4],
  ['Acaiá', 'ACA', 36.9, 3],
  ['Arara', 'ARA', 41.9, 3],
  ['Obatã', 'OBA', 38.9, 2],
  ['Icatu', 'ICA', 33.9, 2],
  ['Geisha da Serra', 'GEI', 89.9, 3],
  ['Descafeinado', 'DES', 42.9, 2],
] as const;

const goods = [
  ['moedor-manual-serrana', 'Moedor manual Serrana', 'MOE-01', 289, 4],
  ['coador-de-pano', 'Coador de pano', 'COA-01', 24.9, 2],
  ['prensa-francesa-600ml', 'Prensa francesa 600 ml', 'PRE-06', 149, 2],
  ['xicara-esmaltada', 'Xícara esmaltada', 'XIC-01', 49.9, 2],
  ['kit-degustacao', 'Kit degustação', 'KIT-04', 119, 5],
  ['filtro-v60-100', 'Filtro V60 com 100', 'FIL-60', 39, 1],
] as const;

export const products: readonly Product[] = [
  ...beans.flatMap(([name, code, price, weight]) =>
    [250, 500].map((grams) => ({
      path: `/produtos/${slug(name)}-${grams}g`,
      name: `${name} ${grams} g`,
      sku: `${code}-${grams}`,
      price: grams === 250 ? price : Math.round(price * 18.5) / 10,
      weight: grams === 250 ? weight : weight / 2,
    })),
  ),
  ...goods.map(([path, name, sku, price, weight]) => ({ path: `/produtos/${path}`, name, sku, price, weight })),
];

const methods = ['Aeropress', 'Moka', 'Expresso', 'Café com leite', 'Prensa francesa', 'Coador de pano'];
const regions = [
  'Mantiqueira',
  'Caparaó',
  'Cerrado Mineiro',
  'Alta Mogiana',
  'Chapada Diamantina',
  'Planalto da Conquista',
];

const articles: readonly string[] = [
  'Como moer café em casa',
  'V60 passo a passo',
  'Diferença entre arábica e robusta',
  'Água para café',
  'Colheita 2026: o que mudou',
  'Cold brew sem segredo',
  'Quanto pó por xícara',
  'O que é torra média',
  'Visita à Fazenda Boa Vista',
  'Café e sono',
  ...methods.flatMap((method) => [`Guia: ${method}`, `Receita: ${method}`]),
  ...regions.map((region) => `Origem: ${region}`),
];

/** Paths of the magazine, the most read first. */
export const posts: readonly string[] = articles.map((title) => `/blog/${slug(title)}`);

export const titles: Record<string, string> = {
  ...Object.fromEntries(articles.map((title) => [`/blog/${slug(title)}`, title])),
  '/': 'Café Serrana: café fresco da serra',
  '/produtos': 'Cafés e utensílios',
  '/assinatura': 'Assinatura: café todo mês',
  '/carrinho': 'Seu carrinho',
  '/checkout': 'Finalizar pedido',
  '/checkout/obrigado': 'Pedido recebido',
  '/sobre': 'Quem somos',
  '/contato': 'Fale com a gente',
  '/entregas': 'Entregas e prazos',
  '/conta': 'Sua conta',
  '/conta/pedidos': 'Seus pedidos',
  '/colheita-2026': 'Colheita 2026 chegou',
};

/** Links to other sites: their text, address and weight. */
export const elsewhere: readonly (readonly [link: readonly [text: string, href: string], weight: number])[] = [
  [['Instagram', 'https://www.instagram.com/cafeserrana.example'], 46],
  [['Fale no WhatsApp', 'https://wa.me/5500000000000'], 31],
  [['Rastrear pedido', 'https://rastreamento.correios.example/'], 15],
  [['Fazenda Boa Vista', 'https://fazendaboavista.example/visitas'], 8],
];

export const searches = [
  'moedor',
  'bourbon',
  'descafeinado',
  'filtro',
  'grão',
  'kit',
  'v60',
  'presente',
  'assinatura',
  'geisha',
];

/** URL slug of a text. */
export function slug(text: string): string {
  return text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-');
}

/** Days for which the weekly report has existed. */
export const REPORT_DAYS = 2.5;
/** To the partner of the shop, who has no account. */
export const shopReport = { address: 'socia@serrana.example', language: 'pt-BR', hour: 8 } as const;
