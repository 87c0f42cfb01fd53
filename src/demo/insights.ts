/** Saved insights of the sample shop. */

import type { UserId } from '#src/accounts/contract.ts';
import { content as dashboardContent } from '#src/dashboards/contract.ts';
import { createDashboards } from '#src/dashboards/dashboards.ts';
import { createGoals, createSavedInsights, createSegments } from '#src/insights/insights.ts';
import type { Display, InsightInput } from '#src/insights/saved/contract.ts';
import { QUERY_VERSION, SAMPLE_ACCOUNT, type SavedKind } from '#src/insights/saved/values.ts';
import { AppError } from '#src/kit/errors.ts';
import type { Project } from '#src/projects/projects.ts';
import { createShareLinks } from '#src/sharing/sharing.ts';
import type { Deps } from '#src/store/deps.ts';
import { createSecrets } from '#src/store/secrets.ts';

type SampleInsight = Omit<InsightInput, 'definition'> & {
  kind: SavedKind;
  query: Record<string, unknown>;
  display?: Display;
};

const order = { event: 'pedido_concluido' };

/** The last one is the first in the list. */
const shopInsights: readonly SampleInsight[] = [
  {
    name: 'Ticket médio',
    description: 'Valor médio dos pedidos, em reais.',
    tags: ['loja'],
    kind: 'trends',
    query: { range: 'last_28_days', series: [{ event: order, measure: { property: 'valor', as: 'mean' } }] },
    display: { chart: 'number' },
  },
  {
    name: 'Dias ativos por pessoa',
    description: '',
    tags: ['clientes'],
    kind: 'stickiness',
    query: { range: 'last_28_days', interval: 'day', event: { event: '$pageview' } },
  },
  {
    name: 'Ciclo de vida semanal',
    description: 'Quem chega, quem volta e quem some.',
    tags: ['clientes'],
    kind: 'lifecycle',
    query: { range: 'last_90_days', interval: 'week', event: { event: '$pageview' } },
  },
  {
    name: 'Conversão em pedidos por semana',
    description: 'De quem viu um produto, quantos concluem um pedido, pela semana em que viram.',
    tags: ['checkout', 'loja'],
    kind: 'funnel',
    query: { range: 'last_90_days', interval: 'week', compare: 'previous', steps: [{ event: 'produto_visto' }, order] },
    display: { funnel: 'entry' },
  },
  {
    name: 'Retenção semanal de compradores',
    description: 'Quem compra de novo, por semana do primeiro pedido.',
    tags: ['loja', 'clientes'],
    kind: 'retention',
    query: {
      range: 'last_90_days',
      period: 'week',
      startEvent: order,
      returningEvent: order,
      brackets: [0, 1, 3, 7],
    },
  },
  {
    name: 'Empresas: do produto ao pedido',
    description: 'Por empresa: quem vê pode ser uma pessoa, quem pede, outra.',
    tags: ['empresas'],
    kind: 'funnel',
    query: {
      range: 'last_90_days',
      per: 'group_0',
      steps: [{ event: 'produto_visto' }, { event: 'checkout_iniciado' }, order],
      breakdown: { about: 'group_0', name: 'setor' },
      limit: 5,
    },
  },
  {
    name: 'Empresas com pedido por plano',
    description: 'Quantas empresas pedem em cada semana, pelo plano que têm hoje.',
    tags: ['empresas', 'loja'],
    kind: 'trends',
    query: {
      range: 'last_90_days',
      interval: 'week',
      series: [{ event: order, measure: 'group_0' }],
      breakdown: { about: 'group_0', name: 'plano' },
    },
    display: { chart: 'stacked' },
  },
  {
    name: 'Pedidos por semana',
    description: '',
    tags: ['loja'],
    kind: 'trends',
    query: { range: 'last_90_days', interval: 'week', compare: 'previous', series: [{ event: order }] },
  },
  {
    name: 'Pedidos por dia e hora',
    description: 'Quando a loja vende, para planejar atendimento e campanhas.',
    tags: ['loja'],
    kind: 'trends',
    query: { range: 'last_90_days', series: [{ event: order }], weeklyHeatmap: true },
    display: { chart: 'heatmap' },
  },
  {
    name: 'Visitantes por país',
    description: '',
    tags: ['aquisição'],
    kind: 'trends',
    query: {
      range: 'last_28_days',
      series: [{ event: { event: '$pageview' }, measure: 'persons' }],
      breakdown: { about: 'event', name: '$geoip_country_code' },
      limit: 100,
    },
    display: { chart: 'map' },
  },
  {
    name: 'Visitas por origem',
    description: '',
    tags: ['aquisição'],
    kind: 'trends',
    query: {
      range: 'last_28_days',
      series: [{ event: { event: '$pageview' }, measure: 'visits' }],
      breakdown: { about: 'event', name: '$referring_domain' },
      limit: 5,
    },
  },
  {
    name: 'Conversão por aparelho e origem',
    description: 'Pessoas que compram, das que visitam a loja.',
    tags: ['loja', 'aquisição'],
    kind: 'trends',
    query: {
      range: 'last_28_days',
      interval: 'week',
      series: [
        { event: order, measure: 'persons', hidden: true },
        { event: { event: '$pageview' }, measure: 'persons', hidden: true },
      ],
      formulas: [{ formula: 'A / B', name: 'Conversão', format: 'percent' }],
      breakdown: [
        { about: 'event', name: '$device_type' },
        { about: 'event', name: '$referring_domain' },
      ],
      limit: 5,
    },
  },
  {
    name: 'Da vitrine ao pedido',
    description: 'Do produto visto ao pedido concluído, em até sete dias.',
    tags: ['checkout', 'loja'],
    kind: 'funnel',
    query: {
      range: 'last_28_days',
      steps: [{ event: 'produto_visto' }, { event: 'adicionou_ao_carrinho' }, { event: 'checkout_iniciado' }, order],
      optionalSteps: [2],
      conversionWindow: { count: 7, unit: 'day' },
    },
  },
];

interface SampleDashboard {
  name: string;
  description: string;
  tags: string[];
  isShared?: boolean;
  /** `named`: the sample insight of the tile. */
  tiles: ({ width: number; height: number; named?: string } & Record<string, unknown>)[];
}

const number = (metric: string) => ({ kind: 'metric', metric, width: 3, height: 1 });
const table = (dimension: string) => ({ kind: 'breakdown', dimension, width: 4, height: 2 });

const shopDashboards: readonly SampleDashboard[] = [
  {
    name: 'Aquisição',
    isShared: true,
    description: 'Origem das visitas e páginas vistas.',
    tags: ['aquisição'],
    tiles: [
      ...[number('visitors'), number('visits'), number('views'), number('bounceRate')],
      ...[{ named: 'Visitas por origem', width: 8, height: 2 }, table('channel')],
      ...[table('source'), table('page'), table('country')],
      { named: 'Visitantes por país', width: 8, height: 2 },
    ],
  },
  {
    name: 'Saúde da loja',
    description: 'Números da loja que olhamos toda segunda-feira.',
    tags: ['loja'],
    tiles: [
      number('visitors'),
      number('visits'),
      { named: 'Ticket médio', width: 3, height: 1 },
      number('visitDuration'),
      { named: 'Da vitrine ao pedido', width: 8, height: 2 },
      { kind: 'goals', width: 4, height: 2 },
      { kind: 'heatmap', width: 8, height: 2 },
      { kind: 'vitals', width: 4, height: 2 },
      { kind: 'heading', text: 'Clientes', width: 12, height: 1 },
      { named: 'Pedidos por semana', width: 6, height: 2, own: true },
      { named: 'Ciclo de vida semanal', width: 6, height: 2, own: true },
      { named: 'Pedidos por dia e hora', width: 12, height: 2, own: true },
      { named: 'Retenção semanal de compradores', width: 12, height: 2, own: true },
      {
        kind: 'text',
        text: 'Na **segunda-feira**: comparar o funil com a semana anterior e anotar o que mudou no site.',
        width: 12,
        height: 1,
      },
    ],
  },
];

/** Open to everyone who has it, with a range of their choice. */
const sampleLink = {
  expiresAt: null,
  password: null,
  open: true,
  filters: ['country', 'deviceType'] as const,
  language: null,
  theme: 'system',
  origins: ['https://cafeserrana.example'],
};

/** Who saves and opens what the sample shop has. */
export function sampleAsker(project: Project) {
  return {
    project: { ...project, seesPersons: true },
    reader: { id: SAMPLE_ACCOUNT as UserId },
    role: 'owner' as const,
  };
}

export async function saveShopInsights(deps: Pick<Deps, 'config' | 'db' | 'clock'>, project: Project): Promise<void> {
  const goals = createGoals(deps);
  const saved = createSavedInsights(deps, {
    goals,
    segments: createSegments(deps, goals),
    query: () => Promise.reject(new AppError('internal', 'Sample insights are saved without a result.')),
  });
  const asker = sampleAsker(project);
  const ids = new Map<string, number>();
  for (const { name, description, tags, kind, query, display = {} } of shopInsights) {
    const definition = { kind, version: QUERY_VERSION, query, display };
    ids.set(name, (await saved.create(asker, { name, description, tags, definition })).id);
  }
  const dashboards = createDashboards(deps, { insights: { saved, goals } });
  const links = createShareLinks(deps.clock, createSecrets(deps));
  for (const { name, description, tags, tiles, isShared } of shopDashboards) {
    const content = dashboardContent.parse({
      tiles: tiles.map(({ named, ...tile }, at) => ({
        id: `tile-${at + 1}`,
        ...tile,
        ...(named !== undefined && { kind: 'insight', insight: ids.get(named) }),
      })),
    });
    const { id } = await dashboards.create(asker, { name, description, tags, content });
    if (isShared)
      await links.insert(
        deps.db,
        { project: project.id, of: { kind: 'dashboard', id }, account: SAMPLE_ACCOUNT },
        sampleLink,
      );
  }
}
